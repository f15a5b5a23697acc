"""The command as a process of its own."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from pathlib import Path


PYTHON = (sys.executable, "-m", "samedeal_cli")
PATIENCE_S = 60  # For machines that have much else to do.


def environment(**more: str) -> Mapping[str, str]:
    """This process's environment without its own settings of the product."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("SAMEDEAL_")}
    return {**own, "PYTHONUNBUFFERED": "1", **more}


@contextlib.contextmanager
def running(
    *arguments: str, cwd: Path | None = None, **more: str
) -> Generator["subprocess.Popen[str]"]:
    """Run `samedeal ARGUMENT…`; whatever is left of it at the end is killed."""
    with subprocess.Popen(
        [*PYTHON, *arguments],
        cwd=cwd,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: "subprocess.Popen[str]") -> str:
    """Wait for a line of the process's output; what it complained of, if none."""
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return line.rstrip("\n")


def stopped(
    process: "subprocess.Popen[str]", number: signal.Signals
) -> tuple[int, str]:
    """Send a signal; the exit status, and what was written to standard error."""
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, err

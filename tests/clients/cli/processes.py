"""The command as a process of its own."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TypeAlias


PYTHON = (sys.executable, "-m", "samedeal_cli")
Process: TypeAlias = "subprocess.Popen[str]"

PATIENCE_S = 60  # For machines that have much else to do.


def environment(**more: str) -> Mapping[str, str]:
    """This process's environment without its own settings of the product."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("SAMEDEAL_")}
    return {**own, "PYTHONUNBUFFERED": "1", **more}


@contextlib.contextmanager
def running(
    *arguments: str, cwd: Path | None = None, **more: str
) -> Generator[Process]:
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


def first_line(process: Process) -> str:
    """Wait for a line of the process's output; what it complained of, if none."""
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return line.rstrip("\n")


def stopped(process: Process, number: signal.Signals) -> tuple[int, str, str]:
    """Send a signal; the exit status, what more was printed, and the complaints."""
    # Not communicate(), which knows nothing of what readline() has read ahead.
    assert process.stdout is not None
    assert process.stderr is not None
    process.send_signal(number)
    too_late = threading.Timer(PATIENCE_S, process.kill)
    too_late.start()
    out, err = process.stdout.read(), process.stderr.read()
    too_late.cancel()
    return process.wait(), out, err

"""How long it takes from the command to the line that says it is ready."""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from bench import filling, machine
from bench.tables import Row


_LOADING = re.compile(r"The store is loading.*")


async def measure(races: int, times: int = 5) -> Row:
    """Start a server so many times, on a store with so many finished races.

    The first start of a process after the machine's does not count as such: files
    are read from memory, as are those of the store.
    """
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder)
        filled = await filling.fill(data, folded=races)
        took, said = [], ""
        for _ in range(times):
            seconds, words = _start(data)
            took.append(seconds)
            said = said or words
    return {
        "finished races": races,
        "AOF MiB": filled.aof_bytes / 1024**2,
        "fastest s": min(took),
        "median s": statistics.median(took),
        "slowest s": max(took),
        "it said": said or "-",
    }


def _start(data: pathlib.Path) -> tuple[float, str]:
    """Seconds until it was ready, and the first that it said of loading."""
    command = [
        *machine.pinned("0"),
        *(sys.executable, "-m", "samedeal_cli", "serve"),
        *("--port", "0", "--data", str(data)),
    ]
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SAMEDEAL_POOL": "0"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    seconds = time.perf_counter() - began
    process.terminate()
    _, errors = process.communicate(timeout=30)
    if "samedeal ready" not in line:
        raise RuntimeError(f"The server did not start: {errors}")
    loading = _LOADING.search(errors)
    return seconds, loading[0] if loading else ""

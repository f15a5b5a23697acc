"""Processes under measurement: started, pinned to a CPU, and read off."""

import contextlib
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass


_READY = re.compile(r"samedeal ready on http://[^:]+:(\d+)")


@dataclass(frozen=True)
class Server:
    """A server's process, those of its workers if any, and its embedded store's."""

    port: int
    pid: int
    workers: tuple[int, ...]
    store_pid: int

    def cpu_s(self) -> tuple[float, float]:
        """CPU seconds so far of the server, workers included, and of its store."""
        return sum(map(cpu_s, (self.pid, *self.workers))), cpu_s(self.store_pid)

    def memory_kib(self) -> tuple[int, int]:
        """Resident memory of the server, workers included, and of its store."""
        memory = map(memory_kib, (self.pid, *self.workers))
        return sum(memory), memory_kib(self.store_pid)


@contextlib.contextmanager
def server(data: pathlib.Path, *options: str, cpus: str = "0") -> Iterator[Server]:
    """A server on the embedded store in `data`, both on `cpus`, limits off."""
    command = [
        *pinned(cpus),
        sys.executable,
        *("-m", "samedeal_cli", "serve", "--port", "0", "--data", str(data)),
        *options,
    ]
    environment = {**os.environ, "SAMEDEAL_LIMITS": "off", "SAMEDEAL_POOL": "0"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        port = _wait_until_ready(process)
        # Written down by whoever has the directory: itself, and its store.
        pid, store_pid = map(int, (data / "lock").read_text().split())
        workers = tuple(child for child in _children(pid) if child != store_pid)
        yield Server(port, pid, workers, store_pid)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def stay_on(cpus: str) -> None:
    """Keep this process, the load generator, off the server's CPU."""
    if hasattr(os, "sched_setaffinity"):
        wanted = {int(cpu) for cpu in cpus.split(",")}
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, wanted)


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used, by the kernel's own accounting."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def memory_kib(pid: int) -> int:
    """Resident memory of a process."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    match = re.search(r"VmRSS:\s+(\d+) kB", text)
    return int(match[1]) if match else 0


def fsync_ms(folder: pathlib.Path, count: int = 200) -> list[float]:
    """Times, in ms and sorted, that the disk takes to sync a small write."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(count):
            file.write(b"x" * 200)
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


def pinned(cpus: str) -> list[str]:
    """What comes before a command so that it stays on these CPUs."""
    return ["taskset", "-c", cpus] if sys.platform == "linux" else []


def _wait_until_ready(process: "subprocess.Popen[str]") -> int:
    assert process.stdout is not None
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if select.select([process.stdout], [], [], 0.5)[0]:
            line = process.stdout.readline()
            if match := _READY.search(line):
                return int(match[1])
            if not line:
                break
    raise RuntimeError("The server did not start.")


def _children(pid: int) -> list[int]:
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]

"""What players cost who are connected, have said hello, and do nothing.

The server is asked for its tasks, so it is the one of the soak, on CPU 0: an
ordinary one but for that.
"""

import asyncio
import contextlib
import json
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench import machine
from bench.moves import percentile
from bench.tables import Row
from bench.wire import Wire


_SPARE_FILES = 200
_AT_ONCE = 50
_PER_ADDRESS = 10_000
"""Connections from one address: ports to connect from are few."""
_HELLO = b'{"type":"hello","name":"Idle","id":1}'
_PING = b'{"type":"ping","id":2}'


async def measure(players: int = 10_000, seconds: float = 12.0) -> Row:
    """Connect so many, and let them be for so long.

    Fewer are connected where the system allows fewer open files; the row says how
    many there were.
    """
    players = min(players, _files() - _SPARE_FILES)
    machine.stay_on("1")
    with tempfile.TemporaryDirectory() as folder, _serving(folder) as server:
        warm = [await _arrive(server.port, 0) for _ in range(_AT_ONCE)]
        await asyncio.sleep(min(seconds, 1.0))
        tasks_before, memory_before = server.tasks(), server.memory_kib()
        began, cpu_before = time.perf_counter(), server.cpu_s()
        wires: list[Wire] = []
        while len(wires) < players:
            number = min(_AT_ONCE, players - len(wires))
            arriving = (_arrive(server.port, len(wires)) for _ in range(number))
            wires += await asyncio.gather(*arriving)
        arriving_s, arrived_cpu = time.perf_counter() - began, server.cpu_s()
        # Their arrival has been told to everyone by then.
        await asyncio.sleep(min(seconds, 1.0))
        cpu, began = server.cpu_s(), time.perf_counter()
        pings = await _ping(warm[0], seconds)
        idle_s = time.perf_counter() - began
        cpu_s = server.cpu_s() - cpu
        row = {
            "players": len(wires),
            "KiB each": (server.memory_kib() - memory_before) / len(wires),
            "tasks more": server.tasks() - tasks_before,
            "CPU us/s each": 1e6 * cpu_s / idle_s / len(wires),
            "CPU %": 100 * cpu_s / idle_s,
            "ping p50 ms": percentile(pings, 0.5),
            "ping max ms": pings[-1],
            "arrivals/s": len(wires) / arriving_s,
            "arrival us": 1e6 * (arrived_cpu - cpu_before) / len(wires),
            "lost": sum(wire.transport.is_closing() for wire in wires),
        }
        for wire in (*warm, *wires):
            wire.close()
    return row


@dataclass
class _Server:
    process: "subprocess.Popen[str]"
    port: int

    def tasks(self) -> int:
        self.process.send_signal(signal.SIGUSR1)
        return int(_line(self.process)["tasks"])

    def memory_kib(self) -> int:
        return machine.memory_kib(self.process.pid)

    def cpu_s(self) -> float:
        return machine.cpu_s(self.process.pid)


@contextlib.contextmanager
def _serving(folder: str) -> Iterator[_Server]:
    command = [
        *machine.pinned("0"),
        *(sys.executable, "-m", "bench.soak_server", str(pathlib.Path(folder))),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = str(_line(process)["url"])
        yield _Server(process, int(url.rpartition(":")[2]))
    finally:
        process.terminate()
        process.communicate(timeout=20)


def _line(process: "subprocess.Popen[str]") -> dict[str, Any]:
    assert process.stdout is not None
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def _files() -> int:
    """How many files a process may open, raised as far as it goes; the server
    inherits it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most if most != resource.RLIM_INFINITY else sys.maxsize


async def _arrive(port: int, number: int) -> Wire:
    source = f"127.0.0.{2 + number // _PER_ADDRESS}" if number else None
    wire = await Wire.connect(port, "samedeal.v1+json", source)
    wire.send(_HELLO)
    await wire.receive()
    return wire


async def _ping(wire: Wire, seconds: float) -> list[float]:
    """How long somebody waits for the server meanwhile, in ms and sorted."""
    end = time.perf_counter() + seconds
    times = []
    while (began := time.perf_counter()) < end:
        wire.send(_PING)
        await wire.receive()
        times.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.01)
    return sorted(times)

"""Races for a long time, with faults, and what they leave behind in the server.

    python -m bench.soak --minutes 30

Players are cut off, some without a word, and the store is killed now and then,
while every patch is kept and compared with the logs. A line a minute; at the end
whether memory stayed flat, and whether a task, a file or a race was left over.
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.crowd import Crowd
from tests.faults.processes import kill_store, store_pid

from bench.machine import memory_kib
from samedeal_server.processes.leash import leash_of_platform


_WARM_UP = 0.25
"""The share of the time before which memory may grow."""
_MAY_GROW = 0.10
_FIRST_S = 2.0
_SETTLE_S = 5.0

_COLUMNS = ("minute", "races", "moves", "missing", "twice", "faults", "stall s")
_MEMORY = ("server MiB", "store MiB", "tasks", "files", "held")


@dataclass
class Server:
    """The server's process."""

    process: asyncio.subprocess.Process
    url: str
    data: Path

    @classmethod
    async def start(cls, folder: Path) -> "Server":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.soak_server", str(folder)),
            stdout=asyncio.subprocess.PIPE,
            # Not to be left behind by a soak that is killed.
            preexec_fn=leash_of_platform().before_exec,
        )
        server = cls(process, "", folder)
        server.url = (await server.hear())["url"]
        return server

    async def hear(self) -> dict[str, Any]:
        """The next line that it says."""
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def holds(self) -> dict[str, Any]:
        """How many tasks, files and races it has at this moment."""
        self.process.send_signal(signal.SIGUSR1)
        return await self.hear()

    def store_kib(self) -> int:
        """The store's memory; 0 while there is none."""
        pid = store_pid(self.data)
        try:
            return 0 if pid is None else memory_kib(pid)
        except OSError:  # It ends at this very moment.
            return 0


class Soak:
    """One run.

    Attributes:
        faults: how many there have been.
        memory: the server's memory in KiB, a figure a minute.
    """

    def __init__(self, server: Server, crowd: Crowd, chance: Random) -> None:
        self._server = server
        self._crowd = crowd
        self._chance = chance
        self.faults = 0
        self.memory: list[int] = []

    async def run(self, minutes: float) -> None:
        """Trouble for so long, and a line a minute."""
        end = time.monotonic() + minutes * 60
        trouble = asyncio.create_task(self._trouble())
        try:
            minute = 0
            while (left := end - time.monotonic()) > 0:
                await asyncio.wait([trouble], timeout=min(60, left))
                if trouble.done():
                    trouble.result()
                minute += 1
                await self._line(minute)
        finally:
            trouble.cancel()
            await asyncio.gather(trouble, return_exceptions=True)

    async def _trouble(self) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(0.2, 2))
            self.faults += 1
            racer = self._chance.choice(self._crowd.racers)
            match self._chance.randrange(20):
                case 0:
                    kill_store(self._server.data)
                case 1 | 2:
                    racer.fall_silent()
                case _:
                    racer.cut()

    async def _line(self, minute: int) -> None:
        verdict, holds = self._crowd.verdict, await self._server.holds()
        self.memory.append(memory_kib(self._server.process.pid))
        store = self._server.store_kib()
        stall_s = max(racer.stall_s for racer in self._crowd.racers)
        print_row(
            [
                *(minute, verdict.races, verdict.acknowledged, verdict.missing),
                *(verdict.twice, self.faults, f"{stall_s:.1f}"),
                *(f"{self.memory[-1] / 1024:.1f}", f"{store / 1024:.1f}"),
                *(holds["tasks"], holds["files"], holds["races"]),
            ]
        )


async def soak(minutes: float, tables: int, seed: int) -> bool:
    """Whether all was well."""
    with tempfile.TemporaryDirectory(prefix="samedeal-soak-") as folder:
        server = await Server.start(Path(folder))
        # The connection that moves are appended by is opened by the first of them.
        async with Crowd(lambda: [server.url], seed=-seed, tables=1) as first:
            await first.race_while(asyncio.create_task(asyncio.sleep(_FIRST_S)))
        await asyncio.sleep(_SETTLE_S)
        before = await server.holds()
        print_row([*_COLUMNS, *_MEMORY])
        crowd = Crowd(lambda: [server.url], seed=seed, tables=tables, judge=server.url)
        async with crowd:
            run = Soak(server, crowd, Random(seed))
            await crowd.race_while(asyncio.create_task(run.run(minutes)))
        await asyncio.sleep(_SETTLE_S)
        after = await server.holds()
        server.process.terminate()
        status = await server.process.wait()
    verdict = crowd.verdict
    verdict.faults += [fault for racer in crowd.racers for fault in racer.faults]
    checks = {
        f"acknowledged moves missing: {verdict.missing}": verdict.missing == 0,
        f"moves applied twice: {verdict.twice}": verdict.twice == 0,
        f"ended once: {verdict.ended_once} of {verdict.races} races": (
            verdict.ended_once == verdict.races > 0
        ),
        f"other faults: {verdict.faults[:5] or 'none'}": not verdict.faults,
        _memory_told(run.memory): _is_flat(run.memory),
        f"tasks {before['of']} before, {after['of']} after": (
            after["tasks"] <= before["tasks"]
        ),
        f"files {before['files']} before, {after['files']} after": (
            after["files"] <= before["files"]
        ),
        f"races held {after['races']}": after["races"] == 0,
        f"errors logged {after['errors']}": after["errors"] == 0,
        f"exit status {status}": status == 0,
    }
    for text, good in checks.items():
        print(f"{'ok ' if good else 'BAD'}  {text}")  # noqa: T201
    return all(checks.values())


def print_row(values: Sequence[object]) -> None:
    """One line of the table."""
    print("".join(str(value).rjust(11) for value in values), flush=True)  # noqa: T201


def _is_flat(memory: Sequence[int]) -> bool:
    early, late = _early_and_late(memory)
    return late <= early * (1 + _MAY_GROW)


def _memory_told(memory: Sequence[int]) -> str:
    early, late = _early_and_late(memory)
    return f"memory {early / 1024:.1f} MiB after warm-up, {late / 1024:.1f} at the end"


def _early_and_late(memory: Sequence[int]) -> tuple[float, float]:
    """The mean of the first and of the last third, warm-up left out."""
    warm = memory[int(len(memory) * _WARM_UP) :]
    third = max(1, len(warm) // 3)
    return sum(warm[:third]) / third, sum(warm[-third:]) / third


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--tables", type=int, default=8, help="races at a time")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    return 0 if asyncio.run(soak(chosen.minutes, chosen.tables, chosen.seed)) else 1


if __name__ == "__main__":
    sys.exit(main())

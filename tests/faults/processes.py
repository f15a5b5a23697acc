"""Servers as processes of their own, to be killed."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any, Self

from tests.helpers.redis_servers import free_port

from samedeal_server.processes.leash import leash_of_platform


_PATIENCE_S = 30.0


class Node:
    """`samedeal serve` on a port that stays the same over restarts.

    Args:
        folder: where its data and what it says go.
        redis: the URL of an outside store; empty for the embedded one.
        settings: more settings, named as in the server's `Settings`.

    Attributes:
        url: its http:// address.
        starts: how often it was started.
        slowest_start_s: the longest that took.
    """

    def __init__(self, folder: Path, redis: str = "", **settings: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.data = folder / "data"
        self.starts = 0
        self.slowest_start_s = 0.0
        self._words = folder / "server.log"
        self._command = [
            *(sys.executable, "-m", "samedeal_cli", "serve", "--port", str(port)),
            *(("--redis", redis) if redis else ("--data", str(self.data))),
        ]
        given = {"bot_pace_ms": "5,40", "limits": "off", "pool": 0, **settings}
        # Logs are folded while all of this happens to their races.
        given.setdefault("fold_after_s", 0)
        self._environment = os.environ | {
            f"SAMEDEAL_{name.upper()}": str(value) for name, value in given.items()
        }
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def store_pid(self) -> int | None:
        """Of the embedded Valkey; None while there is none."""
        return store_pid(self.data)

    def kill_store(self) -> None:
        """End the embedded Valkey without a word, if there is one."""
        kill_store(self.data)

    async def start(self) -> None:
        """Start, and return once it is ready."""
        began = time.monotonic()
        with self._words.open("ab") as words:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                env=self._environment,
                stdout=asyncio.subprocess.PIPE,
                stderr=words,
                # Not to be left behind by a test run that is killed.
                preexec_fn=leash_of_platform().before_exec,
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(_PATIENCE_S):
            line = await self._process.stdout.readline()
        assert line.startswith(b"samedeal ready on "), self.words()[-4000:]
        self.starts += 1
        self.slowest_start_s = max(self.slowest_start_s, time.monotonic() - began)

    async def kill(self) -> None:
        """End it without a word of warning."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
        if process is not None:
            await process.wait()

    async def terminate(self) -> tuple[int, float]:
        """Ask it to end; returns its exit status and how many seconds it took."""
        assert self._process is not None
        began = time.monotonic()
        self._process.terminate()
        async with asyncio.timeout(_PATIENCE_S):
            status = await self._process.wait()
        return status, time.monotonic() - began

    def words(self) -> str:
        """All that it has said on standard error."""
        return self._words.read_text(errors="replace")

    def complaints(self) -> list[str]:
        """What tells of a fault in the server itself, tracebacks included."""
        found: list[str] = []
        for one in self.words().splitlines():
            if " ERROR " in one or one.startswith("Traceback"):
                found.append(one)
            elif found and not _LOGGED.match(one):
                found[-1] += "\n" + one
        return found


# The beginning of a line of the server's log.
_LOGGED = re.compile(r"\d{4}-\d\d-\d\d ")


def pause(pid: int) -> None:
    """Stop a process where it stands."""
    os.kill(pid, signal.SIGSTOP)


def go_on(pid: int) -> None:
    """Let a stopped process go on."""
    os.kill(pid, signal.SIGCONT)


def is_alive(pid: int) -> bool:
    """Whether there is such a process."""
    return Path(f"/proc/{pid}").exists()


def store_pid(data: Path) -> int | None:
    """Of the embedded Valkey on this data directory; None while there is none."""
    pids = (data / "lock").read_text().split()
    return int(pids[1]) if len(pids) > 1 else None


def kill_store(data: Path) -> None:
    """End the embedded Valkey of this data directory without a word, if there is one."""
    pid = store_pid(data)
    with contextlib.suppress(ProcessLookupError):
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

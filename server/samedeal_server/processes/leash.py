"""A child that must not outlive its parent, even when the parent is killed."""

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Protocol


_PR_SET_PDEATHSIG = 1


class Leash(Protocol):
    """Ties one child process at a time to this process."""

    @property
    def before_exec(self) -> Callable[[], None] | None:
        """To be run in the child between fork and exec."""
        ...

    async def hold(self, pid: int) -> None:
        """Takes the child that was just started."""
        ...

    async def release(self) -> None:
        """The child has ended."""
        ...


def leash_of_platform() -> Leash:
    """The surest that the platform offers."""
    return DeathSignal() if sys.platform == "linux" else PipeLeash()


class DeathSignal:
    """Linux: the kernel kills the child when its parent thread ends."""

    def __init__(self) -> None:
        # Loaded before the fork, as little as possible being safe after it.
        self._prctl = ctypes.CDLL(None, use_errno=True).prctl
        self._parent = os.getpid()

    @property
    def before_exec(self) -> Callable[[], None]:
        return self._before_exec

    async def hold(self, pid: int) -> None:
        pass

    async def release(self) -> None:
        pass

    def _before_exec(self) -> None:
        self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._parent:
            os._exit(1)  # It ended before the kernel was told.


class PipeLeash:
    """Any POSIX system: a shell reads from a pipe of which only this process has the
    other end, and kills the child when the pipe ends without a word."""

    _SCRIPT = 'read -r word && exit 0; kill -KILL "$1"'

    def __init__(self) -> None:
        self._shell: asyncio.subprocess.Process | None = None

    @property
    def before_exec(self) -> None:
        return None

    async def hold(self, pid: int) -> None:
        await self.release()
        self._shell = await asyncio.create_subprocess_exec(
            "/bin/sh",
            "-c",
            self._SCRIPT,
            "samedeal-leash",
            str(pid),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    async def release(self) -> None:
        shell, self._shell = self._shell, None
        if shell is not None:
            with contextlib.suppress(OSError):
                await shell.communicate(b"released\n")

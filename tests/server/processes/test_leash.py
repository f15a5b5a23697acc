"""A child on a leash: left alone when released, killed when its parent is."""

import asyncio
import signal
import sys

import pytest

from samedeal_server.processes.leash import DeathSignal, PipeLeash, leash_of_platform


async def _sleeper() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec("sleep", "60")


async def test_a_pipe_leash_that_is_released_harms_nobody() -> None:
    leash, child = PipeLeash(), await _sleeper()
    await leash.hold(child.pid)
    await leash.release()
    await leash.release()
    child.terminate()
    assert await child.wait() == -signal.SIGTERM


async def test_a_pipe_leash_takes_one_child_after_another() -> None:
    leash, first, second = PipeLeash(), await _sleeper(), await _sleeper()
    await leash.hold(first.pid)
    await leash.hold(second.pid)
    await leash.release()
    for child in (first, second):
        child.terminate()
        assert await child.wait() == -signal.SIGTERM


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has the signal alone")
def test_linux_has_the_signal() -> None:
    assert isinstance(leash_of_platform(), DeathSignal)

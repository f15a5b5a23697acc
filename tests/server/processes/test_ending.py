"""A child ends in its time, or its parent hears that it does not."""

import asyncio
import sys

from samedeal_server.processes.ending import ended_in_order


_DEAF = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
sys.stdin.read()
"""


async def test_one_that_ends_has_ended() -> None:
    child = await asyncio.create_subprocess_exec("sleep", "60")
    assert await ended_in_order(child, 10)
    assert child.returncode is not None
    assert await ended_in_order(child, 10)  # Once more does no harm,
    assert await ended_in_order(None, 10)  # nor does one that never was.


async def test_one_that_does_not_is_told_of_and_lives() -> None:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _DEAF), stdin=pipe, stdout=pipe
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"ready\n"
    assert not await ended_in_order(child, 0.01)
    assert child.returncode is None
    child.kill()
    await child.wait()

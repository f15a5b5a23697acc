"""Ending a child process in order."""

import asyncio
from asyncio.subprocess import Process


async def ended_in_order(process: Process | None, timeout_s: float) -> bool:
    """Ask a process to end, unless it has, and wait; False where it takes longer."""
    if process is None or process.returncode is not None:
        return True
    process.terminate()
    try:
        async with asyncio.timeout(timeout_s):
            await process.wait()
    except TimeoutError:
        return False
    return True

"""Waiting for what comes without a message to wait for."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.helpers.raw import PATIENCE_S


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Returns once the condition holds; fails when it does not come to hold."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.01)

"""Work on many things, spread over time so that it keeps nobody waiting."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from typing import TypeVar


T = TypeVar("T")


async def spread(
    items: Iterable[T], at_once: int, seconds: float
) -> AsyncGenerator[list[T], None]:
    """All items, at most `at_once` together, evenly over so many seconds.

    Whoever else waits for the event loop has a turn between one lot and the next.
    `items` are those there are now: some may be gone when their turn comes. It is
    over when the time is, also where there are few or none; if the work takes
    longer, as soon as it is done. What a lot holds is let go of after its turn.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    left = [*items]
    lots = max(1, -(-len(left) // at_once))
    for number in range(1, lots + 1):
        if lot := left[-at_once:]:
            del left[-at_once:]
            yield lot
            lot.clear()
        # By the clock, or what each lot takes would add up.
        await asyncio.sleep(began + seconds * number / lots - loop.time())

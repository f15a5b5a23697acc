"""When a serving process looks for cyclic garbage.

A move makes records that are kept, or freed as soon as nothing names them, and
hardly a cycle. With Python's defaults the search for cycles takes an eighth of a
busy server's time; with fewer but larger searches everybody waits for each,
some microseconds for every object looked at. So only what is young is looked at, a
little at a time, and all of it once so much has grown old that it may matter.
"""

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator


_YOUNG = 1_000
_NEVER = 1_000_000_000
# Once so many objects have outlived a search, all are looked at.
_MANY = 4_000_000
_LOOK_S = 10.0


@contextlib.asynccontextmanager
async def rarely_collected() -> AsyncIterator[None]:
    """What is there now stays, and is not searched; the block makes few cycles."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _NEVER, _NEVER)
    looking = asyncio.create_task(_collect_in_time(), name="collect")
    try:
        yield
    finally:
        looking.cancel()
        gc.set_threshold(*before)
        gc.unfreeze()


def is_due() -> bool:
    """Whether so many objects have grown old that all are to be looked at."""
    searches = gc.get_count()[1]
    return searches * _YOUNG >= _MANY


async def _collect_in_time() -> None:
    while True:
        await asyncio.sleep(_LOOK_S)
        if is_due():
            gc.collect()

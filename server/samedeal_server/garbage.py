"""When a serving process looks for cyclic garbage.

A move makes records that are kept, or freed as soon as nothing names them, and no
cycle; a connection that ends and a race that is let go of undo theirs, for by then
they are old. With Python's defaults the search for cycles takes an eighth of a busy
server's time. Rare searches take less, but everybody waits while they last, a tenth of
a microsecond for every object looked at; and Python does not count what it will look
at, only what was made less what was freed, however old. So the young are looked at by
the clock, as often as keeps a search short, and all objects rarely, for a cycle that
nobody has thought of.
"""

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator


# A search of what is young should take so long.
_AIM_S = 0.000_5
_SOONEST_S, _LATEST_S = 0.01, 0.5
# So often all objects are looked at.
_ALL_S = 600.0


@contextlib.asynccontextmanager
async def rarely_collected() -> AsyncIterator[None]:
    """What is there now stays, and is not searched; the block makes few cycles."""
    gc.collect()
    gc.freeze()
    gc.disable()
    looking = asyncio.create_task(_collect_in_time(), name="collect")
    try:
        yield
    finally:
        looking.cancel()
        gc.enable()
        gc.unfreeze()


async def _collect_in_time() -> None:
    pause_s, all_s = _LATEST_S, time.monotonic()
    while True:
        await asyncio.sleep(pause_s)
        if time.monotonic() - all_s >= _ALL_S:
            gc.collect()
            all_s = time.monotonic()
        else:
            pause_s = next_pause(pause_s, _young_searched_s())


def next_pause(pause_s: float, took_s: float) -> float:
    """How long to wait for the next search of the young, after one that was made
    `pause_s` after the one before it and took `took_s`."""
    fitting = pause_s * _AIM_S / max(took_s, 1e-6)
    return min(max(fitting, _SOONEST_S), _LATEST_S)


def _young_searched_s() -> float:
    began = time.perf_counter()
    gc.collect(0)
    return time.perf_counter() - began

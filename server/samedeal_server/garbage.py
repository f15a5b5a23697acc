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
# So often at most all objects are looked at, and for so small a share of the time.
_ALL_S = 600.0
_SHARE = 1 / 2000


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
    pause_s = _LATEST_S
    due_s = time.monotonic() + _ALL_S
    while True:
        await asyncio.sleep(pause_s)
        if time.monotonic() >= due_s:
            due_s = time.monotonic() + max(_ALL_S, _searched_s(2) / _SHARE)
        else:
            pause_s = next_pause(pause_s, _searched_s(0))


def next_pause(pause_s: float, took_s: float) -> float:
    """How long to wait for the next search of the young, after one that was made
    `pause_s` after the one before it and took `took_s`."""
    fitting = pause_s * _AIM_S / max(took_s, 1e-6)
    return min(max(fitting, _SOONEST_S), _LATEST_S)


def _searched_s(generation: int) -> float:
    began = time.perf_counter()
    gc.collect(generation)
    return time.perf_counter() - began

"""When a serving process looks for cyclic garbage.

A move makes records that are kept, or freed as soon as nothing names them, and no
cycle; a connection that ends and a race that is let go of undo theirs, for by then
they are old. With Python's defaults the search for cycles takes an eighth of a busy
server's time. Rare searches take less, but everybody waits while they last, a tenth of
a microsecond for every object looked at; and Python does not count what it will look
at, only what was made less what was freed, however old. So the young are looked at by
the clock, as often as keeps a search short; where that would be too often, as many are
passed over as keeps the searches cheap. All objects are looked at rarely, for a cycle
that nobody has thought of, or that was passed over, and when there are many times as many.
"""

import asyncio
import contextlib
import gc
import sys
import time
from collections.abc import AsyncIterator


# A search of what is young should take so long.
_AIM_S = 0.000_5
_SOONEST_S, _LATEST_S = 0.01, 0.5
_YOUNG_SHARE = 1 / 100
# So often at most all objects are looked at, and for so small a share of the time.
_ALL_S = 600.0
_SHARE = 1 / 2000
# Sooner where memory in use has become so many times what it was, and by so many blocks
# (some 200 MB) more: everybody waits for such a search, a tenth of a microsecond an object.
_TIMES, _GROWN = 4, 2_000_000
_LOOK_S = 1.0


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
    all_of_them = _All()
    while True:
        await asyncio.sleep(pause_s)
        if all_of_them.are_due(time.monotonic()):
            all_of_them.search()
            continue
        took_s = _searched_s(0)
        pause_s = next_pause(pause_s, took_s)
        rest_s = took_s / _YOUNG_SHARE - pause_s
        if rest_s > 0:
            await asyncio.sleep(rest_s)
            gc.freeze()  # Passes over what was made meanwhile, at no cost.


class _All:
    """When all objects are looked at."""

    def __init__(self) -> None:
        self._due_s = time.monotonic() + _ALL_S
        self._look_s = 0.0
        self._blocks = sys.getallocatedblocks()

    def are_due(self, now_s: float) -> bool:
        """Whether it is time, or memory has grown too much to wait for that."""
        if now_s >= self._due_s:
            return True
        if now_s < self._look_s:
            return False
        self._look_s = now_s + _LOOK_S
        return sys.getallocatedblocks() > _TIMES * self._blocks + _GROWN

    def search(self) -> None:
        """Look at all, also at what was passed over."""
        gc.unfreeze()
        took_s = _searched_s(2)
        gc.freeze()
        self._due_s = time.monotonic() + max(_ALL_S, took_s / _SHARE)
        self._blocks = sys.getallocatedblocks()


def next_pause(pause_s: float, took_s: float) -> float:
    """How long to wait for the next search of the young, after one that was made
    `pause_s` after the one before it and took `took_s`."""
    fitting = pause_s * _AIM_S / max(took_s, 1e-6)
    return min(max(fitting, _SOONEST_S), _LATEST_S)


def _searched_s(generation: int) -> float:
    began = time.perf_counter()
    gc.collect(generation)
    return time.perf_counter() - began

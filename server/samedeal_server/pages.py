"""The heap of a serving process in large pages, on Linux.

A busy server touches its heap all over, and with pages of 4 KiB the processor looks
up where they are all the time, through two tables in a virtual machine. In pages of
2 MiB a move took 0.95 of the CPU (forty bursts by turns, all of the heap asked for;
on a noisy machine the difference does not show). Most systems give these only to who
asks (`madvise` in /sys/kernel/mm/transparent_hugepage/enabled), which Python does
not. So what has become full is put together here, from time to time, piece by piece
and in a thread: the kernel copies it (MADV_COLLAPSE, since Linux 6.1). About half of
a small heap can be: mappings begin and end where they like.

Only what is nearly full is put together, so that the process takes a seventh more
memory at the very most, and stacks and what is kept in reserve stay as they are. Where
the kernel cannot or may not (`never`), nothing happens.
"""

import asyncio
import contextlib
import ctypes
import errno
import logging
import mmap
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from samedeal_server.spread import spread


logger = logging.getLogger(__name__)

_THP = Path("/sys/kernel/mm/transparent_hugepage")
_MAPS = Path("/proc/self/maps")
_STATM = Path("/proc/self/statm")
_MADV_COLLAPSE = 25

_LOOK_S = 5.0
# Not before so many bytes more are in use.
_GROWN = 8 << 20
_FULL = 7 / 8
# The process waits while the kernel copies: 1 to 3 ms in a virtual machine, once for
# each large page. So it is one now and then.
_EACH_S = 0.2


@contextlib.asynccontextmanager
async def in_large_pages() -> AsyncIterator[None]:
    """What this process has in memory moves to large pages while the block runs."""
    looking = asyncio.create_task(_join_in_time(), name="pages")
    try:
        yield
    finally:
        looking.cancel()


async def _join_in_time() -> None:
    try:
        if not is_allowed():
            return
        pages, known = LargePages(), 0
        while True:
            if (now := in_use()) - known < _GROWN:
                await asyncio.sleep(_LOOK_S)
                continue
            known = now
            full = await asyncio.to_thread(pages.full)
            async for [place] in spread(full, 1, _EACH_S * len(full)):
                await asyncio.to_thread(pages.join, place)
            await asyncio.sleep(_LOOK_S)
    except Exception as error:  # noqa: BLE001 (nothing depends on it)
        logger.info("The heap stays in small pages: %s", error)


def is_allowed() -> bool:
    """Whether the system has large pages for who asks."""
    try:
        return "[never]" not in (_THP / "enabled").read_text()
    except OSError:  # Not Linux, or one without.
        return False


def in_use() -> int:
    """Bytes of this process in memory."""
    return int(_STATM.read_text().split()[1]) * mmap.PAGESIZE


class LargePages:
    """Of this process.

    Raises:
        OSError: the system has none.
    """

    def __init__(self) -> None:
        self._size = int((_THP / "hpage_pmd_size").read_text())
        libc = ctypes.CDLL(None, use_errno=True)
        self._madvise, self._mincore = libc.madvise, libc.mincore
        self._madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        self._mincore.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
        self._done: set[int] = set()
        self._in_memory = ctypes.create_string_buffer(self._size // mmap.PAGESIZE)

    def full(self) -> list[int]:
        """Where a large page could take the place of small ones that are in use."""
        size = self._size
        places: set[int] = set()
        for first, end in anonymous(_MAPS.read_text().splitlines()):
            places.update(range(-(-first // size) * size, end - size + 1, size))
        self._done &= places  # The rest has been given back.
        return [place for place in sorted(places - self._done) if self._is_full(place)]

    def join(self, place: int) -> None:
        """Put it together, where it still is and there is a large page to be had."""
        failed = self._madvise(place, self._size, _MADV_COLLAPSE)
        # There may be one later, but not if this cannot be done at all.
        if not failed or ctypes.get_errno() == errno.EINVAL:
            self._done.add(place)

    def _is_full(self, place: int) -> bool:
        if self._mincore(place, self._size, self._in_memory):
            return False  # Given back meanwhile.
        return self._in_memory.raw.count(1) >= _FULL * len(self._in_memory)


def anonymous(maps: Iterable[str]) -> list[tuple[int, int]]:
    """From lines of /proc/PID/maps: where data is that belongs to no file."""
    found: list[tuple[int, int]] = []
    for line in maps:
        where, rights, _, _, _, *name = line.split(maxsplit=5)
        if rights == "rw-p" and name in ([], ["[heap]"]):
            first, end = where.split("-")
            found.append((int(first, 16), int(end, 16)))
    return found

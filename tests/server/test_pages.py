"""A process with much in memory has it in large pages soon, and no more of it."""

import asyncio
import json
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from samedeal_server import pages


MIB = 1 << 20

kernel = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
needs_large_pages = pytest.mark.skipif(
    not pages.is_allowed() or kernel < (6, 1),
    reason="this system gives no large pages, or puts none together",
)

# It says how much it has in memory, and in large pages, before and after; then with a
# reservation, a page of each large one touched, and a thread's stack.
PROCESS = """
import asyncio, json, mmap, threading
from samedeal_server import pages

def now():
    lines = open("/proc/self/smaps_rollup").read().splitlines()[1:]
    kib = {name: int(rest.split()[0]) for name, rest in (l.split(":") for l in lines)}
    return kib["Rss"], kib["AnonHugePages"]

async def main():
    pages._LOOK_S, pages._EACH_S = 0.05, 0.001
    kept = [[number] for number in range(600_000)]
    reserved = mmap.mmap(-1, 64 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    reserved[:: 2 << 20] = b"x" * 32
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    said = [now()]
    async with pages.in_large_pages():
        while now()[1] < 16 * 1024:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)  # Time enough for what is not to be.
    said.append(now())
    assert all(kept[number] == [number] for number in range(len(kept)))
    done.set()
    print(json.dumps(said))

asyncio.run(main())
"""


@needs_large_pages
def test_what_is_in_use_moves_to_large_pages_and_nothing_else() -> None:
    said = subprocess.run(
        [sys.executable, "-c", PROCESS], stdout=subprocess.PIPE, check=True, timeout=60
    )
    (before, large_before), (after, large) = json.loads(said.stdout)
    assert large_before == 0
    assert large >= 16 * 1024
    assert after < before * 8 / 7


@needs_large_pages
def test_what_was_put_together_is_left_alone() -> None:
    large = pages.LargePages()
    kept = [[number] for number in range(200_000)]
    full = large.full()
    assert full
    assert all(place % (2 * MIB) == 0 for place in full)
    for place in full:
        large.join(place)
    assert not set(full) & set(large.full())
    assert kept[-1] == [199_999]


@needs_large_pages
def test_what_is_gone_harms_nobody() -> None:
    large = pages.LargePages()
    for nowhere in (0, 1 << 46):
        large.join(nowhere)
        assert nowhere not in large.full()


def test_only_data_of_no_file_counts() -> None:
    maps = """\
00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/dbus-daemon
00651000-00652000 rw-p 00051000 08:02 173521      /usr/bin/dbus-daemon
00e03000-02e24000 rw-p 00000000 00:00 0           [heap]
7fa000000000-7fa000600000 rw-p 00000000 00:00 0 \n\
7fa000600000-7fa000601000 ---p 00000000 00:00 0 \n\
7fa000700000-7fa000800000 rw-s 00000000 00:01 5   /dev/zero (deleted)
7fa000900000-7fa000a00000 r--p 00000000 00:00 0 \n\
7fffb2c0d000-7fffb2c2e000 rw-p 00000000 00:00 0   [stack]
"""
    assert pages.anonymous(maps.splitlines()) == [
        (0xE03000, 0x2E24000),
        (0x7FA000000000, 0x7FA000600000),
    ]


@pytest.mark.parametrize("says", ["always madvise [never]\n", None])
async def test_a_system_without_them_is_left_in_peace(
    says: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if says is not None:
        (tmp_path / "enabled").write_text(says)
    monkeypatch.setattr(pages, "_THP", tmp_path)
    monkeypatch.setattr(pages, "LargePages", None)
    assert not pages.is_allowed()
    async with pages.in_large_pages():
        await asyncio.gather(
            *(t for t in asyncio.all_tasks() if t.get_name() == "pages")
        )


async def test_trouble_is_logged_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    (tmp_path / "enabled").write_text("always [madvise] never\n")
    monkeypatch.setattr(pages, "_THP", tmp_path)
    async with pages.in_large_pages():
        await asyncio.gather(
            *(t for t in asyncio.all_tasks() if t.get_name() == "pages")
        )
    assert "The heap stays in small pages" in caplog.text

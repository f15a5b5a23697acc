import asyncio

import pytest
from tests.clients.python import peer

from samedeal import FellBehind, Replaced
from samedeal.feed import Updates
from samedeal.mirror import RaceUpdate
from samedeal_protocol.updates import Progress


def progress(seat: int, turn: int) -> Progress:
    return Progress(
        race=peer.RACE, seat=seat, turn=turn, left=0, status="playing", elapsed_ms=0
    )


async def drained(feed: Updates) -> list[RaceUpdate]:
    return [update async for update in feed]


async def test_updates_come_in_order_and_end() -> None:
    feed = Updates(10, None)
    told: list[RaceUpdate] = [peer.race_info(), peer.view(), progress(1, 1)]
    for update in told:
        feed.put(update)
    feed.end()
    feed.put(progress(1, 2))
    assert await drained(feed) == told


async def test_a_reader_is_woken_by_what_comes() -> None:
    feed = Updates(10, None)
    reading = asyncio.create_task(drained(feed))
    await asyncio.sleep(0)
    feed.put(peer.view())
    await asyncio.sleep(0)
    feed.end()
    assert await reading == [peer.view()]


async def test_what_waits_is_read_before_the_error() -> None:
    feed = Updates(10, None)
    feed.put(peer.view())
    feed.end(Replaced("Gone."))
    assert await anext(feed) == peer.view()
    with pytest.raises(Replaced):
        await anext(feed)


async def test_overflow_keeps_the_newest_of_each_seat_and_every_patch() -> None:
    feed = Updates(7, None)
    feed.put(peer.race_info(watchers=1))
    feed.put(progress(1, 1))
    feed.put(peer.patch(0, 1))
    feed.put(progress(2, 1))
    feed.put(progress(1, 2))
    feed.put(peer.race_info(watchers=2))
    feed.put(peer.patch(1, 2))
    feed.put(progress(1, 3))
    feed.end()
    assert await drained(feed) == [
        peer.patch(0, 1),
        progress(2, 1),
        peer.race_info(watchers=2),
        peer.patch(1, 2),
        progress(1, 3),
    ]


async def test_patches_that_nobody_reads_end_the_feed_by_name() -> None:
    feed = Updates(3, None)
    for turn in range(10):
        feed.put(peer.patch(turn, turn + 1))
    for turn in range(4):
        assert await anext(feed) == peer.patch(turn, turn + 1)
    with pytest.raises(FellBehind):
        await anext(feed)


async def test_two_readers_at_once_are_a_mistake() -> None:
    feed = Updates(3, None)
    first = asyncio.create_task(anext(feed))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="being read already"):
        await anext(feed)
    feed.put(peer.view())
    assert await first == peer.view()

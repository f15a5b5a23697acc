import asyncio

import pytest
from tests.clients.python import peer

from samedeal import NotInRace, SamedealError
from samedeal.mirror import Mirror, RaceUpdate
from samedeal.tracker import Tracker


class Asked:
    """A tracker, and how often it asked for a sync."""

    def __init__(self) -> None:
        self.syncs = 0
        self.tracker = Tracker(Mirror(peer.RACE, peer.PLAYER), self._sync)

    def _sync(self, tracker: Tracker) -> None:
        assert tracker is self.tracker
        self.syncs += 1


@pytest.fixture
def asked() -> Asked:
    return Asked()


def test_a_sync_is_asked_for_once_until_it_is_answered(asked: Asked) -> None:
    tracker = asked.tracker
    tracker.see(peer.race_info())
    tracker.see(peer.view())
    tracker.see(peer.patch(5, 6))
    tracker.see(peer.patch(6, 7))
    tracker.sync()
    assert asked.syncs == 1
    tracker.see(peer.race_info())
    tracker.synced()
    tracker.see(peer.view(turn=7))
    tracker.see(peer.patch(8, 9))
    assert asked.syncs == 2


async def test_whoever_waits_is_woken_when_it_holds(asked: Asked) -> None:
    waiting = asyncio.ensure_future(asked.tracker.until(lambda known: known.started))
    await asyncio.sleep(0)
    asked.tracker.see(peer.race_info("countdown"))
    await asyncio.sleep(0)
    assert not waiting.done()
    asked.tracker.see(peer.race_info("racing"))
    asked.tracker.see(peer.view())
    await waiting


async def test_at_the_end_whoever_waits_fails(asked: Asked) -> None:
    waiting = asyncio.ensure_future(asked.tracker.until(lambda known: known.started))
    await asyncio.sleep(0)
    asked.tracker.end(NotInRace("Gone."))
    with pytest.raises(NotInRace):
        await waiting
    with pytest.raises(NotInRace):
        await anext(asked.tracker.updates(10))


async def test_at_a_quiet_end_reading_just_ends(asked: Asked) -> None:
    reading = asked.tracker.updates(10)
    asked.tracker.end(NotInRace("Gone."), quietly=True)
    assert [update async for update in reading] == []


async def test_every_reader_is_told_everything_until_the_race_is_complete(
    asked: Asked,
) -> None:
    tracker = asked.tracker
    readers = [tracker.updates(10), tracker.updates(10)]
    told: list[RaceUpdate] = [
        peer.race_info(),
        peer.view(),
        peer.race_info("ended", seats=[peer.seat_info(place=1)]),
        peer.view(),
    ]
    for update in told:
        tracker.see(update)
    for reader in readers:
        assert [update async for update in reader] == told
    later = tracker.updates(10)
    tracker.see(told[2])
    assert await anext(later) == told[2], "A rematch is told to who reads on."


def test_who_has_no_seat_any_more_is_out(asked: Asked) -> None:
    asked.tracker.see(peer.race_info("lobby"))
    asked.tracker.see(peer.race_info("lobby", seats=[]))
    assert isinstance(asked.tracker.error, NotInRace)
    asked.tracker.revive()
    asked.tracker.see(peer.race_info("lobby"))
    assert asked.tracker.error is None


def test_a_watcher_never_had_one(asked: Asked) -> None:
    asked.tracker.watch()
    asked.tracker.see(peer.race_info("lobby", seats=[]))
    assert asked.tracker.error is None


def test_acting_waits_for_the_board_to_be_current(asked: Asked) -> None:
    acted: list[SamedealError | None] = []
    tracker = asked.tracker
    tracker.when_current(acted.append)
    assert acted == [None]
    tracker.see(peer.race_info())
    tracker.sync()
    tracker.when_current(acted.append)
    tracker.synced()
    assert acted == [None]
    tracker.see(peer.view())
    assert acted == [None, None]
    tracker.sync()
    tracker.when_current(acted.append)
    gone = NotInRace("Gone.")
    tracker.end(gone)
    assert acted == [None, None, gone]

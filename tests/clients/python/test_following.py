import asyncio
from collections.abc import Callable

import pytest
from msgspec import UNSET
from tests.clients.python import peer

from samedeal.errors import Internal, NoAnswer, NotInRace, SamedealError, UnknownRace
from samedeal.following import Following
from samedeal.requests import Answer
from samedeal_protocol.commands import Lobby, Sync, Watch
from samedeal_protocol.settings import RaceSettings
from samedeal_protocol.updates import Joined, Pong


Sent = tuple[Sync | Watch, Callable[[Answer], None], Callable[[SamedealError], None]]


class Sends:
    """Following, and what it sent."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.following = Following(self._send)

    def _send(
        self,
        command: Sync | Watch,
        settle: Callable[[Answer], None],
        fail: Callable[[SamedealError], None],
    ) -> None:
        self.sent.append((command, settle, fail))

    def watch(self, **info: object) -> None:
        self.held = self.following.show(
            peer.race_info(seats=[], **info), Watch(code="ABCDEF"), peer.PLAYER
        )


@pytest.fixture
def sends() -> Sends:
    return Sends()


def test_a_seat_is_followed_and_nothing_that_was_not_asked_for(sends: Sends) -> None:
    following = sends.following
    assert following.show(peer.race_info(), None, peer.PLAYER) is None
    assert following.show(Pong(now_ms=1), Lobby(), peer.PLAYER) is None
    joined = Joined(race=peer.RACE, code="ABCDEF", seat=0)
    tracker = following.show(joined, None, peer.PLAYER)
    assert tracker is not None
    assert following.show(peer.race_info(), None, peer.PLAYER) is tracker
    assert following.get(peer.RACE) is tracker
    assert following.get(None) is None


def test_a_new_connection_syncs_what_is_played(sends: Sends) -> None:
    tracker = sends.following.follow(peer.RACE, peer.PLAYER)
    tracker.sync()
    assert not sends.sent, "Without a connection there is nothing to send on."
    sends.following.connected()
    tracker.see(peer.race_info())
    tracker.see(peer.view(turn=3))
    sends.following.disconnected()
    sends.following.connected()
    assert [sent[0] for sent in sends.sent] == [
        Sync(race=peer.RACE, turn=UNSET),
        Sync(race=peer.RACE, turn=3),
    ]


def test_a_new_connection_leaves_alone_what_is_over(sends: Sends) -> None:
    over = sends.following.follow(peer.RACE, peer.PLAYER)
    over.see(peer.race_info("ended", seats=[]))
    lost = sends.following.follow("b" * 16, peer.PLAYER)
    lost.end(NotInRace("Gone."))
    sends.following.connected()
    assert not sends.sent


@pytest.mark.parametrize(
    ("is_open", "command"),
    [(True, Watch(race=peer.RACE)), (False, Watch(code="ABCDEF"))],
)
def test_a_new_connection_watches_what_is_watched(
    sends: Sends, is_open: bool, command: Watch
) -> None:
    sends.watch(settings=RaceSettings(open=is_open))
    sends.following.connected()
    assert [sent[0] for sent in sends.sent] == [command]


@pytest.mark.parametrize("error", [NotInRace("Gone."), UnknownRace("Gone.")])
def test_a_race_that_is_gone_is_over(sends: Sends, error: SamedealError) -> None:
    tracker = sends.following.follow(peer.RACE, peer.PLAYER)
    sends.following.connected()
    sends.sent[0][2](error)
    assert tracker.error is error


async def test_trouble_with_a_sync_is_no_end(
    sends: Sends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("samedeal.following._SYNC_RETRY", 0.0)
    tracker = sends.following.follow(peer.RACE, peer.PLAYER)
    sends.following.connected()
    sends.sent[0][2](Internal("Oh."))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(sends.sent) == 2
    sends.sent[1][2](NoAnswer("Cut."))
    assert len(sends.sent) == 2
    assert tracker.error is None

"""What time brings about: the limit, old lobbies, seats that nobody comes back to."""

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.raw import Message, Raw
from tests.server.conftest import Arrive, Connect
from tests.server.past import add, lobby_since, started_since
from tests.server.scenes import WINNING, let_pass, opened, play, seat_of, started

from samedeal_protocol import events
from samedeal_server.app import App
from samedeal_server.hub import clockwork
from samedeal_server.race import schedule
from samedeal_server.race.model import Race
from samedeal_server.service import people
from samedeal_server.store import Store


LIMIT_MS = 10_000


async def the_end(player: Raw, race: str) -> Message:
    """The last `race` of a race that ends by itself."""
    return await player.until("race", race=race, phase="ended")


# The time limit.


async def test_the_limit(arrive: Arrive, store: Store) -> None:
    ada, bob, wes = await arrive("Ada"), await arrive("Bob"), await arrive("Wes")
    race = await started_since(LIMIT_MS - 800, store, ada, bob, open=True)
    for player in (ada, bob):
        await player.ask("sync", race=race)
    await wes.ask("watch", race=race)
    moved = await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    assert moved["status"] == "playing"
    for player, seat, turn, left in ((ada, 0, 1, 50), (bob, 1, 0, 52)):
        patch = await player.until("patch", status="timed_out")
        assert patch == {
            "type": "patch",
            "race": race,
            "seat": seat,
            "from": turn,
            "turn": turn,
            "turns": [],
            "piles": {},
            "left": left,
            "status": "timed_out",
            "elapsed_ms": LIMIT_MS,
        }
    for player, others in ((ada, {1}), (bob, {0}), (wes, {0, 1})):
        info = await the_end(player, race)
        for seat in others:
            late = await player.until("progress", seat=seat, status="timed_out")
            assert late["elapsed_ms"] == LIMIT_MS
        assert [seat["status"] for seat in info["seats"]] == ["timed_out"] * 2
        assert [seat["elapsed_ms"] for seat in info["seats"]] == [LIMIT_MS] * 2
        assert [seat["place"] for seat in info["seats"]] == [1, 2]
        for seat in (0, 1):
            await player.until("view", seat=seat)
    for turn, moves in ((1, ["t0+t99"]), (1, WINNING.moves[1:2])):
        assert await ada.refused("move", race=race, turn=turn, moves=moves) == (
            "finished"
        )
    assert await ada.refused("resign", race=race) == "finished"


async def test_whoever_is_done_is_not_timed_out(arrive: Arrive, store: Store) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await started_since(LIMIT_MS - 700, store, ada, bob, cleo)
    for player in (ada, bob, cleo):
        await player.ask("sync", race=race)
    won = await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    await bob.ask("resign", race=race)
    info = await the_end(cleo, race)
    statuses = [seat["status"] for seat in info["seats"]]
    assert statuses == ["won", "resigned", "timed_out"]
    assert seat_of(info, 0)["elapsed_ms"] == won["elapsed_ms"] < LIMIT_MS
    # Both never moved: nothing but that counts between them.
    assert [seat["place"] for seat in info["seats"]] == [1, 2, 2]


async def test_a_resend_past_the_limit(arrive: Arrive, store: Store) -> None:
    ada = await arrive("Ada")
    race = await started_since(LIMIT_MS - 700, store, ada)
    await ada.ask("sync", race=race)
    await play(ada, race, WINNING.moves[:2])
    await the_end(ada, race)
    patch = await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    assert (patch["turn"], patch["status"]) == (2, "timed_out")


async def test_past_the_limit_before_the_log_says_so(
    arrive: Arrive, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(race: Race, now: int, away: schedule.Away) -> None:
        """Nothing is ever due."""

    monkeypatch.setattr(clockwork, "due", nothing)
    ada = await arrive("Ada")
    race = await started_since(LIMIT_MS - 700, store, ada, undo=True)
    await ada.ask("sync", race=race)
    await play(ada, race, WINNING.moves[:1])
    await let_pass(ada, 800)
    again = await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    assert (again["type"], again["status"]) == ("patch", "playing")
    for moves, code in (
        (WINNING.moves[1:2], "finished"),
        (["t0+t99"], "finished"),
        (["nonsense"], "bad_move"),
    ):
        assert await ada.refused("move", race=race, turn=1, moves=moves) == code
    assert await ada.refused("undo", race=race, turn=1) == "finished"
    assert await ada.refused("resign", race=race) == "finished"
    assert (await ada.ask("sync", race=race))["phase"] == "racing"


async def test_undo_past_the_limit(arrive: Arrive, store: Store) -> None:
    ada = await arrive("Ada")
    race = await started_since(LIMIT_MS - 700, store, ada, undo=True)
    await ada.ask("sync", race=race)
    await play(ada, race, WINNING.moves[:1])
    await the_end(ada, race)
    assert await ada.refused("undo", race=race, turn=1) == "finished"


async def test_all_nodes_were_down_past_the_limit(arrive: Arrive, store: Store) -> None:
    """The race ends all the same; elapsed is the limit, not when it was noticed."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started_since(60_000, store, ada, bob)
    await add(
        store,
        race,
        59_000,
        events.Moved(seat=1, turn=0, moves=tuple(WINNING.moves[:1])),
    )
    # Seen to before the race is shown to anybody.
    info = await ada.ask("sync", race=race)
    assert info["phase"] == "ended"
    assert [seat["elapsed_ms"] for seat in info["seats"]] == [LIMIT_MS] * 2
    assert [seat["place"] for seat in info["seats"]] == [2, 1]


@pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)
async def test_a_race_that_nobody_asks_for_ends_too(
    arrive: Arrive, store: Store
) -> None:
    """By the sweep; there is no other way that any server would look at it."""
    ada = await arrive("Ada")
    race = await started_since(60_000, store, ada)
    logged = 3
    while logged < 5:
        await ada.ask("ping")
        logged = await store.log.length(race)
    info = await ada.ask("sync", race=race)
    assert info["phase"] == "ended"
    assert seat_of(info, 0)["status"] == "timed_out"


async def test_a_start_that_is_due(arrive: Arrive, store: Store) -> None:
    """The countdown began on a node that is gone."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started_since(-600, store, ada, bob, countdown_ms=3000)
    info = await ada.ask("sync", race=race)
    assert info["phase"] == "countdown"
    # The log's clock as a node knows it is a little behind.
    assert 0 < info["starts_in_ms"] <= 1000
    await ada.until("race", race=race, phase="racing")
    assert (await ada.until("view"))["piles"] == WINNING.start["piles"]


# Old lobbies.


async def test_a_lobby_ends_after_half_an_hour(arrive: Arrive, store: Store) -> None:
    ada, bob, wes = await arrive("Ada"), await arrive("Bob"), await arrive("Wes")
    race = await lobby_since(30 * 60_000 - 700, store, ada, bob, open=True)
    for player in (ada, bob):
        await player.ask("sync", race=race)
    info = await wes.ask("watch", race=race)
    assert info["phase"] == "lobby"
    for player in (ada, bob, wes):
        info = await the_end(player, race)
        assert not any("place" in seat for seat in info["seats"])
        assert len(info["digest"]) == 64
        assert await player.rest() == []
    assert await ada.refused("ready", race=race) == "race_started"
    assert (await ada.ask("leave", race=race))["phase"] == "ended"
    assert await wes.refused("join", race=race) == "race_started"


# Seats that are left empty.


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> int:
    """A minute away is over much sooner; gives its length in ms."""
    monkeypatch.setattr(schedule, "AWAY_MS", 600)
    monkeypatch.setattr(people, "AWAY_MS", 600)
    return 600


@pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)
class TestAway:
    async def test_the_seat_is_freed_in_the_lobby(
        self, arrive: Arrive, hasty: int
    ) -> None:
        ada, bob = await arrive("Ada"), await arrive("Bob")
        await opened(ada, bob)
        await bob.vanish()
        gone = await ada.until("race")
        assert seat_of(gone, 1)["connected"] is False
        info = await ada.until("race")
        assert [seat["seat"] for seat in info["seats"]] == [0]

    async def test_whoever_comes_back_keeps_the_seat(
        self, arrive: Arrive, connect: Connect, server: App, hasty: int
    ) -> None:
        ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
        race = await opened(ada, bob, cleo)
        await bob.vanish()
        await cleo.vanish()
        back = await connect(server, token=bob.token)
        info = await ada.until("race")
        while len(info["seats"]) == 3:
            info = await ada.until("race")
        assert [seat["seat"] for seat in info["seats"]] == [0, 1]
        assert seat_of(info, 1)["connected"] is True
        assert (await back.ask("sync", race=race))["type"] == "race"

    async def test_the_last_one_gone_ends_it(self, arrive: Arrive, hasty: int) -> None:
        ada, wes = await arrive("Ada"), await arrive("Wes")
        race = await opened(ada, open=True)
        await wes.ask("watch", race=race)
        await ada.vanish()
        info = await the_end(wes, race)
        assert info["seats"] == []

    async def test_the_rest_may_be_ready(self, arrive: Arrive, hasty: int) -> None:
        ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
        race = await opened(ada, bob, cleo, countdown_ms=60_000)
        await ada.ask("ready", race=race)
        await bob.ask("ready", race=race)
        await cleo.vanish()
        info = await ada.until("race", phase="countdown")
        assert len(info["seats"]) == 2

    async def test_a_racing_seat_is_kept_until_somebody_has_won(
        self, arrive: Arrive, hasty: int
    ) -> None:
        ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
        race = await started(ada, bob, cleo)
        await play(bob, race, WINNING.moves[:1])
        await bob.vanish()
        info = await ada.until("race")
        assert seat_of(info, 1)["connected"] is False
        await let_pass(ada, 3 * hasty)
        info = await ada.ask("sync", race=race)
        assert seat_of(info, 1)["status"] == "playing"
        won = await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
        late = await ada.until("progress", seat=1, status="timed_out")
        # Elapsed is when that was logged, no limit.
        assert won["elapsed_ms"] <= late["elapsed_ms"] < 60_000
        assert (late["turn"], late["left"]) == (1, 50)
        # Who is there goes on.
        assert (await play(cleo, race, WINNING.moves[:1]))["status"] == "playing"
        await cleo.ask("resign", race=race)
        info = await the_end(ada, race)
        assert [seat["place"] for seat in info["seats"]] == [1, 2, 3]

    async def test_whoever_is_away_before_the_start_still_races(
        self, arrive: Arrive, connect: Connect, server: App, hasty: int
    ) -> None:
        ada, bob = await arrive("Ada"), await arrive("Bob")
        race = await opened(ada, bob, countdown_ms=0, **WINNING.create)
        await bob.vanish()
        await ada.ask("start", race=race)
        await ada.until("view")
        back = await connect(server, token=bob.token)
        await back.ask("sync", race=race)
        assert (await back.until("view"))["seat"] == 1


async def test_a_node_that_starts_later_finds_what_is_due(
    connect: Connect, serve: Serve, store: Store, arrive: Arrive
) -> None:
    ada = await arrive("Ada")
    race = await lobby_since(31 * 60_000, store, ada)
    node = await serve()
    other = await connect(node, token=ada.token)
    assert (await other.ask("sync", race=race))["phase"] == "ended"

"""Between the lobby and the first move: the countdown, and the start."""

import time

from tests.helpers import raw
from tests.helpers.positions import dealt
from tests.helpers.raw import Message
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import DEAD, WINNING, opened, seat_of, started

from samedeal_games import view
from samedeal_server.app import App


async def counting(host: raw.Raw, *guests: raw.Raw, ms: int = 60_000) -> str:
    """A race whose countdown has begun."""
    race = await opened(host, *guests, countdown_ms=ms, **WINNING.create)
    await host.ask("start", race=race)
    for player in (host, *guests):
        await player.rest()
    return race


async def test_the_lobby_is_closed_for_good(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await counting(ada, bob)
    assert await cleo.refused("join", race=race) == "race_started"
    for player in (ada, bob):
        for ready in (True, False):
            assert await player.refused("ready", race=race, ready=ready) == (
                "race_started"
            )
    assert await ada.refused("kick", race=race, seat=1) == "race_started"
    assert await bob.rest() == []


async def test_a_move_before_the_start(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    lobby, counting_down = await opened(ada), await counting(ada, bob)
    for race in (lobby, counting_down):
        for moves in (["t0+t1"], ["nonsense"], ["t0+t99", "t0>f"]):
            for turn in (0, 5):
                code = await ada.refused("move", race=race, turn=turn, moves=moves)
                assert code == "not_started"
        assert await ada.refused("undo", race=race, turn=0) == "not_started"
    assert await bob.rest() == []


async def test_joining_again_and_sync_give_the_race_alone(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    lobby, counting_down = await opened(ada), await counting(ada, bob)
    for race in (lobby, counting_down):
        for turn in ({}, {"turn": 0}, {"turn": 3}):
            assert (await ada.ask("sync", race=race, **turn))["type"] == "race"
            assert await ada.rest() == []
        assert (await ada.ask("join", race=race))["type"] == "joined"
        assert await ada.types() == ["race"]


async def test_leaving_in_the_countdown_is_resigning(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await counting(ada, bob)
    patch = await bob.ask("leave", race=race)
    assert patch == {
        "type": "patch",
        "re": patch["re"],
        "race": race,
        "seat": 1,
        "from": 0,
        "turn": 0,
        "turns": [],
        "piles": {},
        "left": 52,
        "status": "resigned",
        "elapsed_ms": 0,
    }
    info = await bob.until("race")
    assert seat_of(info, 1)["status"] == "resigned"
    # Nothing more is logged for a seat that is done.
    assert (await bob.ask("leave", race=race))["type"] == "race"
    progress = await ada.until("progress")
    assert (progress["seat"], progress["status"]) == (1, "resigned")
    assert await ada.rest() == []


async def test_resigning_before_any_view(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    assert await ada.refused("resign", race=await opened(ada)) == "not_started"
    race = await counting(ada, bob)
    patch = await ada.ask("resign", race=race)
    assert (patch["type"], patch["piles"], patch["status"]) == ("patch", {}, "resigned")
    again = await ada.ask("resign", race=race)
    assert {**again, "re": ""} == {**patch, "re": ""}
    assert [m["type"] for m in await bob.rest()] == ["progress"]


async def test_when_everyone_resigns_there_is_no_start(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await counting(ada, bob)
    await ada.ask("resign", race=race)
    await bob.ask("resign", race=race)
    for player in (ada, bob):
        info = await player.until("race", phase="ended")
        assert [seat["place"] for seat in info["seats"]] == [1, 1]
        assert [seat["elapsed_ms"] for seat in info["seats"]] == [0, 0]
        assert info["seed"] == WINNING.seed


async def test_at_the_start_everyone_gets_race_and_view(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada, bob, watcher = await arrive("Ada"), await arrive("Bob"), await arrive("Wes")
    race = await opened(ada, bob, countdown_ms=200, **WINNING.create)
    code = (await ada.ask("sync", race=race))["code"]
    await watcher.ask("watch", code=code)
    asked_s = time.monotonic()
    await ada.ask("start", race=race)
    for player in (ada, bob, watcher):
        info = await player.until("race", phase="racing")
        # No sooner: what came before it has no card.
        before = player.received[: player.received.index(info)]
        assert not {m["type"] for m in before} & {"view", "patch", "progress"}
        assert time.monotonic() - asked_s > 0.19
        assert info["starts_in_ms"] <= 0
        assert {seat["status"] for seat in info["seats"]} == {"playing"}
    for seat, player in enumerate((ada, bob)):
        shown = await player.until("view")
        assert shown == {
            "type": "view",
            "race": race,
            "seat": seat,
            "turn": 0,
            "piles": WINNING.start["piles"],
            "left": 52,
            "status": "playing",
            "elapsed_ms": 0,
        }
    for player in (ada, bob, watcher):
        assert all(m.get("phase") == "countdown" for m in await player.rest())


async def test_a_countdown_counts_down(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada, countdown_ms=300, **WINNING.create)
    shown = [(await ada.ask("start", race=race))["starts_in_ms"]]
    assert 0 < shown[0] <= 300
    while (info := await ada.ask("sync", race=race))["phase"] == "countdown":
        shown.append(info["starts_in_ms"])
    assert info["phase"] == "racing"
    shown.append(info["starts_in_ms"])
    assert shown == sorted(shown, reverse=True)
    assert shown[-1] <= 0 <= shown[-2]


async def test_a_seat_that_is_stuck_at_the_deal(arrive: Arrive) -> None:
    """Only a chosen seed can be; then nobody has anything to do."""
    ada = await arrive("Ada")
    race = await opened(ada, seats=1, countdown_ms=0, **DEAD.create)
    await ada.send("ready", race=race)
    shown = await ada.until("view")
    assert (shown["status"], shown["piles"]) == ("stuck", DEAD.start["piles"])
    info = await ada.until("race", phase="ended")
    assert seat_of(info, 0)["status"] == "stuck"
    assert seat_of(info, 0)["elapsed_ms"] == 0


async def test_a_race_shows_what_its_seed_deals(arrive: Arrive) -> None:
    """The same cards that any program deals from the seed told at the end."""
    ada = await arrive("Ada")
    race = await opened(ada, game="doublets", seats=1, countdown_ms=0)
    await ada.send("ready", race=race)
    shown = await ada.until("view")
    await ada.ask("resign", race=race)
    info: Message = await ada.until("race", phase="ended")
    assert shown["piles"] == view(dealt(info))


async def test_a_race_of_one(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada)
    await ada.ask("resign", race=race)
    info = await ada.until("race", phase="ended")
    assert [seat["place"] for seat in info["seats"]] == [1]

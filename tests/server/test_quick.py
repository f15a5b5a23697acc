"""Strangers meet: quick match."""

import json

import pytest
from tests.helpers import raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import DEFAULTS, let_pass, opened, seat_of, server_ms
from tests.server.test_http import get

from samedeal_server.app import App
from samedeal_server.race import schedule


async def test_the_first_waits_with_default_settings(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    joined = await ada.ask("quick", game="doublets", variant="sealed")
    assert (joined["type"], joined["seat"]) == ("joined", 0)
    info = await ada.until("race")
    assert info["settings"] == DEFAULTS
    assert (info["game"], info["variant"]) == ("doublets", "sealed")
    assert (info["chosen"], info["phase"]) == (False, "lobby")
    assert [seat["ready"] for seat in info["seats"]] == [True]


async def test_the_next_joins_whoever_waits_for_the_same(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    first = await ada.ask("quick", game="juvenile")
    await ada.rest()
    second = await bob.ask("quick", game="juvenile", variant="one-deck")
    assert (second["race"], second["seat"]) == (first["race"], 1)
    assert [m["type"] for m in await bob.rest()] == ["race"]
    info = await ada.until("race")
    assert [seat["ready"] for seat in info["seats"]] == [True, True]
    other = await cleo.ask("quick", game="juvenile", variant="two-decks")
    assert other["race"] != first["race"]


async def test_again_by_the_same_player_is_the_same_seat(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    first = await ada.ask("quick", game="juvenile")
    await bob.ask("quick", game="juvenile")
    again = await ada.ask("quick", game="juvenile")
    assert (again["race"], again["seat"]) == (first["race"], 0)
    assert len((await ada.until("race", host=0))["seats"]) <= 2


async def test_races_that_were_created_are_not_matched(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    made = await opened(ada, open=True)
    joined = await bob.ask("quick", game="juvenile")
    assert joined["race"] != made
    listed = (await ada.ask("lobby"))["races"]
    assert [entry["race"] for entry in listed] == [made]


async def test_what_is_unknown(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    assert await ada.refused("quick", game="chess") == "unknown_game"
    assert await ada.refused("quick", game="juvenile", variant="x") == "unknown_variant"


async def test_all_are_ready_and_stay_so(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = (await ada.ask("quick", game="juvenile"))["race"]
    await bob.ask("quick", game="juvenile")
    await bob.rest()
    await ada.rest()
    for ready in (False, True):
        info = await ada.ask("ready", race=race, ready=ready)
        assert (info["type"], info["phase"]) == ("race", "lobby")
        assert [seat["ready"] for seat in info["seats"]] == [True, True]
    assert await bob.rest() == []


async def test_a_full_race_begins_at_once_and_the_ninth_finds_another(
    arrive: Arrive,
) -> None:
    players = [await arrive(f"P{number}") for number in range(9)]
    races = [(await p.ask("quick", game="juvenile"))["race"] for p in players]
    assert len(set(races[:8])) == 1
    assert races[8] != races[0]
    info = await players[0].until("race", phase="countdown")
    assert len(info["seats"]) == 8
    assert info["starts_in_ms"] > 0
    alone = await players[8].until("race")
    assert len(alone["seats"]) == 1


async def test_many_at_once_meet(arrive: Arrive) -> None:
    players = [await arrive(f"P{number}") for number in range(12)]
    for player in players:
        await player.send("quick", id="q", game="simple-pairs")
    joined = [await player.answer("q") for player in players]
    assert all(message["type"] == "joined" for message in joined)
    sizes: dict[str, int] = {}
    for message in joined:
        sizes[message["race"]] = sizes.get(message["race"], 0) + 1
    assert sorted(sizes.values()) == [4, 8]


async def test_the_countdown_begins_some_time_after_the_second(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "QUICK_WAIT_MS", 300)
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = (await ada.ask("quick", game="juvenile"))["race"]
    # Alone one waits.
    await let_pass(ada, 400)
    assert (await ada.ask("sync", race=race))["phase"] == "lobby"
    paired_ms = await server_ms(ada)
    await bob.ask("quick", game="juvenile")
    await cleo.ask("quick", game="juvenile")
    info = await cleo.until("race", phase="countdown")
    assert await server_ms(ada) >= paired_ms + 300
    assert len(info["seats"]) == 3
    # Begun: a fourth finds another race.
    dora = await arrive("Dora")
    assert (await dora.ask("quick", game="juvenile"))["race"] != race


async def test_back_to_one_seat_the_wait_begins_anew(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "QUICK_WAIT_MS", 400)
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = (await ada.ask("quick", game="juvenile"))["race"]
    await bob.ask("quick", game="juvenile")
    assert (await bob.ask("leave", race=race))["phase"] == "lobby"
    await let_pass(ada, 300)
    paired_ms = await server_ms(ada)
    await cleo.ask("quick", game="juvenile")
    await cleo.until("race", phase="countdown")
    assert await server_ms(ada) >= paired_ms + 400


async def test_who_left_may_come_again(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = (await ada.ask("quick", game="juvenile"))["race"]
    await bob.ask("quick", game="juvenile")
    await bob.ask("leave", race=race)
    assert (await bob.ask("quick", game="juvenile"))["race"] == race
    await bob.ask("leave", race=race)
    await ada.ask("leave", race=race)
    # Everybody left that one: it is over, and another is made.
    again = await ada.ask("quick", game="juvenile")
    assert again["type"] == "joined" and again["race"] != race


async def test_the_log_says_that_a_race_was_quick(arrive: Arrive, server: App) -> None:
    ada = await arrive("Ada")
    race = (await ada.ask("quick", game="juvenile"))["race"]
    assert (await ada.ask("leave", race=race))["phase"] == "ended"
    log = (await get(server, f"/races/{race}/log.jsonl")).body
    created = json.loads(log.splitlines()[0])["event"]
    assert (created["quick"], created["chosen"]) == (True, False)


async def test_a_quick_race_is_joined_by_code_too(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    code = (await ada.ask("quick", game="juvenile"))["code"]
    assert (await bob.ask("join", code=code))["seat"] == 1
    assert seat_of(await bob.until("race"), 1)["ready"] is True


async def test_a_program_may_meet_people(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada = await arrive("Ada")
    robot = await connect(server, name="Robot", bot=True)
    await ada.ask("quick", game="juvenile")
    await robot.ask("quick", game="juvenile")
    info = await robot.until("race")
    assert seat_of(info, 1)["bot"] == "external"


@pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)
async def test_a_running_quick_race_does_not_hold_one(arrive: Arrive) -> None:
    """Again once it has begun: a seat in another, not an answer about the old."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = (await ada.ask("quick", game="juvenile"))["race"]
    await bob.ask("quick", game="juvenile")
    await ada.ask("start", race=race)
    again = await bob.ask("quick", game="juvenile")
    assert (again["race"], again["seat"]) == (race, 1)
    await bob.until("view", race=race)
    later = await bob.ask("quick", game="juvenile")
    assert later["race"] != race


async def test_a_quick_race_that_one_has_left_in_the_countdown(
    arrive: Arrive,
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = (await ada.ask("quick", game="juvenile"))["race"]
    await bob.ask("quick", game="juvenile")
    await ada.ask("start", race=race)
    await bob.ask("leave", race=race)
    assert (await bob.ask("quick", game="juvenile"))["race"] != race

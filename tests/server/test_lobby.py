"""Before the countdown: joining, the list of open races, ready, start, host."""

import re

from tests.helpers.raw import Raw
from tests.server.conftest import Arrive
from tests.server.scenes import NOWHERE, WINNING, opened, seat_of, started


async def test_joining_by_code_in_any_case(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada)
    code = (await ada.ask("sync", race=race))["code"]
    for number, written in enumerate((code, code.lower(), code.title()), 1):
        guest = await arrive(f"Guest {number}")
        joined = await guest.ask("join", code=written)
        assert (joined["race"], joined["code"]) == (race, code)
        assert joined["seat"] == number
        assert [message["type"] for message in await guest.rest()] == ["race"]
        info = await ada.until("race")
        assert seat_of(info, number)["player"] == guest.player


async def test_joining_again_is_the_same_seat(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob, seats=2)
    again = await bob.ask("join", race=race)
    assert (again["type"], again["seat"]) == ("joined", 1)
    assert len((await bob.until("race"))["seats"]) == 2


async def test_no_such_code(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    malformed = ("", "ABC", "ABCDEFG", "ABCDEI", "ABCDEO", "ABCDE1", "ßßß", "ABCDEＦ")
    for code in ("ABCDEF", *malformed):
        assert await ada.refused("join", code=code) == "unknown_race"
        assert await ada.refused("watch", code=code) == "unknown_race"


async def test_no_such_race(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    malformed = ("", "short", "A" * 16, "a" * 15 + "1", "a" * 17, "a" * 15 + "\n")
    for race in (NOWHERE, *malformed):
        await refuse_everything(ada, race)


async def refuse_everything(ada: Raw, race: str) -> None:
    for command in ("join", "watch", "sync", "ready", "start", "leave", "resign"):
        assert await ada.refused(command, race=race) == "unknown_race", command
    assert await ada.refused("rematch", race=race) == "unknown_race"
    assert await ada.refused("kick", race=race, seat=0) == "unknown_race"
    assert await ada.refused("undo", race=race, turn=0) == "unknown_race"
    assert (
        await ada.refused("move", race=race, turn=0, moves=["t0+t1"]) == "unknown_race"
    )


async def test_a_full_race(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, seats=2)
    assert await cleo.refused("join", race=race) == "race_full"
    assert await ada.rest() == []
    await bob.ask("leave", race=race)
    assert (await cleo.ask("join", race=race))["seat"] == 1


async def test_a_race_that_has_begun(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, countdown_ms=60_000)
    await ada.ask("start", race=race)
    assert await cleo.refused("join", race=race) == "race_started"
    running = await started(ada, bob)
    assert await cleo.refused("join", race=running) == "race_started"
    await ada.ask("resign", race=running)
    await bob.ask("resign", race=running)
    assert await cleo.refused("join", race=running) == "race_started"
    assert await cleo.rest() == []


async def test_the_lowest_free_seat_is_taken(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo)
    await bob.ask("leave", race=race)
    dora = await arrive("Dora")
    assert (await dora.ask("join", race=race))["seat"] == 1
    assert (await bob.ask("join", race=race))["seat"] == 3
    seats = (await bob.until("race"))["seats"]
    assert [seat["seat"] for seat in seats] == [0, 1, 2, 3]


async def test_names_are_made_unique(arrive: Arrive) -> None:
    long = "x" * 24
    names = ["Ada", "ADA", "ada", "Ada 2", "straße", "STRASSE", long, long.upper()]
    players = [await arrive(name) for name in names]
    race = await opened(*players)
    info = await players[0].ask("sync", race=race)
    assert [seat["name"] for seat in info["seats"]] == [
        *("Ada", "ADA 2", "ada 3", "Ada 2 2"),
        *("straße", "STRASSE 2", long, "X" * 22 + " 2"),
    ]


async def test_names_are_fixed_when_joining(arrive: Arrive) -> None:
    first, second = await arrive("Ada"), await arrive("Ada")
    race = await opened(first, second)
    await first.ask("leave", race=race)
    info = await second.until("race")
    assert seat_of(info, 1)["name"] == "Ada 2"
    await first.ask("join", race=race)
    info = await second.until("race")
    assert seat_of(info, 0)["name"] == "Ada"


async def test_the_list_of_open_races(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    assert await bob.ask("lobby", id=1) == {"type": "lobby", "re": 1, "races": []}
    await opened(ada)
    await opened(ada, open=True, **WINNING.create)
    race = await opened(ada, open=True, seats=2)
    [listed] = (await bob.ask("lobby"))["races"]
    assert re.fullmatch("[A-HJ-NP-Z]{6}", listed.pop("code"))
    assert listed == {
        "race": race,
        "game": "juvenile",
        "variant": "one-deck",
        "host": "Ada",
        "taken": 1,
        "seats": 2,
    }
    # Full, with a free seat again, and begun.
    await bob.ask("join", race=race)
    assert (await bob.ask("lobby"))["races"] == []
    await bob.ask("leave", race=race)
    assert len((await bob.ask("lobby"))["races"]) == 1
    await ada.ask("start", race=race)
    assert (await bob.ask("lobby"))["races"] == []


async def test_a_listed_race_that_everybody_left(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada, open=True)
    await ada.ask("leave", race=race)
    assert (await ada.ask("lobby"))["races"] == []


# Ready.


async def test_ready_is_told_to_everyone(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo)
    for command, now in (
        ({}, True),
        ({"ready": False}, False),
        ({"ready": True}, True),
    ):
        answer = await bob.ask("ready", race=race, **command)
        assert answer["type"] == "race"
        assert seat_of(answer, 1)["ready"] is now
        for other in (ada, cleo):
            [told] = await other.rest()
            assert told == {k: v for k, v in answer.items() if k != "re"}


async def test_ready_without_a_change_is_answered_alone(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob)
    assert (await ada.ask("ready", race=race, ready=False))["type"] == "race"
    assert await bob.rest() == []
    await ada.ask("ready", race=race)
    await bob.rest()
    assert seat_of(await ada.ask("ready", race=race), 0)["ready"] is True
    assert await bob.rest() == []


async def test_the_countdown_begins_when_all_are_ready(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo, countdown_ms=60_000)
    await ada.ask("ready", race=race)
    info = await cleo.ask("ready", race=race)
    assert info["phase"] == "lobby" and "starts_in_ms" not in info
    info = await bob.ask("ready", race=race)
    assert info["phase"] == "countdown"
    assert 50_000 < info["starts_in_ms"] <= 60_000
    assert (await ada.until("race", phase="countdown"))["starts_in_ms"] <= 60_000


async def test_one_alone_waits_for_another(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, countdown_ms=60_000)
    assert (await ada.ask("ready", race=race))["phase"] == "lobby"
    await bob.ask("join", race=race)
    assert (await bob.ask("ready", race=race))["phase"] == "countdown"


async def test_one_alone_begins_where_there_is_one_seat(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada, seats=1, countdown_ms=60_000)
    assert (await ada.ask("ready", race=race))["phase"] == "countdown"


async def test_bots_are_always_ready(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada, bots=["greedy"], countdown_ms=60_000)
    assert (await ada.ask("ready", race=race))["phase"] == "countdown"


async def test_the_countdown_begins_when_the_last_unready_leaves(
    arrive: Arrive,
) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo, countdown_ms=60_000)
    await ada.ask("ready", race=race)
    await bob.ask("ready", race=race)
    assert (await cleo.ask("leave", race=race))["phase"] == "countdown"
    assert (await ada.until("race", phase="countdown"))["host"] == 0


async def test_the_countdown_begins_when_the_last_unready_is_put_out(
    arrive: Arrive,
) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo, countdown_ms=60_000)
    await ada.ask("ready", race=race)
    await bob.ask("ready", race=race)
    assert (await ada.ask("kick", race=race, seat=2))["phase"] == "countdown"


async def test_one_who_remains_alone_waits_again(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob, countdown_ms=60_000)
    await ada.ask("ready", race=race)
    assert (await bob.ask("leave", race=race))["phase"] == "lobby"


# Start.


async def test_the_host_starts_whoever_is_ready(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob, countdown_ms=60_000)
    assert await bob.refused("start", race=race) == "not_host"
    info = await ada.ask("start", race=race)
    assert info["phase"] == "countdown"
    assert [seat["ready"] for seat in info["seats"]] == [False, False]
    assert (await bob.until("race"))["phase"] == "countdown"


async def test_the_host_starts_alone(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada, seats=8, countdown_ms=60_000)
    assert (await ada.ask("start", race=race))["phase"] == "countdown"


async def test_starting_what_has_begun(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob, countdown_ms=60_000)
    await ada.ask("start", race=race)
    await bob.rest()
    assert (await ada.ask("start", race=race))["phase"] == "countdown"
    assert await bob.rest() == []
    running = await started(ada)
    assert (await ada.ask("start", race=running))["phase"] == "racing"


async def test_the_host_is_the_lowest_person(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    robot, bob = await arrive("Robot", bot=True), await arrive("Bob")
    race = await opened(ada, bots=["greedy", "random"])
    await robot.ask("join", race=race)
    await bob.ask("join", race=race)
    await ada.ask("leave", race=race)
    # Built-in bots are in seats 1 and 2; somebody's program counts as a person.
    info = await bob.ask("sync", race=race)
    assert info["host"] == 3
    await robot.ask("leave", race=race)
    assert (await bob.ask("sync", race=race))["host"] == 4
    assert (await robot.ask("join", race=race))["seat"] == 0
    assert (await bob.ask("sync", race=race))["host"] == 0
    assert await bob.refused("start", race=race) == "not_host"


async def test_the_last_person_gone_ends_the_race(arrive: Arrive) -> None:
    ada, bob, watcher = await arrive("Ada"), await arrive("Bob"), await arrive("Wes")
    race = await opened(ada, bob, bots=["greedy"])
    code = (await ada.ask("sync", race=race))["code"]
    await watcher.ask("watch", code=code)
    await ada.ask("leave", race=race)
    # The one who has left does not count as watching.
    assert (await watcher.until("race"))["watchers"] == 1
    info = await bob.ask("leave", race=race)
    assert info["phase"] == "ended"
    [told] = [m for m in await watcher.rest() if m["type"] == "race"][-1:]
    assert told["phase"] == "ended"
    assert len(told["seed"]) == len(told["salt"]) == 32
    assert len(told["digest"]) == 64
    assert not any("place" in seat for seat in told["seats"])
    assert await ada.refused("join", race=race) == "race_started"

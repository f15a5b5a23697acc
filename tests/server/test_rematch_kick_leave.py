"""Going, being put out, and playing again."""

from typing import Any

from tests.conftest import Serve
from tests.helpers.raw import Raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import WINNING, opened, seat_of, started


# leave


async def test_leaving_the_lobby_frees_the_seat(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob)
    info = await bob.ask("leave", race=race)
    assert (info["type"], len(info["seats"])) == ("race", 1)
    [told] = await ada.rest()
    assert told == {name: value for name, value in info.items() if name != "re"}
    # It is out, and hears no more.
    await ada.ask("ready", race=race)
    assert await bob.rest() == []
    assert await bob.refused("leave", race=race) == "not_in_race"
    assert await bob.refused("ready", race=race) == "not_in_race"


async def test_leaving_makes_the_next_one_host(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo)
    await ada.ask("leave", race=race)
    assert (await bob.until("race"))["host"] == 1
    assert await cleo.refused("kick", race=race, seat=1) == "not_host"
    assert (await bob.ask("kick", race=race, seat=2))["type"] == "race"


# kick


async def test_the_host_puts_somebody_out(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo)
    info = await ada.ask("kick", race=race, seat=1)
    assert (info["type"], [seat["seat"] for seat in info["seats"]]) == ("race", [0, 2])
    for other in (bob, cleo):
        [told] = await other.rest()
        assert told == {name: value for name, value in info.items() if name != "re"}
    await ada.ask("ready", race=race)
    assert await bob.rest() == []
    # By code one may come back.
    assert (await bob.ask("join", code=info["code"]))["seat"] == 1


async def test_bots_can_be_put_out(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada, bots=["greedy", "random"])
    info = await ada.ask("kick", race=race, seat=1)
    assert [seat.get("bot") for seat in info["seats"]] == [None, "random"]


async def test_whom_one_may_not_put_out(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob)
    assert await bob.refused("kick", race=race, seat=0) == "not_host"
    assert await bob.refused("kick", race=race, seat=1) == "not_host"
    for empty in (2, 7, 8, 2**53 - 1):
        assert await ada.refused("kick", race=race, seat=empty) == "not_in_race"
    # One's own seat: the page names no code; nothing happens.
    assert (await ada.ask("kick", race=race, seat=0))["type"] == "error"
    assert await bob.rest() == []
    running = await started(ada, bob)
    assert await ada.refused("kick", race=running, seat=1) == "race_started"


# rematch


async def over(*players: Raw) -> str:
    """A race that everyone has resigned from."""
    race = await started(*players)
    for player in players:
        await player.ask("resign", race=race)
    for player in players:
        await player.until("view", seat=len(players) - 1)
        await player.rest()
    return race


async def test_the_same_again_with_a_new_deal(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    settings: dict[str, Any] = {"undo": True, "time_limit_ms": 60_000, "seats": 5}
    race = await opened(ada, bob, **settings, countdown_ms=0, **WINNING.create)
    for player in (ada, bob):
        await player.send("ready", race=race)
    for player in (ada, bob):
        await player.until("view")
        await player.ask("resign", race=race)
    old = await bob.until("race", phase="ended")
    await ada.until("view", seat=1)
    await ada.rest()
    await bob.rest()
    joined = await ada.ask("rematch", race=race)
    assert (joined["type"], joined["seat"]) == ("joined", 0)
    assert joined["race"] != race and joined["code"] != old["code"]
    info = await ada.until("race", race=joined["race"])
    assert info["settings"] == old["settings"]
    assert (info["game"], info["variant"]) == (old["game"], old["variant"])
    assert info["commitment"] != old["commitment"]
    # A fresh seed, which nobody chose.
    assert (info["phase"], info["chosen"]) == ("lobby", False)
    assert [seat["ready"] for seat in info["seats"]] == [False]
    told = await bob.until("race", race=race)
    assert told["rematch"] == joined["race"]
    # Whoever asks second joins it, and whoever asks again has the seat.
    second = await bob.ask("rematch", race=race)
    assert (second["race"], second["seat"]) == (joined["race"], 1)
    again = await ada.ask("rematch", race=race)
    assert (again["race"], again["seat"]) == (joined["race"], 0)
    assert (await ada.ask("sync", race=race))["rematch"] == joined["race"]


async def test_bots_are_seated_again(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, seats=3, bots=["greedy", "random"])
    await ada.ask("resign", race=race)
    await ada.ask("rematch", race=race)
    rematch = (await ada.ask("sync", race=race))["rematch"]
    info = await ada.ask("sync", race=rematch)
    assert [seat.get("bot") for seat in info["seats"]] == [None, "greedy", "random"]
    assert [seat["ready"] for seat in info["seats"]] == [False, True, True]


async def test_a_seat_that_is_done_need_not_wait_for_the_others(
    arrive: Arrive,
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    assert await ada.refused("rematch", race=race) == "race_started"
    await ada.ask("resign", race=race)
    joined = await ada.ask("rematch", race=race)
    assert joined["type"] == "joined"
    told = await bob.until("race", race=race)
    assert (told["phase"], told["rematch"]) == ("racing", joined["race"])
    assert await bob.refused("rematch", race=race) == "race_started"


async def test_before_the_start_there_is_nothing_to_repeat(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, countdown_ms=60_000)
    assert await ada.refused("rematch", race=race) == "not_started"
    await ada.ask("start", race=race)
    assert await ada.refused("rematch", race=race) == "not_started"
    assert await cleo.refused("rematch", race=race) == "not_in_race"


async def test_both_at_once_meet(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await over(ada, bob)
    await ada.send("rematch", id="again", race=race)
    await bob.send("rematch", id="again", race=race)
    joined = [await player.answer("again") for player in (ada, bob)]
    assert joined[0]["race"] == joined[1]["race"]
    assert {message["seat"] for message in joined} == {0, 1}


async def test_a_rematch_that_everybody_left(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await over(ada, bob)
    first = (await ada.ask("rematch", race=race))["race"]
    await ada.ask("leave", race=first)
    second = await bob.ask("rematch", race=race)
    assert (second["type"], second["seat"]) == ("joined", 0)
    assert second["race"] != first


async def test_a_rematch_that_has_begun(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await over(ada, bob, cleo)
    for player in (ada, bob):
        rematch = (await player.ask("rematch", race=race))["race"]
    await ada.ask("start", race=rematch)
    assert await cleo.refused("rematch", race=race) == "race_started"


async def test_a_rematch_of_a_rematch(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    races = [await over(ada)]
    for _ in range(2):
        race = (await ada.ask("rematch", race=races[-1]))["race"]
        await ada.ask("start", race=race)
        await ada.until("view", race=race)
        info = await ada.ask("resign", race=race)
        assert info["type"] == "patch"
        races.append(race)
    assert len(set(races)) == 3


async def test_the_rematch_is_there_after_the_fact(
    arrive: Arrive, connect: Connect, serve: Serve
) -> None:
    """Also on a node that has only just read the race."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await over(ada, bob)
    rematch = (await ada.ask("rematch", race=race))["race"]
    back = await connect(await serve(), token=bob.token)
    assert (await back.ask("sync", race=race))["rematch"] == rematch
    assert (await back.ask("join", race=rematch))["seat"] == 1
    assert seat_of(await back.until("race", race=rematch), 1)["ready"] is False

"""Coming back to a race, and looking on."""

from os.path import commonprefix
from typing import Any

from tests.conftest import Serve
from tests.helpers.raw import Message, Raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import (
    COVERED,
    NOWHERE,
    WINNING,
    opened,
    play,
    seat_of,
    started,
)


def difference(before: Message, after: Message) -> dict[str, list[Any]]:
    """The piles of a patch from one view to another, in the page's words."""
    piles: dict[str, list[Any]] = {}
    for pile, cards in after["piles"].items():
        old = before["piles"][pile]
        if old != cards:
            keep = len(commonprefix([old, cards]))
            piles[pile] = [keep, cards[keep:]]
    return piles


async def answers(player: Raw, command: str, **fields: object) -> list[Message]:
    """All that a command is answered with; the first carries its id."""
    await player.rest()
    first = await player.ask(command, **fields)
    return [first, *await player.rest()]


# sync


async def test_sync_without_a_turn_gives_a_view(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, **COVERED.create)
    await play(ada, race, COVERED.moves[:3])
    info, view = await answers(ada, "sync", race=race)
    assert (info["type"], info["phase"]) == ("race", "racing")
    assert "re" not in view
    assert (view["type"], view["seat"], view["turn"]) == ("view", 0, 3)
    assert view["left"] == COVERED.turns[2]["left"]


async def test_sync_from_every_turn_gives_what_is_missing(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, **COVERED.create)
    _, start = await answers(ada, "sync", race=race)
    boards = [start]
    for turn in range(6):
        await play(ada, race, COVERED.moves[turn : turn + 1], turn)
        boards.append((await answers(ada, "sync", race=race))[1])
    patch: Message = {}
    for turn in range(7):
        info, patch = await answers(ada, "sync", race=race, turn=turn)
        assert info["type"] == "race"
        assert (patch["type"], patch["from"], patch["turn"]) == ("patch", turn, 6)
        assert patch["turns"] == [[move] for move in COVERED.moves[turn:6]]
        assert patch["piles"] == difference(boards[turn], boards[6])
        assert patch["left"] == boards[6]["left"]
    assert patch["piles"] == {}


async def test_sync_from_a_turn_that_the_server_does_not_have(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada)
    await play(ada, race, WINNING.moves[:2])
    for turn in (3, 99, 2**53 - 1):
        _, view = await answers(ada, "sync", race=race, turn=turn)
        assert (view["type"], view["turn"]) == ("view", 2)


async def test_sync_after_the_end_gives_every_view(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    await bob.ask("resign", race=race)
    await ada.until("view", seat=1)
    for command, fields in (("sync", {}), ("sync", {"turn": 1}), ("join", {})):
        told = await answers(ada, command, race=race, **fields)
        kinds = [m["type"] for m in told if m["type"] != "joined"]
        assert kinds == ["race", "view", "view"]
        assert [view["seat"] for view in told[-2:]] == [0, 1]
        assert [view["left"] for view in told[-2:]] == [0, 52]


async def test_joining_again_while_running_gives_the_view(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await play(ada, race, WINNING.moves[:1])
    await bob.rest()
    joined, info, view = await answers(ada, "join", race=race)
    assert (joined["type"], joined["seat"]) == ("joined", 0)
    assert info["type"] == "race"
    assert (view["type"], view["seat"], view["turn"]) == ("view", 0, 1)
    code = joined["code"]
    assert [m["type"] for m in await answers(ada, "join", code=code)] == [
        *("joined", "race", "view")
    ]
    assert await bob.rest() == []


async def test_sync_without_a_seat(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, open=True)
    assert await cleo.refused("sync", race=race) == "not_in_race"
    await cleo.ask("watch", race=race)
    assert await cleo.refused("sync", race=race, turn=0) == "not_in_race"
    await bob.ask("leave", race=race)
    assert await bob.refused("sync", race=race) == "not_in_race"
    assert await bob.refused("sync", race=NOWHERE) == "unknown_race"


async def test_sync_subscribes_again(
    arrive: Arrive, connect: Connect, serve: Serve
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    node = await serve()
    back = await connect(node, token=bob.token)
    await answers(back, "sync", race=race, turn=0)
    await play(ada, race, WINNING.moves[:1])
    assert (await back.until("progress", seat=0))["turn"] == 1
    assert (await back.ask("resign", race=race))["type"] == "patch"


# watch


async def test_watching_an_open_race_by_its_id(arrive: Arrive) -> None:
    ada, bob, watcher = await arrive("Ada"), await arrive("Bob"), await arrive("Wes")
    race = await opened(ada, bob, open=True, countdown_ms=0, **WINNING.create)
    [info] = await answers(watcher, "watch", race=race)
    assert (info["type"], info["phase"], info["watchers"]) == ("race", "lobby", 1)
    for player in (ada, bob):
        await player.ask("ready", race=race)
    await watcher.until("race", phase="racing")
    await ada.until("view")
    await play(ada, race, WINNING.moves[:2])
    last = await watcher.until("progress", turn=2)
    assert (last["seat"], last["left"]) == (0, 48)
    await bob.ask("resign", race=race)
    assert (await watcher.until("progress", seat=1))["status"] == "resigned"
    kinds = {m["type"] for m in watcher.received}
    assert kinds == {"welcome", "race", "progress", "pong"}
    await ada.ask("resign", race=race)
    await watcher.until("race", phase="ended")
    views = [await watcher.until("view", seat=seat) for seat in (0, 1)]
    assert [view["left"] for view in views] == [48, 52]
    assert len([m for m in watcher.received if m["type"] == "view"]) == 2


async def test_watching_a_private_race_takes_its_code(arrive: Arrive) -> None:
    ada, watcher = await arrive("Ada"), await arrive("Wes")
    race = await opened(ada)
    assert await watcher.refused("watch", race=race) == "unknown_race"
    code = (await ada.ask("sync", race=race))["code"]
    [info] = await answers(watcher, "watch", code=code.lower())
    assert info["race"] == race
    # It stays so, though somebody watches already, and when it is over.
    assert await watcher.refused("watch", race=race) == "unknown_race"
    await ada.ask("leave", race=race)
    assert await watcher.refused("watch", race=race) == "unknown_race"


async def test_watching_what_is_over(arrive: Arrive) -> None:
    ada, watcher = await arrive("Ada"), await arrive("Wes")
    race = await started(ada, open=True)
    await ada.ask("resign", race=race)
    await ada.until("view", seat=0)
    info, view = await answers(watcher, "watch", race=race)
    assert (info["type"], info["phase"]) == ("race", "ended")
    assert info["seed"] == WINNING.seed
    assert (view["type"], view["seat"]) == ("view", 0)


async def test_watching_a_race_that_is_running_shows_no_board(arrive: Arrive) -> None:
    ada, watcher = await arrive("Ada"), await arrive("Wes")
    race = await started(ada, open=True)
    await play(ada, race, WINNING.moves[:1])
    [info] = await answers(watcher, "watch", race=race)
    assert seat_of(info, 0)["turn"] == 1


async def test_somebody_seated_gets_the_race_only(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, open=False)
    for fields in (
        {"race": race},
        {"code": (await ada.ask("sync", race=race))["code"]},
    ):
        await ada.rest()
        [info] = await answers(ada, "watch", **fields)
        assert (info["type"], info["watchers"]) == ("race", 0)
    for player in (ada, bob):
        await player.ask("resign", race=race)
    await ada.until("view", seat=1)
    [info] = await answers(ada, "watch", race=race)
    assert info["phase"] == "ended"


async def test_a_watcher_may_not_play(arrive: Arrive) -> None:
    ada, watcher = await arrive("Ada"), await arrive("Wes")
    race = await started(ada, open=True)
    await answers(watcher, "watch", race=race)
    for command, fields in (
        ("move", {"turn": 0, "moves": WINNING.moves[:1]}),
        ("undo", {"turn": 0}),
        ("resign", {}),
        ("ready", {}),
        ("start", {}),
        ("kick", {"seat": 0}),
        ("rematch", {}),
        ("sync", {}),
    ):
        code = await watcher.refused(command, race=race, **fields)
        assert code == "not_in_race", command
    assert await ada.rest() == []


async def test_a_watcher_who_leaves_hears_no_more(arrive: Arrive) -> None:
    ada, watcher = await arrive("Ada"), await arrive("Wes")
    race = await started(ada, open=True)
    await answers(watcher, "watch", race=race)
    info = await watcher.ask("leave", race=race)
    assert (info["type"], info["watchers"]) == ("race", 0)
    await play(ada, race, WINNING.moves[:1])
    await ada.ask("resign", race=race)
    await ada.until("race", phase="ended")
    assert await watcher.rest() == []
    assert await watcher.refused("leave", race=race) == "not_in_race"


async def test_a_watcher_who_takes_a_seat_watches_no_more(arrive: Arrive) -> None:
    ada, watcher = await arrive("Ada"), await arrive("Wes")
    race = await opened(ada, open=True)
    await answers(watcher, "watch", race=race)
    assert (await watcher.ask("join", race=race))["seat"] == 1
    info = await watcher.until("race")
    assert info["watchers"] == 0
    assert (await ada.until("race"))["watchers"] == 0


async def test_watching_needs_no_token(arrive: Arrive) -> None:
    ada, watcher = await arrive("Ada"), await arrive()
    race = await opened(ada, open=True)
    assert (await watcher.ask("watch", race=race))["type"] == "race"

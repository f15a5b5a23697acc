"""What was not answered is sent again: told again, never done again."""

from typing import Any

from tests.helpers.raw import Message, Raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import COVERED, WINNING, play, seat_of, started

from samedeal_server.app import App


def plain(message: Message) -> Message:
    """Without what differs from one asking to the next."""
    return {name: value for name, value in message.items() if name != "re"}


async def length(player: Raw, race: str) -> int:
    """How many turns the log has for all seats."""
    info = await player.ask("sync", race=race)
    return sum(seat["turn"] for seat in info["seats"])


async def test_a_move_again_is_the_same_patch(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    command: dict[str, Any] = {"race": race, "turn": 0, "moves": WINNING.moves[:2]}
    patch = await ada.ask("move", **command)
    await bob.rest()
    for _ in range(5):
        assert plain(await ada.ask("move", **command)) == plain(patch)
    assert await bob.rest() == []
    assert await length(bob, race) == 1


async def test_sent_many_times_before_the_answer(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    for _ in range(5):
        await ada.send("move", id=9, race=race, turn=0, moves=WINNING.moves[:1])
    patches = [await ada.answer(9) for _ in range(5)]
    assert all(patch == patches[0] for patch in patches)
    assert await length(bob, race) == 1


async def test_an_older_move_gives_all_since(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, **COVERED.create)
    await play(ada, race, COVERED.moves[:4])
    patch = await ada.ask("move", race=race, turn=1, moves=COVERED.moves[1:2])
    assert (patch["from"], patch["turn"]) == (1, 4)
    assert patch["turns"] == [[move] for move in COVERED.moves[1:4]]
    expected: dict[str, Any] = {}
    for turn in COVERED.turns[1:4]:
        expected |= turn["patch"]
    assert patch["piles"].keys() == expected.keys()
    assert patch["left"] == COVERED.turns[3]["left"]


async def test_other_content_at_an_old_turn_is_stale(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, undo=True)
    first, second, third = WINNING.moves[:3]
    await ada.ask("move", race=race, turn=0, moves=[first])
    await ada.ask("move", race=race, turn=1, moves=[second, third])
    for turn, moves in (
        (0, [second]),
        (0, [first, second]),
        (1, [second]),
        (1, [third, second]),
        (1, [first]),
        (0, ["nonsense"]),
    ):
        error = await ada.ask("move", race=race, turn=turn, moves=moves)
        assert (error["code"], error["turn"]) == ("stale_turn", 2)
    error = await ada.ask("undo", race=race, turn=1)
    assert (error["code"], error["turn"]) == ("stale_turn", 2)


async def test_an_undo_again(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, undo=True)
    await play(ada, race, WINNING.moves[:2])
    patch = await ada.ask("undo", race=race, turn=2)
    await bob.rest()
    assert plain(await ada.ask("undo", race=race, turn=2)) == plain(patch)
    assert await bob.rest() == []
    # A move at the turn of an undo is something else.
    assert await ada.refused("move", race=race, turn=2, moves=["t0+t1"]) == "stale_turn"
    await ada.ask("move", race=race, turn=3, moves=WINNING.moves[1:2])
    again = await ada.ask("undo", race=race, turn=2)
    assert (again["from"], again["turn"]) == (2, 4)
    assert again["turns"] == ["undo", WINNING.moves[1:2]]
    # The move that the undo took back, sent late: told, and not done again.
    late = await ada.ask("move", race=race, turn=1, moves=WINNING.moves[1:2])
    assert (late["from"], late["turn"]) == (1, 4)
    assert await length(bob, race) == 4


async def test_when_the_seat_is_done_meanwhile(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await play(ada, race, WINNING.moves[:1])
    await ada.ask("resign", race=race)
    patch = await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    assert (patch["type"], patch["status"]) == ("patch", "resigned")
    assert await ada.refused("move", race=race, turn=0, moves=["t0+t1"]) == "stale_turn"


async def test_when_the_race_is_over_meanwhile(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    won = await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    await bob.ask("resign", race=race)
    info = await ada.until("race", phase="ended")
    again = await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    assert plain(again) == plain(won)
    assert (await ada.ask("sync", race=race))["digest"] == info["digest"]


async def test_on_another_connection(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await ada.send("move", race=race, turn=0, moves=WINNING.moves[:1])
    await bob.until("progress", turn=1)
    await ada.vanish()
    back = await connect(server, token=ada.token)
    patch = await back.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    assert (patch["type"], patch["from"], patch["turn"]) == ("patch", 0, 1)
    assert patch["piles"] == WINNING.turns[0]["patch"]
    info = await bob.ask("sync", race=race)
    assert seat_of(info, 0)["turn"] == 1


async def test_the_id_of_a_command_is_no_part_of_it(arrive: Arrive) -> None:
    """A resend is known by its turn and content; a used id means nothing."""
    ada = await arrive("Ada")
    race = await started(ada)
    first = await ada.ask("move", id="x", race=race, turn=0, moves=WINNING.moves[:1])
    second = await ada.ask("move", id="x", race=race, turn=1, moves=WINNING.moves[1:2])
    assert (first["turn"], second["turn"]) == (1, 2)

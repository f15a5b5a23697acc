"""Taking back: what an undo undoes, what it may not, and what a stuck seat may."""

from itertools import pairwise

from tests.helpers.raw import Message
from tests.server.conftest import Arrive
from tests.server.scenes import (
    COVERED,
    SLIDING,
    STOCKED,
    STUCK,
    WINNING,
    Line,
    find,
    let_pass,
    line,
    play,
    seat_of,
    started,
)


async def test_an_undo_takes_back_the_whole_latest_list(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, undo=True)
    await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    done = await ada.ask("move", race=race, turn=1, moves=WINNING.moves[1:4])
    await bob.rest()
    back = await ada.ask("undo", race=race, turn=2)
    assert (back["type"], back["from"], back["turn"]) == ("patch", 2, 3)
    assert (back["turns"], back["left"], back["status"]) == (["undo"], 50, "playing")
    assert back["piles"].keys() == done["piles"].keys()
    progress = await bob.until("progress", turn=3)
    assert progress["left"] == 50
    # The next takes back the one before; an undo is not taken back.
    back = await ada.ask("undo", race=race, turn=3)
    assert (back["turn"], back["left"]) == (4, 52)
    assert await ada.refused("undo", race=race, turn=4) == "nothing_to_undo"
    # And on from there, to where a view says the same.
    patch = await ada.ask("move", race=race, turn=4, moves=WINNING.moves[:1])
    assert (patch["from"], patch["turn"]) == (4, 5)
    assert patch["piles"] == WINNING.turns[0]["patch"]


async def test_the_board_after_an_undo_is_the_board_before(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, undo=True, **SLIDING.create)
    await ada.send("sync", race=race)
    before = await ada.until("view")
    await play(ada, race, SLIDING.moves[:3])
    for turn in (3, 4, 5):
        await ada.ask("undo", race=race, turn=turn)
    await ada.rest()
    await ada.send("sync", race=race)
    after = await ada.until("view")
    assert after["turn"] == 6
    assert after["piles"] == before["piles"]
    await ada.rest()
    await ada.send("sync", race=race, turn=0)
    patch = await ada.until("patch")
    assert (patch["from"], patch["turn"], patch["piles"]) == (0, 6, {})
    moves = [[move] for move in SLIDING.moves[:3]]
    assert patch["turns"] == [*moves, "undo", "undo", "undo"]


async def test_a_race_without_undo(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    assert await ada.refused("undo", race=race, turn=0) == "undo_refused"
    await play(ada, race, WINNING.moves[:1])
    assert await ada.refused("undo", race=race, turn=1) == "undo_refused"
    await ada.ask("resign", race=race)
    assert await ada.refused("undo", race=race, turn=1) == "undo_refused"


async def test_the_turn_of_an_undo(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, undo=True)
    await play(ada, race, WINNING.moves[:1])
    for turn in (0, 2):
        error = await ada.ask("undo", race=race, turn=turn)
        assert (error["code"], error["turn"]) == ("stale_turn", 1)


async def test_nothing_to_take_back(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, undo=True)
    error = await ada.ask("undo", race=race, turn=0)
    assert (error["code"], error["race"]) == ("nothing_to_undo", race)


async def test_a_turn_that_showed_a_card(arrive: Arrive) -> None:
    """Turned up in one, dealt from the stock in the other."""
    for covered in (COVERED, STOCKED):
        ada = await arrive("Ada")
        race = await started(ada, undo=True, **covered.create)
        await play(ada, race, covered.moves[:1])
        assert await ada.refused("undo", race=race, turn=1) == "undo_refused"
        await play(ada, race, covered.moves[1:2], turn=1)


def shows(turn: Message) -> bool:
    """Whether a turn of the vectors showed a card that had not been seen."""
    return any(cards for _, cards in turn["patch"].values())


def quiet(of: Line) -> int | None:
    """The first turn that showed no card, right after one that did."""
    for number, (before, turn) in enumerate(pairwise(of.turns), 1):
        if shows(before) and not shows(turn) and turn["status"] == "playing":
            return number
    return None


async def test_a_turn_that_showed_no_card_though_some_are_hidden(
    arrive: Arrive,
) -> None:
    """The last of a pile leaves an empty place: nothing was seen."""
    covered = find("doublets", "sealed", lambda line: quiet(line) is not None)
    number = quiet(covered)
    assert number is not None
    ada = await arrive("Ada")
    race = await started(ada, undo=True, **covered.create)
    await play(ada, race, covered.moves[: number + 1])
    patch = await ada.ask("undo", race=race, turn=number + 1)
    assert patch["left"] == covered.turns[number]["left"] + 2
    # Before it lies one that showed a card: no further back.
    assert await ada.refused("undo", race=race, turn=number + 2) == "undo_refused"


async def test_a_win_stays_won(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, undo=True)
    await play(ada, race, WINNING.moves)
    turn = len(WINNING.moves)
    assert await ada.refused("undo", race=race, turn=turn) == "undo_refused"
    assert await ada.refused("undo", race=race, turn=turn + 1) == "stale_turn"


async def test_after_resigning(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, undo=True)
    await play(ada, race, WINNING.moves[:1])
    await ada.ask("resign", race=race)
    assert await ada.refused("undo", race=race, turn=1) == "finished"
    assert await ada.refused("undo", race=race, turn=0) == "stale_turn"


async def test_what_stands_first_on_the_page_is_told_first(arrive: Arrive) -> None:
    """A card was shown, or there is no undo at all; that comes before `finished`."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, undo=True, **COVERED.create)
    await play(ada, race, COVERED.moves[:1])
    await ada.ask("resign", race=race)
    assert await ada.refused("undo", race=race, turn=1) == "undo_refused"
    await bob.ask("resign", race=race)
    assert await bob.refused("undo", race=race, turn=0) == "finished"


async def test_a_stuck_seat_may_undo_and_is_not_done(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, undo=True, **STUCK.create)
    patch = await play(ada, race, STUCK.moves)
    turn = patch["turn"]
    assert patch["status"] == "stuck"
    # Not finished: it may still undo, so a move is only against the rules.
    for moves in (["t0+t1"], ["t0+t99"]):
        assert await ada.refused("move", race=race, turn=turn, moves=moves) == (
            "illegal_move"
        )
    await bob.ask("resign", race=race)
    assert (await bob.ask("sync", race=race))["phase"] == "racing"
    back = await ada.ask("undo", race=race, turn=turn)
    assert back["status"] == "playing"
    again = await ada.ask("move", race=race, turn=turn + 1, moves=STUCK.moves[-1:])
    assert again["status"] == "stuck"
    # It gives up: that is what is left to do.
    assert (await ada.ask("resign", race=race))["status"] == "resigned"
    info = await ada.until("race", phase="ended")
    assert seat_of(info, 0)["status"] == "resigned"


async def test_a_stuck_seat_that_may_not_undo_is_done(arrive: Arrive) -> None:
    dead_end = line("doublets", "reserve", "stuck", turns=1)
    assert shows(dead_end.turns[-1])
    ada = await arrive("Ada")
    race = await started(ada, undo=True, **dead_end.create)
    patch = await play(ada, race, dead_end.moves)
    assert patch["status"] == "stuck"
    info = await ada.until("race", phase="ended")
    assert seat_of(info, 0)["status"] == "stuck"
    turn = patch["turn"]
    assert await ada.refused("move", race=race, turn=turn, moves=["t0+t1"]) == (
        "finished"
    )
    assert await ada.refused("undo", race=race, turn=turn) == "undo_refused"


async def test_cards_left_count_from_the_earliest_moment(arrive: Arrive) -> None:
    """Taking back and playing again does not cost the place: see standings."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, undo=True)
    await play(ada, race, WINNING.moves[:2])
    await ada.ask("undo", race=race, turn=2)
    await let_pass(ada, 5)
    await play(bob, race, WINNING.moves[:1])
    await ada.ask("resign", race=race)
    await bob.ask("resign", race=race)
    info = await ada.until("race", phase="ended")
    assert [seat["left"] for seat in info["seats"]] == [50, 50]
    # Ada had 50 or fewer since her first move, before Bob had.
    assert [seat["place"] for seat in info["seats"]] == [1, 2]

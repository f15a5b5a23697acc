"""Moves: what they change, who is told what, how they are refused, how it ends."""

import pytest
from tests.server.conftest import Arrive
from tests.server.scenes import (
    COVERED,
    DEAD,
    SLIDING,
    STOCKED,
    STUCK,
    WINNING,
    Line,
    find,
    let_pass,
    line,
    opened,
    play,
    seat_of,
    started,
)


def has_twins(of: Line) -> bool:
    """A take after which a pile looks as before, as its twin came up."""
    return any(len(turn["patch"].keys() - {"stock"}) < 2 for turn in of.turns)


LINES = [
    *(WINNING, SLIDING, COVERED, STOCKED),
    line("private-lane", "by-suit", "stuck"),
    line("doublets", "reserve", "stuck"),
    find("juvenile", "two-decks", has_twins),
]


def name(of: Line) -> str:
    return f"{of.game}/{of.variant}"


@pytest.mark.parametrize("of", LINES, ids=name)
async def test_every_patch_is_that_of_the_vectors(arrive: Arrive, of: Line) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, **of.create)
    elapsed = 0
    for turn, expected in enumerate(of.turns):
        move = expected["move"]
        patch = await ada.ask("move", race=race, turn=turn, moves=[move])
        assert elapsed <= patch.pop("elapsed_ms")
        assert patch == {
            "type": "patch",
            "re": patch["re"],
            "race": race,
            "seat": 0,
            "from": turn,
            "turn": turn + 1,
            "turns": [[move]],
            "piles": expected["patch"],
            "left": expected["left"],
            "status": expected["status"],
        }
    last = await bob.until("progress", turn=len(of.turns))
    assert set(last) == {
        *("type", "race", "seat", "turn", "left", "status", "elapsed_ms")
    }
    end = of.turns[-1]
    assert (last["seat"], last["left"], last["status"]) == (
        *(0, end["left"]),
        end["status"],
    )


async def test_a_list_is_one_turn(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    patch = await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:3])
    assert (patch["from"], patch["turn"], patch["left"]) == (0, 1, 46)
    assert patch["turns"] == [WINNING.moves[:3]]
    [progress] = await bob.rest()
    assert (progress["turn"], progress["left"]) == (1, 46)
    patch = await ada.ask("move", race=race, turn=1, moves=WINNING.moves[3:5])
    assert (patch["from"], patch["turn"], patch["left"]) == (1, 2, 42)
    # Removing cards adds none, so a patch keeps less and puts nothing.
    assert all(cards == [] for _, cards in patch["piles"].values())


async def test_seats_play_on_their_own_boards(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    for player in (ada, bob):
        patch = await player.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
        assert patch["piles"] == WINNING.turns[0]["patch"]
    assert [m["type"] for m in await ada.rest()] == ["progress"]
    await ada.ask("move", race=race, turn=1, moves=WINNING.moves[1:4])
    view = await bob.ask("sync", race=race)
    seats = view["seats"]
    assert [seat["turn"] for seat in seats] == [2, 1]
    assert [seat["left"] for seat in seats] == [44, 50]


async def test_progress_may_be_coalesced_but_the_last_is_sent(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await play(ada, race, WINNING.moves[:20])
    last = await bob.until("progress", turn=20)
    assert last["left"] == 12
    turns = [m["turn"] for m in bob.received if m["type"] == "progress"]
    assert turns == sorted(set(turns))


async def test_progress_is_never_about_oneself(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await play(ada, race, WINNING.moves)
    await bob.ask("resign", race=race)
    await ada.until("race", phase="ended")
    assert {m["seat"] for m in ada.received if m["type"] == "progress"} == {1}
    assert {m["seat"] for m in bob.received if m["type"] == "progress"} == {0}
    assert {m["seat"] for m in ada.received if m["type"] == "patch"} == {0}
    assert {m["seat"] for m in bob.received if m["type"] == "patch"} == {1}


BAD_MOVES = [
    *("", "t7+t3", "t3+t3", "t03+t4", "t3+t04", "t3>fc", "t3", "t3+", "+t3", "x0+t1"),
    *("t0 + t1", " t0+t1", "t0+t1\n", "T0+T1", "t0+t1+t1", "t1+t0+t2", "f>t0"),
    *("fc>t0", "stock+t0", "t0>stock", "c0+t0", "t0>c00", "t-1+t1", "t0>>f", "resign"),
    *("t٠+t1", "t0＋t1", "t0+t1,t2+t3", "undo", "t" * 2000),
]


@pytest.mark.parametrize("of", [WINNING, SLIDING, COVERED], ids=name)
async def test_what_is_no_move(arrive: Arrive, of: Line) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, **of.create)
    for text in BAD_MOVES:
        code = await ada.refused("move", race=race, turn=0, moves=[text])
        assert code == "bad_move", text
    assert await bob.rest() == []


ILLEGAL = {
    # Not of this deal's ranks, a pile that is not there, a shift where none are.
    WINNING: ["t0+t99", "t8+t9", "t0>f", "t0>c0", "c0>t0", "t3>t3", "c0>c1"],
    # `c0>c1`, `t3>t3`, and a take, as the page says; an empty cell; no such cell.
    SLIDING: ["c0>c1", "c0>c0", "t3>t3", "t0+t1", "c0>t0", "t0>c2", "t8>t0", "c7>f"],
    COVERED: ["t0+t12", "t0>t1", "t0>f", "t0+t1+t2+t3"],
}


@pytest.mark.parametrize("of", list(ILLEGAL), ids=name)
async def test_moves_against_the_rules(arrive: Arrive, of: Line) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, **of.create)
    for text in ILLEGAL[of]:
        code = await ada.refused("move", race=race, turn=0, moves=[text])
        assert code == "illegal_move", text
    assert await bob.rest() == []
    info = await ada.ask("sync", race=race, turn=0)
    assert seat_of(info, 0)["turn"] == 0
    assert (await ada.until("patch"))["turns"] == []


async def test_a_list_is_all_or_none(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    good = WINNING.moves[0]
    for bad, code in (("t0+t99", "illegal_move"), (good, "illegal_move")):
        moves = [good, bad]
        assert await ada.refused("move", race=race, turn=0, moves=moves) == code
    for moves in ([good, "t3+t2"], ["t0+t99", "x"], ["x", good]):
        assert await ada.refused("move", race=race, turn=0, moves=moves) == "bad_move"
    assert await bob.rest() == []
    patch = await ada.ask("move", race=race, turn=0, moves=[good])
    assert patch["piles"] == WINNING.turns[0]["patch"]


@pytest.mark.parametrize("of", [COVERED, STOCKED], ids=name)
async def test_where_cards_are_hidden_a_turn_is_one_move(
    arrive: Arrive, of: Line
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, **of.create)
    first, second = of.moves[:2]
    lists = [
        [first, second],
        [first, first],
        [first, "nonsense"],
        ["t0+t99", first],
        of.moves[:16],
        [first] * 64,
    ]
    for moves in lists:
        assert await ada.refused("move", race=race, turn=0, moves=moves) == "bad_move"
    assert await bob.rest() == []


async def test_how_long_a_list_may_be(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, **SLIDING.create)
    for moves in ([], ["t0>c0"] * 65):
        code = await ada.refused("move", race=race, turn=0, moves=moves)
        assert code == "bad_message"
    # 64 are read: to a cell, and on to another place, again and again.
    assert await ada.refused("move", race=race, turn=0, moves=["t0>c0"] * 64) == (
        "illegal_move"
    )


async def test_a_list_that_goes_on_after_the_winning_move(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    too_long = [*WINNING.moves, WINNING.moves[-1]]
    code = await ada.refused("move", race=race, turn=0, moves=too_long)
    assert code == "illegal_move"
    assert await bob.rest() == []
    patch = await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    assert (patch["status"], patch["left"], patch["turn"]) == ("won", 0, 1)


async def test_the_turn_must_be_the_true_one(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada)
    await play(ada, race, WINNING.moves[:2])
    for turn in (0, 1, 3, 2**53 - 1):
        for moves in (["t0+t99"], ["nonsense"]):
            error = await ada.ask("move", race=race, turn=turn, moves=moves)
            assert (error["type"], error["code"]) == ("error", "stale_turn")
            assert (error["turn"], error["race"]) == (2, race)


# The end.


async def test_a_win_is_told_in_order(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    patch = await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    assert patch["status"] == "won"
    [progress] = await bob.rest()
    assert (progress["status"], progress["left"], progress["turn"]) == ("won", 0, 1)
    assert progress["elapsed_ms"] == patch["elapsed_ms"]
    assert await ada.rest() == []
    await bob.ask("resign", race=race)
    for player, first in ((ada, ["progress"]), (bob, [])):
        await player.until("view", seat=1)
        told = player.received[-3 - len(first) :]
        assert [m["type"] for m in told] == [*first, "race", "view", "view"]
        info, *views = told[len(first) :]
        assert info["phase"] == "ended" and "starts_in_ms" not in info
        assert [view["seat"] for view in views] == [0, 1]
        assert [view["status"] for view in views] == ["won", "resigned"]
        assert all(pile == [] for pile in views[0]["piles"].values())
        assert views[1]["piles"] == WINNING.start["piles"]
        assert [seat["place"] for seat in info["seats"]] == [1, 2]
        assert [seat["left"] for seat in info["seats"]] == [0, 52]
        assert info["seed"] == WINNING.seed
        assert len(info["salt"]) == 32 and len(info["digest"]) == 64


async def test_a_seat_that_is_done_is_finished(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await started(ada, bob, cleo)
    await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    await bob.ask("resign", race=race)
    for player, turn in ((ada, 1), (bob, 0)):
        # The turn first, then the text, then this.
        wrong = await player.refused("move", race=race, turn=turn + 1, moves=["t0+t1"])
        assert wrong == "stale_turn"
        text = await player.refused("move", race=race, turn=turn, moves=["t1+t0"])
        assert text == "bad_move"
        legal = await player.refused("move", race=race, turn=turn, moves=["t0+t1"])
        assert legal == "finished"
        absent = await player.refused("move", race=race, turn=turn, moves=["t0+t99"])
        assert absent == "finished"
    assert await ada.refused("resign", race=race) == "finished"
    await cleo.until("progress", seat=1)


async def test_a_stuck_seat_is_done(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, **SLIDING.create)
    patch = await play(ada, race, SLIDING.moves)
    assert patch["status"] == "stuck"
    turn = patch["turn"]
    for moves in (["t0>c0"], ["t0+t1"]):
        assert await ada.refused("move", race=race, turn=turn, moves=moves) == (
            "finished"
        )
    assert await ada.refused("resign", race=race) == "finished"
    await bob.ask("resign", race=race)
    info = await ada.until("race", phase="ended")
    assert [seat["status"] for seat in info["seats"]] == ["stuck", "resigned"]


async def test_a_stuck_list_may_not_go_on(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, **SLIDING.create)
    moves = [*SLIDING.moves, "t0>c0"]
    assert await ada.refused("move", race=race, turn=0, moves=moves) == "illegal_move"


async def test_a_race_in_which_all_are_stuck_ends(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob, **STUCK.create)
    await play(ada, race, STUCK.moves)
    assert (await bob.until("progress", status="stuck"))["seat"] == 0
    await let_pass(bob, 5)
    await bob.ask("move", race=race, turn=0, moves=STUCK.moves)
    info = await bob.until("race", phase="ended")
    first, second = info["seats"]
    assert (first["status"], second["status"]) == ("stuck", "stuck")
    assert (first["turn"], second["turn"]) == (len(STUCK.turns), 1)
    # Equal in cards left: the earlier of the two is ahead.
    assert first["left"] == second["left"]
    assert (first["place"], second["place"]) == (1, 2)


async def test_two_wins_rank_by_time(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await started(ada, bob, cleo)
    await cleo.ask("move", race=race, turn=0, moves=WINNING.moves)
    await let_pass(cleo, 5)
    # One card fewer than nothing played, though resigned at once.
    await bob.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    await bob.ask("resign", race=race)
    await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:2])
    await ada.ask("move", race=race, turn=1, moves=WINNING.moves[2:])
    info = await ada.until("race", phase="ended")
    assert [seat["place"] for seat in info["seats"]] == [2, 3, 1]
    assert seat_of(info, 2)["elapsed_ms"] < seat_of(info, 0)["elapsed_ms"]


async def test_nobody_who_never_moved_is_ahead(arrive: Arrive) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await started(ada, bob, cleo)
    await ada.ask("resign", race=race)
    await bob.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    await cleo.ask("resign", race=race)
    await bob.ask("resign", race=race)
    info = await ada.until("race", phase="ended")
    # Same place for the two who never moved, and what they did when is no matter.
    assert [seat["place"] for seat in info["seats"]] == [2, 1, 2]


async def test_resigning(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await play(ada, race, WINNING.moves[:2])
    await bob.rest()
    patch = await ada.ask("resign", race=race)
    assert (patch["type"], patch["from"], patch["turn"]) == ("patch", 2, 2)
    assert (patch["turns"], patch["piles"]) == ([], {})
    assert (patch["status"], patch["left"]) == ("resigned", 48)
    [progress] = await bob.rest()
    assert (progress["status"], progress["turn"]) == ("resigned", 2)
    # Again the same, also when the race is over; and nobody else hears of it.
    for _ in range(2):
        again = await ada.ask("resign", race=race)
        assert {**again, "re": ""} == {**patch, "re": ""}
    assert await bob.rest() == []
    await bob.ask("resign", race=race)
    await ada.until("race", phase="ended")
    again = await ada.ask("resign", race=race)
    assert {**again, "re": ""} == {**patch, "re": ""}


async def test_leaving_a_running_race(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    patch = await ada.ask("leave", race=race)
    assert (patch["type"], patch["status"]) == ("patch", "resigned")
    info = await ada.until("race")
    assert seat_of(info, 0)["status"] == "resigned"
    assert (await ada.ask("leave", race=race))["type"] == "race"
    assert [m["type"] for m in await bob.rest()] == ["progress"]
    await bob.ask("move", race=race, turn=0, moves=WINNING.moves)
    await bob.until("race", phase="ended")
    # Nothing more is logged for a seat that is done: won, and the race over.
    info = await bob.ask("leave", race=race)
    assert (info["type"], seat_of(info, 1)["status"]) == ("race", "won")


async def test_a_lobby_is_no_board(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await opened(ada, **DEAD.create)
    assert await ada.refused("move", race=race, turn=0, moves=["t0+t1"]) == (
        "not_started"
    )

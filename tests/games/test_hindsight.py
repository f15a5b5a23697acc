from random import Random

import pytest
from tests.helpers.small_deals import small_deal

from samedeal_games import (
    Move,
    State,
    Variant,
    Verdict,
    apply_move,
    deal,
    find_variant,
    hindsight,
    left,
    legal_moves,
    solve,
)


def after(state: State, moves: tuple[Move, ...]) -> State:
    for move in moves:
        state = apply_move(state, move)
    return state


def played_at_random(state: State, chance: Random) -> tuple[Move, ...]:
    moves: list[Move] = []
    while (legal := legal_moves(state)) and len(moves) < 40:
        moves.append(chance.choice(legal))
        state = apply_move(state, moves[-1])
    return tuple(moves)


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("juvenile", "one-deck"),
        ("doublets", "reserve"),
        ("simple-pairs", "standard"),
        ("private-lane", "by-suit"),
        ("straight-fifteens", "either"),
    ],
)
def test_hindsight_names_the_move_after_which_nothing_helps(
    game: str, variant: str
) -> None:
    chance = Random(game)
    found: Variant = find_variant(game, variant)
    for _ in range(12):
        state = small_deal(found, chance)
        moves = played_at_random(state, chance)
        seen = hindsight(state, moves)
        assert seen.certain
        wins = [
            solve(after(state, moves[:turn])).verdict is Verdict.WON
            for turn in range(len(moves) + 1)
        ]
        if seen.turn is None:
            assert seen.verdict is Verdict.LOST
            assert not any(wins)
            assert left(after(state, seen.line)) == seen.left > 0
            continue
        assert wins == [turn <= seen.turn for turn in range(len(moves) + 1)]
        assert left(after(state, (*moves[: seen.turn], *seen.line))) == 0
        ended_well = seen.turn == len(moves)
        assert seen.lost_by == (None if ended_well else moves[seen.turn])


def test_hindsight_says_what_it_could_not_find_out() -> None:
    state = deal(find_variant("private-lane", "by-suit"), bytes(16))
    seen = hindsight(state, (), max_nodes=3)
    assert (seen.verdict, seen.turn) == (Verdict.UNKNOWN, None)
    assert not seen.certain
    assert not seen.exact


def test_of_a_game_that_was_won_no_move_lost_it() -> None:
    state = deal(find_variant("straight-fifteens"), bytes(16))
    line = solve(state).line
    seen = hindsight(state, line)
    assert (seen.verdict, seen.turn, seen.lost_by) == (Verdict.WON, len(line), None)
    assert seen.line == ()

from itertools import count, islice, pairwise
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from tests.helpers.positions import VARIANTS, positions, variant_id

from samedeal_games import (
    LEVELS,
    State,
    UnknownLevelError,
    Variant,
    Verdict,
    apply_move,
    choose,
    deal,
    find_variant,
    from_view,
    left,
    legal_moves,
    opponent,
    solve,
    view,
)


def play(level: str, variant: Variant, number: int) -> State:
    """Play one deal to the end, or until the player gives up."""
    return play_from(deal(variant, Random(number).randbytes(16)), level, number)


def play_from(state: State, level: str, number: int) -> State:
    ask = opponent(level, state.variant, Random(number).randrange)
    for _ in range(1000):
        move = ask(from_view(state.variant, view(state)))
        if move is None:
            return state
        assert move in legal_moves(state)
        state = apply_move(state, move)
    raise AssertionError("It goes round in circles.")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_a_player_comes_to_an_end(level: str, variant: Variant) -> None:
    end = play(level, variant, 1)
    assert variant.foundations or not legal_moves(end)


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("juvenile", "seventeen-piles"),
        ("doublets", "reserve"),
        ("private-lane", "any-suit"),
        ("straight-fifteens", "either"),
    ],
)
def test_greedy_clears_more_than_random(game: str, variant: str) -> None:
    found = find_variant(game, variant)
    greedy, random = (
        sum(left(play(level, found, number)) for number in range(12))
        for level in ("greedy", "random")
    )
    assert greedy < random


@pytest.mark.parametrize(
    ("game", "variant"), [("juvenile", "one-deck"), ("juvenile", "seventeen-piles")]
)
def test_each_level_beats_the_one_below_it(game: str, variant: str) -> None:
    seeds = (Random(number).randbytes(16) for number in count())
    deals = (deal(find_variant(game, variant), seed) for seed in seeds)
    winnable = (state for state in deals if solve(state, 5000).verdict is Verdict.WON)
    chosen = [*islice(winnable, 24)]
    ends = [
        [left(play_from(state, level, number)) for number, state in enumerate(chosen)]
        for level in ("random", "easy", "medium", "hard", "expert")
    ]
    for below, level in pairwise(ends):
        assert level.count(0) >= below.count(0) + 2
        assert sum(level) < sum(below)
    assert not any(ends[-1])


@pytest.mark.parametrize(
    ("game", "variant"),
    [("juvenile", "one-deck"), ("private-lane", "by-suit")],
)
def test_expert_gets_as_far_as_anybody_could_where_all_is_in_sight(
    game: str, variant: str
) -> None:
    found = find_variant(game, variant)
    for number in range(5):
        start = deal(found, Random(number).randbytes(16))
        best = solve(start)
        if best.nodes < 2000:
            assert left(play("expert", found, number)) == best.left


@settings(max_examples=40, deadline=None)
@given(positions(), st.sampled_from(LEVELS), st.integers(0))
def test_the_same_chance_gives_the_same_choice(
    state: State, level: str, number: int
) -> None:
    choices = {choose(level, state, lambda n: number % n) for _ in range(2)}
    assert len(choices) == 1
    assert choices <= {*legal_moves(state), None}


@settings(max_examples=40, deadline=None)
@given(positions(), st.sampled_from(LEVELS))
def test_a_player_that_has_seen_it_all_gives_up(state: State, level: str) -> None:
    seen = {apply_move(state, move) for move in legal_moves(state)}
    assert choose(level, state, lambda n: 0, seen=seen) is None


def test_random_can_choose_every_move() -> None:
    state = deal(find_variant("private-lane"), bytes(16))
    moves = legal_moves(state)
    numbers = iter(range(len(moves)))
    assert [choose("random", state, lambda n: next(numbers)) for _ in moves] == moves


@pytest.mark.parametrize("level", ["", "Greedy", "x" * 999])
def test_another_level_is_unknown(level: str) -> None:
    with pytest.raises(
        UnknownLevelError,
        match="choose from random, greedy, easy, medium, hard, expert",
    ):
        choose(level, deal(VARIANTS[0], bytes(16)), lambda n: 0)
    with pytest.raises(UnknownLevelError):
        opponent(level, VARIANTS[0], lambda n: 0)

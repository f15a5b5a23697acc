from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings, strategies as st
from tests.helpers.positions import positions, seeds, variant_id

from samedeal_games import State, Take, Variant, deal, is_legal, legal_moves
from samedeal_games.cards import RANK
from samedeal_games.straight_fifteens import GAME, fifteens


def by_the_rules_page(state: State, variant: str) -> set[Take]:
    """Try every set of cells against the words of the rules page."""
    ranks = {n: RANK[pile[-1]] for n, pile in enumerate(state.piles) if pile}
    sets = chain.from_iterable(combinations(ranks, n) for n in range(2, len(ranks) + 1))
    legal: set[Take] = set()
    for cells in sets:
        taken = sorted(ranks[cell] for cell in cells)
        fifteen = sum(min(rank, 10) for rank in taken) == 15
        if variant == "courts-apart" and taken[-1] >= 10:
            fifteen = False
        straight = taken == [10, 11, 12, 13]
        kind = len(taken) == 4 and taken[0] == taken[3] >= 10
        court_set = {
            "either": straight or kind,
            "straight": straight,
            "four-of-a-kind": kind,
            "courts-apart": straight,
        }[variant]
        if fifteen or court_set:
            legal.add(Take(cells))
    return legal


@pytest.mark.parametrize("variant", GAME.variants, ids=variant_id)
@settings(max_examples=4, deadline=None)
@given(seed=seeds)
def test_the_sets_are_those_of_the_rules_page(variant: Variant, seed: bytes) -> None:
    state = deal(variant, seed)
    assert set(legal_moves(state)) == by_the_rules_page(state, variant.name)


@pytest.mark.parametrize("variant", GAME.variants, ids=variant_id)
@pytest.mark.parametrize(
    "ranks", [(10, 11, 12, 13), (11, 11, 11, 11), (10, 11, 11, 13)]
)
def test_court_sets(variant: Variant, ranks: tuple[int, ...]) -> None:
    cards = [suit * 13 + rank - 1 for suit, rank in enumerate(ranks)]
    state = State(variant, (*((card,) for card in cards), *(((),) * 12)))
    assert set(legal_moves(state)) == by_the_rules_page(state, variant.name)


@given(positions(GAME.variants), st.sets(st.integers(0, 15), max_size=9))
def test_a_set_passes_exactly_if_it_is_listed(state: State, cells: set[int]) -> None:
    move = Take(tuple(sorted(cells)))
    assert is_legal(state, move) == (move in legal_moves(state))


@given(st.lists(st.integers(1, 10), max_size=10))
def test_fifteens_are_all_sets_that_add_to_it(values: list[int]) -> None:
    found = fifteens(list(enumerate(values)))
    expected = [
        tuple(cell for cell, chosen in enumerate(choice) if chosen)
        for choice in product((0, 1), repeat=len(values))
        if sum(v for v, chosen in zip(values, choice, strict=True) if chosen) == 15
    ]
    assert sorted(found) == sorted(expected)

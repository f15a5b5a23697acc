from random import Random

import pytest
from hypothesis import given, settings
from tests.helpers.brute_force import fewest_left
from tests.helpers.positions import VARIANTS, positions, variant_id
from tests.helpers.small_deals import small_deal

from samedeal_games import (
    GameError,
    State,
    Variant,
    apply_move,
    check_move,
    deal,
    find_variant,
    from_view,
    left,
    view,
)
from samedeal_games.solver import Solution, Verdict, solve


CLEARED = {  # Per cent of deals, by the table of the rules page.
    "juvenile/one-deck": 12,
    "juvenile/two-decks": 6,
    "juvenile/seventeen-piles": 100,
    "simple-pairs/standard": 25,
    "doublets/reserve": 84,
    "doublets/sealed": 68,
    "private-lane/by-suit": 4.5,
    "private-lane/any-suit": 100,
    "straight-fifteens/either": 100,
    "straight-fifteens/straight": 100,
    "straight-fifteens/four-of-a-kind": 100,  # The page has a lower bound, 89.
    "straight-fifteens/courts-apart": 100,
}
DEALS = {"private-lane/any-suit": 8, "doublets/reserve": 24, "doublets/sealed": 40}


def check(state: State, solution: Solution) -> None:
    """Play the line by the rules; it leaves what the solution says."""
    for move in solution.line:
        check_move(state, move)
        state = apply_move(state, move)
    assert left(state) == solution.left
    assert (solution.left == 0) == (solution.verdict is Verdict.WON)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_verdicts_on_small_deals_are_those_of_brute_force(variant: Variant) -> None:
    compared = 0
    for number in range(40):
        state = small_deal(variant, Random(number))
        fewest = fewest_left(state, limit=1500)
        if fewest is None:
            continue
        compared += 1
        solution = solve(state)
        check(state, solution)
        assert solution.verdict is (Verdict.LOST if fewest else Verdict.WON), number
        assert solution.left == fewest or not solution.exact, number
    assert compared > 15


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_as_many_random_deals_can_be_cleared_as_the_rules_page_says(
    variant: Variant,
) -> None:
    chance = Random(f"deals of {variant_id(variant)}")
    deals = DEALS.get(variant_id(variant), 60)
    won = 0
    for _ in range(deals):
        state = deal(variant, chance.randbytes(16))
        solution = solve(state, 50_000)
        check(state, solution)
        assert solution.verdict is not Verdict.UNKNOWN
        won += solution.verdict is Verdict.WON
    share = CLEARED[variant_id(variant)] / 100
    error = (share * (1 - share) / deals) ** 0.5
    assert abs(won / deals - share) <= 3 * error + 0.04, won


@settings(max_examples=40, deadline=None)
@given(positions())
def test_any_position_can_be_asked_about(state: State) -> None:
    solution = solve(state, 300)
    check(state, solution)
    assert solution.nodes <= 300
    assert solution.left <= left(state)
    assert solution.exact or solution.verdict is not Verdict.WON


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_a_small_budget_is_kept_and_never_answered_wrongly(variant: Variant) -> None:
    state = deal(variant, bytes(16))
    whole = solve(state)
    for nodes in (1, 2, 5, 20):
        solution = solve(state, nodes)
        check(state, solution)
        assert solution.nodes <= nodes
        assert solution.verdict in (whole.verdict, Verdict.UNKNOWN)


def test_the_same_position_gives_the_same_solution() -> None:
    state = deal(find_variant("doublets"), bytes(16))
    assert solve(state) == solve(state)


def test_a_won_position_needs_no_moves() -> None:
    for variant in VARIANTS:
        suits = [tuple(range(13 * suit, 13 * suit + 13)) for suit in range(4)]
        up = suits if variant.foundations else []
        piles = [()] * (len(variant.piles) - len(up))
        solution = solve(State(variant, (*piles, *up)))
        assert (solution.verdict, solution.line) == (Verdict.WON, ())


def test_hidden_cards_cannot_be_solved() -> None:
    variant = find_variant("doublets")
    shown = from_view(variant, view(deal(variant, bytes(16))))
    with pytest.raises(GameError, match="face-down"):
        solve(shown)

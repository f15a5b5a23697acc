import re

import pytest
from hypothesis import given, settings
from tests.helpers.positions import VARIANTS, positions, variant_id

from samedeal_games import (
    State,
    Variant,
    apply_move,
    deal,
    find_variant,
    from_view,
    hint,
    is_legal,
    left,
    legal_moves,
    view,
)


@settings(max_examples=40, deadline=None)
@given(positions())
def test_a_hint_is_legal_and_says_why_in_a_sentence(state: State) -> None:
    given_hint = hint(from_view(state.variant, view(state)), 300)
    if given_hint is None:
        assert not legal_moves(state)
        return
    assert is_legal(state, given_hint.move)
    assert re.fullmatch(r"[A-Z][^\n]{10,100}\.", given_hint.why)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_the_same_view_gets_the_same_hint(variant: Variant) -> None:
    shown = from_view(variant, view(deal(variant, bytes(16))))
    assert hint(shown, 400) == hint(shown, 400)


def test_hints_followed_clear_a_deal_that_can_be_cleared() -> None:
    state = deal(find_variant("private-lane", "any-suit"), bytes(16))
    counted = []
    while left(state):
        given_hint = hint(state, 5000)
        assert given_hint is not None
        counted += re.findall(r"first of (\d+) moves", given_hint.why)
        state = apply_move(state, given_hint.move)
        if len(counted) > 3:
            break
    assert len(counted) > 3


def test_a_hint_says_when_all_is_lost() -> None:
    variant = find_variant("juvenile", "one-deck")
    ace, king, queen, seven, seven_too = 0, 12, 11, 6, 19
    piles = ((ace,), (king,), (queen,), (seven,), (seven_too,), (), (), ())
    given_hint = hint(State(variant, piles))
    assert given_hint is not None
    assert given_hint.why == (
        "Clearing everything is out of reach; this way leaves only 1 card."
    )

import re

import pytest
from hypothesis import given, settings
from tests.helpers.positions import VARIANTS, positions, variant_id

from samedeal_games import (
    Adviser,
    Hint,
    Shift,
    State,
    Variant,
    apply_move,
    deal,
    find_variant,
    from_view,
    hint,
    hints,
    is_legal,
    left,
    legal_moves,
    view,
)
from samedeal_games.thinking import Thought, sees_all


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


@pytest.mark.parametrize("seed", range(3))
def test_hints_followed_are_one_line_that_is_kept_to(seed: int) -> None:
    """Each says a move less than the one before, until everything is cleared."""
    state = deal(find_variant("private-lane", "any-suit"), bytes(15) + bytes([seed]))
    adviser, counted, why = Adviser(5000), [], ""
    while left(state):
        given_hint = adviser.hint(from_view(state.variant, view(state)))
        assert given_hint is not None
        why = given_hint.why
        counted += [int(n) for n in re.findall(r"first of (\d+) m", why)]
        state = apply_move(state, given_hint.move)
        assert len(counted) < 300
    assert why == "It clears everything."
    assert counted == [*range(len(counted) + 1, 1, -1)]
    assert counted


def test_a_line_leads_over_to_a_better_one_where_they_meet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = deal(find_variant("private-lane", "any-suit"), bytes(16))
    first = Shift("t0", "c0")
    later = apply_move(start, first)
    adviser = Adviser()
    best = adviser.hint(later)
    assert best is not None
    found = re.search(r"first of (\d+) moves", best.why)
    assert found is not None
    assert not adviser.knows(start)
    worse = next(move for move in legal_moves(later) if move != best.move)
    thought = Thought((first, worse), samples=1, left=left(start) - 1)
    monkeypatch.setattr(hints, "think", lambda *_: thought)
    why = f"It is the first of {int(found[1]) + 1} moves that clear everything."
    assert adviser.hint(start) == Hint(first, why)
    assert adviser.hint(later) == best


def test_an_adviser_remembers_a_bounded_number_of_positions() -> None:
    variant, adviser = find_variant("doublets", "reserve"), Adviser(50)
    for seed in range(120):
        state = from_view(variant, view(deal(variant, bytes(15) + bytes([seed]))))
        adviser.hint(state)
        assert adviser.knows(state)
        assert 1 <= len(adviser) <= 100


def test_a_hint_says_where_no_line_was_found() -> None:
    """Private Lane may go on for ever; a move is given, but nothing is promised."""
    variant = find_variant("private-lane", "any-suit")
    for seed in range(20):
        state = deal(variant, bytes(15) + bytes([seed]))
        given_hint = hint(state, 1)
        assert given_hint is not None
        assert is_legal(state, given_hint.move)
        if given_hint.why == "No line that gets further was found.":
            return
    raise AssertionError("Some position is too hard for so little thinking.")


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_a_hint_says_no_more_than_is_known(variant: Variant) -> None:
    """Where cards are hidden nothing is certain, and what was tried is said."""
    state = deal(variant, bytes(range(16)))
    while (given_hint := hint(from_view(variant, view(state)), 700)) is not None:
        shown = from_view(variant, view(state))
        forced = len(legal_moves(state)) == 1 or variant.game == "simple-pairs"
        if not sees_all(shown) and not forced:
            assert re.search(r"tried for|at a glance", given_hint.why)
        state = apply_move(state, given_hint.move)
        if sees_all(from_view(variant, view(state))):
            break


def test_a_hint_says_when_all_is_lost() -> None:
    variant = find_variant("juvenile", "one-deck")
    ace, king, queen, seven, seven_too = 0, 12, 11, 6, 19
    piles = ((ace,), (king,), (queen,), (seven,), (seven_too,), (), (), ())
    given_hint = hint(State(variant, piles))
    assert given_hint is not None
    assert given_hint.why == (
        "Clearing everything is out of reach; this way leaves only 1 card."
    )

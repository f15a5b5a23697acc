from collections import Counter

import pytest
from hypothesis import given, strategies as st
from tests.helpers.positions import (
    VARIANTS,
    dealt,
    games,
    positions,
    rows,
    steps,
    variant_id,
)

from samedeal_games import (
    HIDDEN,
    IllegalMoveError,
    InvalidViewError,
    Move,
    State,
    Take,
    Variant,
    apply_move,
    card_text,
    check_move,
    count_moves,
    deal,
    exposes,
    find_variant,
    from_view,
    has_move,
    left,
    legal_moves,
    outcome,
    parse_move,
    view,
    view_patch,
)


def face_up(state: State) -> Counter[str]:
    return Counter([t for pile in view(state).values() for t in pile if t != "??"])


@given(positions())
def test_a_view_shows_what_lies_face_up_and_nothing_else(state: State) -> None:
    variant, shown = state.variant, view(state)
    assert [*shown] == [*variant.piles, *(["stock"] if variant.has_stock else [])]
    if variant.has_stock:
        assert shown["stock"] == ["??"] * len(state.stock)
    for name, pile in zip(variant.piles, state.piles, strict=True):
        texts = [card_text(card) for card in pile]
        if variant.game == "doublets":
            texts[:-1] = ["??"] * (len(pile) - 1)
        assert shown[name] == texts


@given(games(), st.data())
def test_a_view_patch_is_what_comparing_the_views_gives(
    played: list[tuple[State, Move | None]], data: st.DataObject
) -> None:
    one, other = (data.draw(st.sampled_from(played))[0] for _ in range(2))
    before, after = view(one), view(other)
    patch = view_patch(one, other)
    assert {n for n in after if before[n] != after[n]} == set(patch)
    for name, (keep, cards) in patch.items():
        old, new = before[name], after[name]
        assert old[:keep] + cards == new
        # No more could be kept.
        assert old[: keep + 1] != new[: keep + 1] or keep == min(len(old), len(new))


@given(positions())
def test_a_position_from_a_view_plays_like_the_real_one(state: State) -> None:
    seen = from_view(state.variant, view(state))
    assert view(seen) == view(state)
    assert legal_moves(seen) == legal_moves(state)
    assert count_moves(seen) == count_moves(state)
    assert has_move(seen) == has_move(state)
    assert outcome(seen) == outcome(state)
    assert left(seen) == left(state)


@given(positions())
def test_a_refusal_tells_nothing_that_the_view_does_not(state: State) -> None:
    seen = from_view(state.variant, view(state))
    piles = range(len(state.piles))
    for move in (Take((i, j)) for i in piles for j in piles):
        assert refusal(state, move) == refusal(seen, move)


def refusal(state: State, move: Move) -> str | None:
    try:
        check_move(state, move)
    except IllegalMoveError as error:
        return str(error)
    return None


@given(steps())
def test_playing_on_a_view_turns_up_only_unknown_cards(
    step: tuple[State, Move, State],
) -> None:
    before, move, after = step
    guess = apply_move(from_view(before.variant, view(before)), move)
    assert [len(pile) for pile in guess.piles] == [len(pile) for pile in after.piles]
    for known, real in zip(guess.piles, after.piles, strict=True):
        assert all(k in (HIDDEN, r) for k, r in zip(known, real, strict=True))
    assert set(legal_moves(guess)) <= set(legal_moves(after))


@given(steps())
def test_a_step_exposes_exactly_if_more_is_face_up_than_was_left(
    step: tuple[State, Move, State],
) -> None:
    before, move, after = step
    taken: list[str] = []
    if isinstance(move, Take):
        taken = [card_text(before.piles[number][-1]) for number in move.piles]
    assert exposes(before, after) == (
        face_up(after) != face_up(before) - Counter(taken)
    )


@pytest.mark.parametrize(
    "variant", [v for v in VARIANTS if not v.foundations], ids=variant_id
)
def test_an_unknown_top_is_never_taken(variant: Variant) -> None:
    seven, eight = 6, 7
    tops = ((HIDDEN,), (HIDDEN,), (seven,), (eight,))
    state = State(variant, (*tops, *(((),) * (len(variant.piles) - 4))))
    for move in (Take((0, 1)), Take((0, 2)), Take((0, 2, 3))):
        assert move not in legal_moves(state)
        assert "taken" in str(refusal(state, move))


def test_a_refill_with_the_twin_is_a_new_card() -> None:
    twins = 0
    for row in rows("transcripts/juvenile_two-decks.jsonl"):
        if "refilled-with-the-twin" in row["tags"]:
            before = dealt(row)
            for turn in row["turns"]:
                move = parse_move(turn["move"])
                assert isinstance(move, Take)
                after = apply_move(before, move)
                twins += any(before.piles[n] == after.piles[n] for n in move.piles)
                assert exposes(before, after) == (before.stock != after.stock)
                before = after
    assert twins


def test_a_step_that_only_empties_piles_exposes_nothing() -> None:
    sealed = find_variant("doublets", "sealed")
    before = State(sealed, ((5, 0), (13,), (26,), *(((),) * 9)))
    assert not exposes(before, apply_move(before, Take((1, 2))))
    assert exposes(before, apply_move(before, Take((0, 1))))


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_what_is_no_view_is_refused(variant: Variant) -> None:
    start = view(deal(variant, bytes(16)))
    top = start["t0"][-1]
    faults: dict[str, dict[str, list[str]]] = {
        "has the piles": {name: start[name] for name in start if name != "t0"},
        "has the piles t0": start | {"t99": []},
        "is not a card": start | {"t0": ["Tx"]},
        "faces the wrong way": start | {"t0": [top, "??"]},
        r"is there \d times": start | {"t0": [top], "t1": [top], "t2": [top]},
    }
    if variant.covered:
        faults["t0: a card faces"] = start | {"t0": ["2c", "Ac"]}
    else:
        faults["t0: a card faces"] = start | {"t0": ["??", "Ac"]}
    if variant.decks == 1 and not variant.covered:
        faults["is there 2 times"] = start | {"t0": [*start["t0"], start["t1"][-1]]}
    if variant.has_stock:
        faults["stock are face down"] = start | {"stock": ["Ac"]}
        faults["more than"] = start | {"stock": ["??"] * 99}
    else:
        faults["has the piles t0, t1"] = start | {"stock": []}
    if variant.foundations:
        faults["c0: a cell holds one"] = start | {"c0": ["Ac", "2c"]}
        faults["fc: a foundation goes up"] = start | {"fc": ["Ac", "2d"]}
        faults["fd: a foundation goes up"] = start | {"fd": ["2d"]}
    for message, piles in faults.items():
        with pytest.raises(InvalidViewError, match=message):
            from_view(variant, piles)

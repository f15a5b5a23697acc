from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st
from tests.helpers.positions import VARIANTS, dealt, games, rows, variant_id

from samedeal_games import Move, State, Variant, apply_move, parse_move, view
from samedeal_protocol.patches import PatchError, apply, diff


Patch = Mapping[str, tuple[int, Sequence[str]]]

piles = st.lists(st.sampled_from(["??", "Ac", "Td"]), max_size=5)
views = st.fixed_dictionaries(dict.fromkeys(("t0", "t1", "c0", "stock"), piles))


def is_minimal(patch: Patch, before: Mapping[str, Sequence[str]]) -> bool:
    """Whether no pile is there for nothing, and none could keep one card more."""
    return all(
        (keep, not cards) != (len(before[name]), True)
        and (not cards or before[name][keep : keep + 1] != list(cards[:1]))
        for name, (keep, cards) in patch.items()
    )


@given(views, views)
def test_a_patch_leads_from_one_view_to_the_other(
    before: dict[str, list[str]], after: dict[str, list[str]]
) -> None:
    kept = deepcopy(before)
    patch = diff(before, after)
    assert apply(before, patch) == after
    assert before == kept
    assert is_minimal(patch, before)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_patches_over_games(variant: Variant) -> None:
    @settings(max_examples=15)
    @given(games((variant,)), st.data())
    def over_a_game(
        played: list[tuple[State, Move | None]], data: st.DataObject
    ) -> None:
        shown = [view(state) for state, _ in played]
        for before, after in pairwise(shown):
            patch = diff(before, after)
            assert apply(before, patch) == after
            assert is_minimal(patch, before)
        early = data.draw(st.integers(0, len(shown) - 1))
        late = data.draw(st.integers(0, len(shown) - 1))
        patch = diff(shown[early], shown[late])
        assert apply(shown[early], patch) == shown[late]
        assert is_minimal(patch, shown[early])

    over_a_game()


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_patches_are_those_of_the_vectors(variant: Variant) -> None:
    for row in rows(f"transcripts/{variant.game}_{variant.name}.jsonl"):
        state = dealt(row)
        for turn in row["turns"][:30]:
            before, state = state, apply_move(state, parse_move(turn["move"]))
            patch = diff(view(before), view(state))
            assert {n: [*p] for n, p in patch.items()} == turn["patch"]


def test_what_has_not_changed_is_not_in_the_patch() -> None:
    before = {"t0": ["Ac", "2c"], "t1": [], "stock": ["??"]}
    assert diff(before, before) == {}
    assert diff(before, {**before, "t1": ["Kd"]}) == {"t1": (0, ["Kd"])}
    # A list or a tuple: the cards are what counts.
    assert diff(before, {name: tuple(cards) for name, cards in before.items()}) == {}


def test_a_pile_refilled_with_its_twin_has_not_changed() -> None:
    before = {"t0": ["Ac"], "stock": ["??", "??"]}
    assert diff(before, {"t0": ["Ac"], "stock": ["??"]}) == {"stock": (1, [])}


@pytest.mark.parametrize(
    ("pile", "keep", "message"),
    [
        ("t9", 0, "'t9', which is not there"),
        ("t0", 3, "keeps 3 cards of pile t0, which has 2"),
        ("t0", -1, "keeps -1 cards"),
        ("t1", 1, "which has 0"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(
    pile: str, keep: int, message: str
) -> None:
    shown = {"t0": ["Ac", "2c"], "t1": list[str]()}
    with pytest.raises(PatchError, match=message):
        apply(shown, {pile: (keep, ["Ac"])})
    assert shown == {"t0": ["Ac", "2c"], "t1": []}


def test_a_patch_changes_copies_alone() -> None:
    shown = {"t0": ["Ac", "2c"], "t1": ["Kd"]}
    after = apply(shown, {"t0": (1, ["3c"])})
    after["t1"].append("Qd")
    assert shown == {"t0": ["Ac", "2c"], "t1": ["Kd"]}

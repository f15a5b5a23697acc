import copy
import pickle

import pytest
from hypothesis import given
from tests.helpers.positions import VARIANTS, positions, variant_id

from samedeal_games import (
    GAMES,
    GameError,
    State,
    UnknownGameError,
    UnknownVariantError,
    Variant,
    deal,
    find_variant,
)


def test_the_games_in_order() -> None:
    assert {name: [v.name for v in game.variants] for name, game in GAMES.items()} == {
        "juvenile": ["one-deck", "two-decks", "seventeen-piles"],
        "simple-pairs": ["standard"],
        "doublets": ["reserve", "sealed"],
        "private-lane": ["by-suit", "any-suit"],
        "straight-fifteens": ["either", "straight", "four-of-a-kind", "courts-apart"],
    }
    assert list(GAMES) == [
        "juvenile", "simple-pairs", "doublets", "private-lane", "straight-fifteens",
    ]  # fmt: skip


def test_the_default_is_the_first_variant() -> None:
    for name, game in GAMES.items():
        assert game.name == name
        assert game.default == game.variants[0].name
        assert find_variant(name) is game.variants[0]


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_a_variant_agrees_with_what_it_deals(variant: Variant) -> None:
    assert find_variant(variant.game, variant.name) is variant
    state = deal(variant, bytes(16))
    assert len(state.piles) == len(variant.piles)
    assert sum(map(len, state.piles)) + len(state.stock) == variant.total
    assert bool(state.stock) == variant.has_stock


def test_hidden_is_where_any_card_is_face_down() -> None:
    assert {variant_id(variant) for variant in VARIANTS if not variant.hidden} == {
        "juvenile/one-deck",
        "juvenile/seventeen-piles",
        "private-lane/by-suit",
        "private-lane/any-suit",
    }


def test_every_text_is_written() -> None:
    for game in GAMES.values():
        assert game.rules.count("\n\n") >= 1
        assert len(game.rules) > 300
        assert all(len(line) <= 88 for line in game.rules.splitlines())
        for line in (game.about, *(variant.about for variant in game.variants)):
            assert 10 < len(line) <= 80
            assert line.endswith(".")
        assert game.title
        assert all(variant.title for variant in game.variants)


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    with pytest.raises(
        UnknownGameError, match="'chess'; choose from juvenile, simple-"
    ):
        find_variant("chess")
    with pytest.raises(UnknownVariantError, match="Doublets.*'x'.*reserve, sealed"):
        find_variant("doublets", "x")
    with pytest.raises(GameError) as refusal:
        find_variant("\x00" * 9999)
    assert len(str(refusal.value)) < 400


@given(positions())
def test_positions_are_pickled_and_copied(state: State) -> None:
    assert pickle.loads(pickle.dumps(state)) == state
    assert copy.deepcopy(state).variant is state.variant

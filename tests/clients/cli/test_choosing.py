"""Games, variants and seeds as the command line takes them."""

import pytest
import typer

from samedeal_cli.choosing import chosen_deal, chosen_variant, random_seed
from samedeal_games import deal, find_variant, has_move


def test_a_random_deal_has_a_move() -> None:
    # One in twenty of these deals has none, so that a hundred would show it.
    variant = find_variant("simple-pairs")
    seeds = {random_seed(variant) for _ in range(100)}
    assert len(seeds) == 100
    for seed in seeds:
        assert chosen_deal(variant, seed) == deal(variant, bytes.fromhex(seed))
        assert has_move(deal(variant, bytes.fromhex(seed)))


def test_what_is_meant_without_a_variant() -> None:
    assert chosen_variant("doublets", None).name == "reserve"
    assert chosen_variant("doublets", "sealed").name == "sealed"


@pytest.mark.parametrize(
    ("game", "variant", "hint"),
    [("chess", None, "GAME"), ("doublets", "chess", "--variant")],
)
def test_what_there_is_not(game: str, variant: str | None, hint: str) -> None:
    with pytest.raises(typer.BadParameter) as caught:
        chosen_variant(game, variant)
    assert caught.value.param_hint == hint

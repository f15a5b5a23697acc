"""What several commands take: a game, a variant, a seed."""

import secrets
from typing import Annotated

import typer

from samedeal_games import (
    GAMES,
    SEED_BYTES,
    GameError,
    State,
    Variant,
    deal,
    find_variant,
    has_move,
    parse_seed,
)


def _games() -> list[str]:
    return list(GAMES)


def _variants() -> list[str]:
    return [variant.name for game in GAMES.values() for variant in game.variants]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game of `samedeal games`.",
        autocompletion=_games,
        show_default=False,
    ),
]
VariantName = Annotated[
    str | None,
    typer.Option(
        "--variant",
        metavar="V",
        help="A variant of the game; without it, the game's default.",
        autocompletion=_variants,
        show_default=False,
    ),
]
Nodes = Annotated[
    int,
    typer.Option(
        "--nodes",
        min=1,
        metavar="N",
        help="Look at so many positions at most in each search.",
    ),
]


def chosen_variant(game: str, variant: str | None) -> Variant:
    """Return the variant that the arguments name, or say that it is bad use."""
    try:
        return find_variant(game, variant)
    except GameError as error:
        hint = "GAME" if game not in GAMES else "--variant"
        raise typer.BadParameter(str(error), param_hint=hint) from None


def chosen_deal(variant: Variant, seed: str) -> State:
    """Return the deal of a seed written in hex, or say that it is bad use."""
    try:
        return deal(variant, parse_seed(seed))
    except GameError as error:
        raise typer.BadParameter(str(error), param_hint="--seed") from None


def random_seed(variant: Variant) -> str:
    """Return a fresh seed in hex whose deal is not stuck before the first move."""
    while True:
        seed = secrets.token_bytes(SEED_BYTES)
        if has_move(deal(variant, seed)):
            return seed.hex()

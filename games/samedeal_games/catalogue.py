"""The catalogue: every game and variant by name."""

from collections.abc import Mapping
from types import MappingProxyType

from . import doublets, juvenile, private_lane, simple_pairs, straight_fifteens
from .errors import UnknownGameError, UnknownVariantError
from .model import Game, Variant


GAMES: Mapping[str, Game] = MappingProxyType(
    {
        module.GAME.name: module.GAME
        for module in (
            juvenile,
            simple_pairs,
            doublets,
            private_lane,
            straight_fifteens,
        )
    }
)


def find_variant(game: str, variant: str | None = None) -> Variant:
    """Return that variant of the game, by default the game's own default.

    Raises UnknownGameError or UnknownVariantError, whose messages list what exists.
    """
    found = GAMES.get(game)
    if found is None:
        raise UnknownGameError(
            f"There is no game {game[:24]!a}; choose from {', '.join(GAMES)}."
        )
    name = found.default if variant is None else variant
    for candidate in found.variants:
        if candidate.name == name:
            return candidate
    names = ", ".join([candidate.name for candidate in found.variants])
    raise UnknownVariantError(
        f"{found.title} has no variant {name[:24]!a}; choose from {names}."
    )

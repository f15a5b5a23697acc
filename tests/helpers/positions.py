"""Variants, vectors and positions for tests of anything that plays by the rules."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from samedeal_games import (
    GAMES,
    Move,
    State,
    Variant,
    apply_move,
    deal,
    find_variant,
    has_move,
    legal_moves,
    parse_seed,
)


VECTORS = Path(__file__).parents[1] / "vectors"
VARIANTS = tuple(variant for game in GAMES.values() for variant in game.variants)


def variant_id(variant: Variant) -> str:
    """Name a variant in a test's id."""
    return f"{variant.game}/{variant.name}"


def rows(file: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of vectors."""
    with (VECTORS / file).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def dealt(row: dict[str, Any]) -> State:
    """Deal what a vector's game, variant and seed name."""
    variant = find_variant(row["game"], row["variant"])
    return deal(variant, parse_seed(row["seed"]))


seeds = st.binary(min_size=16, max_size=16)


@st.composite
def games(
    draw: st.DrawFn, variants: tuple[Variant, ...] = VARIANTS
) -> list[tuple[State, Move | None]]:
    """Draw the start of a game: positions and the moves made there, the last none."""
    state = deal(draw(st.sampled_from(variants)), draw(seeds))
    played: list[tuple[State, Move | None]] = []
    length, chance = draw(st.integers(0, 60)), Random(draw(st.integers(0, 2**32)))
    while len(played) < length and (moves := legal_moves(state)):
        move = chance.choice(moves)
        played.append((state, move))
        state = apply_move(state, move)
    return [*played, (state, None)]


@st.composite
def positions(draw: st.DrawFn, variants: tuple[Variant, ...] = VARIANTS) -> State:
    """Draw a position somewhere in a game."""
    return draw(games(variants))[-1][0]


@st.composite
def steps(
    draw: st.DrawFn, variants: tuple[Variant, ...] = VARIANTS
) -> tuple[State, Move, State]:
    """Draw a position, a legal move in it, and the position after it."""
    state = draw(positions(variants).filter(has_move))
    move = draw(st.sampled_from(legal_moves(state)))
    return state, move, apply_move(state, move)

"""Private Lane: steps of single cards, and the moves that they are."""

from collections.abc import Sequence
from typing import TypeAlias

from ..cards import Card
from ..model import State
from ..moves import Move, Shift
from ..play import apply_move


Step: TypeAlias = tuple[Card, int]
"""A card, and where to: onto that card, or one of the places below."""

FOUNDATION, CELL, EMPTY = -1, -2, -3

_TABLEAU = range(8)
_CELLS = range(8, 10)


def as_moves(state: State, steps: Sequence[Step]) -> tuple[Move, ...]:
    """Put steps from this position into moves, by playing them.

    A card that goes to a cell and from there on with the very next step is moved at
    once.
    """
    line: list[Move] = []
    for index, (card, place) in enumerate(steps):
        if place == CELL and index + 1 < len(steps) and steps[index + 1][0] == card:
            continue
        move = _as_move(state, card, place)
        line.append(move)
        state = apply_move(state, move)
    return tuple(line)


def _as_move(state: State, card: Card, place: int) -> Move:
    names = state.variant.piles
    tops = {
        pile[-1]: number
        for number, pile in enumerate(state.piles[: _CELLS.stop])
        if pile
    }
    source = names[tops[card]]
    if place == FOUNDATION:
        return Shift(source, "f")
    if place >= 0:
        return Shift(source, names[tops[place]])
    among = _CELLS if place == CELL else _TABLEAU
    return Shift(source, names[next(n for n in among if not state.piles[n])])

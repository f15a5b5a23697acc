"""Moves as small frozen values, and their text.

The notation is the wire protocol's, and exact: ``t3+t7`` takes the tops of those
piles out of play together (two or more piles, ascending, no leading zeros);
``t3>c0``, ``c0>t2`` and ``t3>f`` shift one card (``f``: its own suit's foundation).
Whether a pile is there is a question for the rules: ``t3+t99`` is well formed.
"""

import re
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Final, NoReturn, TypeAlias

from .errors import InvalidMoveError


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top cards of these tableau piles (numbers, ascending) out of play."""

    piles: tuple[int, ...]

    def __str__(self) -> str:
        return "+".join([f"t{pile}" for pile in self.piles])


@dataclass(frozen=True, slots=True)
class Shift:
    """Shift the top card of ``source`` (t3, c0) to ``target`` (t3, c0 or f)."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source}>{self.target}"


Move: TypeAlias = Take | Shift

_MAX_TEXT: Final = 4096  # Far above any real move, below what int() refuses to read.
_NUMBER: Final = "(?:0|[1-9][0-9]*)"
_TAKE: Final = re.compile(rf"t{_NUMBER}(?:\+t{_NUMBER})+")
_SHIFT: Final = re.compile(rf"([tc]{_NUMBER})>([tc]{_NUMBER}|f)")

# The moves that nearly every text turns out to be, so that most are looked up.
_PLACES: Final = (*(f"t{number}" for number in range(8)), "c0", "c1")
_USUAL: Final[tuple[Move, ...]] = (
    *[Take(piles) for piles in combinations(range(17), 2)],
    *[Shift(source, target) for source, target in product(_PLACES, (*_PLACES, "f"))],
)
_BY_TEXT: Final = {str(move): move for move in _USUAL}


def parse_move(text: str) -> Move:
    """Return the move written ``text``; the inverse of ``str(move)``.

    Raises InvalidMoveError for anything that is not exactly the notation.
    """
    move = _BY_TEXT.get(text)
    if move is not None:
        return move
    if len(text) > _MAX_TEXT:
        _refuse(text, "it is too long")
    if _TAKE.fullmatch(text):
        piles = tuple([int(name[1:]) for name in text.split("+")])
        if any(low >= high for low, high in pairwise(piles)):
            _refuse(text, "a take names different piles in ascending order, as t3+t7")
        return Take(piles)
    if match := _SHIFT.fullmatch(text):
        return Shift(*match.groups())
    _refuse(text, "write a take as t3+t7 and a shift as t3>c0, c0>t2 or t3>f")


def quoted(move: Move) -> str:
    """Return the move's text for a message, cut where it is absurdly long."""
    text = str(move)
    return text if len(text) <= 64 else f"{text[:63]}…"


def _refuse(text: str, why: str) -> NoReturn:
    shown = ascii(text if len(text) <= 24 else f"{text[:23]}…")
    raise InvalidMoveError(f"{shown} is not a move: {why}.")

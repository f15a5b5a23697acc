"""Whether a position can be cleared, and how: searches bounded by their nodes."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from ..cards import HIDDEN
from ..errors import GameError
from ..model import State
from .fifteens import solve_fifteens
from .lane_any_suit import solve_any_suit
from .lane_by_suit import solve_by_suit
from .pairs import solve_pairs
from .simple_pairs import solve_simple_pairs
from .solution import Solution, Verdict


__all__ = ["MAX_NODES", "Solution", "Verdict", "solve"]

MAX_NODES = 100_000
"""Enough for all but about one deal in a thousand, of any variant."""

_Solver: TypeAlias = Callable[[State, int], Solution]


def solve(state: State, max_nodes: int = MAX_NODES) -> Solution:
    """Return whether the position can be cleared, by looking at ``max_nodes`` at most.

    The same position always gives the same solution. Every card must be known:
    raises GameError where one is hidden.
    """
    if HIDDEN in state.stock or any(HIDDEN in pile for pile in state.piles):
        raise GameError("A position with face-down cards cannot be solved.")
    return _SOLVERS[state.variant.game, state.variant.name](state, max_nodes)


def _pairs(add_to: int | None) -> _Solver:
    return lambda state, max_nodes: solve_pairs(state, add_to, max_nodes)


def _fifteens(*, straight: bool, kind: bool, courts_count: bool = True) -> _Solver:
    return lambda state, max_nodes: solve_fifteens(
        state, straight, kind, courts_count, max_nodes
    )


_SOLVERS: Mapping[tuple[str, str], _Solver] = MappingProxyType(
    {
        ("juvenile", "one-deck"): _pairs(14),
        ("juvenile", "two-decks"): _pairs(14),
        ("juvenile", "seventeen-piles"): _pairs(14),
        ("simple-pairs", "standard"): lambda state, _: solve_simple_pairs(state),
        ("doublets", "reserve"): _pairs(None),
        ("doublets", "sealed"): _pairs(None),
        ("private-lane", "by-suit"): solve_by_suit,
        ("private-lane", "any-suit"): solve_any_suit,
        ("straight-fifteens", "either"): _fifteens(straight=True, kind=True),
        ("straight-fifteens", "straight"): _fifteens(straight=True, kind=False),
        ("straight-fifteens", "four-of-a-kind"): _fifteens(straight=False, kind=True),
        ("straight-fifteens", "courts-apart"): _fifteens(
            straight=True, kind=False, courts_count=False
        ),
    }
)

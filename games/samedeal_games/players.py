"""Built-in players: they see a view, as a person does, and choose a move."""

from collections.abc import Callable, Set as AbstractSet

from .errors import UnknownLevelError
from .model import State
from .moves import Move
from .play import apply_move, legal_moves


LEVELS = ("random", "greedy")


def choose(
    level: str,
    state: State,
    below: Callable[[int], int],
    *,
    seen: AbstractSet[State] = frozenset(),
) -> Move | None:
    """Return the move that a player of this level makes, or None to give up."""
    if level not in LEVELS:
        raise UnknownLevelError(
            f"There is no level {level[:24]!a}; choose from {', '.join(LEVELS)}."
        )
    moves = [
        m for m in legal_moves(state) if not seen or apply_move(state, m) not in seen
    ]
    return moves[below(len(moves))] if moves else None

"""Built-in players: they see a view, as a person does, and choose a move.

Chance comes in as ``below``, so that the same numbers give the same choices.
"""

from collections.abc import Callable, Set as AbstractSet
from typing import TypeAlias

from .cards import RANK, SUIT, Pile
from .errors import UnknownLevelError
from .model import State
from .moves import Move, Take
from .play import apply_move, count_moves, legal_moves


Below: TypeAlias = Callable[[int], int]
"""Gives a uniform number of ``range(n)``."""

LEVELS = ("random", "greedy")


def choose(
    level: str,
    state: State,
    below: Below,
    *,
    seen: AbstractSet[State] = frozenset(),
) -> Move | None:
    """Return the move that a player of this level makes in this position.

    ``state`` is what `from_view` makes of the player's view. No move is chosen that
    leads to a position in ``seen``: a player that adds every position it has been in
    never goes round in circles, and is given None (resign) once nothing else is left.
    Raises UnknownLevelError for a level not in ``LEVELS``.
    """
    if level not in LEVELS:
        raise UnknownLevelError(
            f"There is no level {level[:24]!a}; choose from {', '.join(LEVELS)}."
        )
    moves = legal_moves(state)
    if seen:
        moves = [move for move in moves if apply_move(state, move) not in seen]
    if level == "greedy" and moves:
        rate = _rating(state)
        ratings = [rate(state, move) for move in moves]
        best = max(ratings)
        moves = [
            move for move, rated in zip(moves, ratings, strict=True) if rated == best
        ]
    return moves[below(len(moves))] if moves else None


_Rate: TypeAlias = Callable[[State, Move], tuple[int, ...]]


def _rating(state: State) -> _Rate:
    """Return what a quick human goes by in this game; more is better."""
    if state.variant.foundations:
        return _by_order
    if state.variant.game == "straight-fifteens":
        return _by_size
    return _by_height


def _by_height(state: State, move: Move) -> tuple[int, ...]:
    """Shorten the tallest piles; of equal pairs, keep most others within reach."""
    assert isinstance(move, Take)
    height = sum([len(state.piles[number]) for number in move.piles])
    return height, count_moves(apply_move(state, move))


def _by_size(state: State, move: Move) -> tuple[int, ...]:
    """Take a court set at sight, else few and big cards: small ones fit anywhere."""
    assert isinstance(move, Take)
    ranks = [min(RANK[state.piles[number][-1]], 10) for number in move.piles]
    return sum(ranks) > 15, -len(ranks), sum([rank * rank for rank in ranks])


def _by_order(state: State, move: Move) -> tuple[int, ...]:
    """Go up on a foundation at sight, else leave the most room and the best order."""
    after = apply_move(state, move)
    up = [len(pile) for pile in after.piles[-after.variant.foundations :]]
    places = after.piles[: -after.variant.foundations]
    room = sum([not pile for pile in places])
    disorder = sum([_disorder(pile, up) for pile in places])
    return sum(up), 4 * room - disorder


def _disorder(pile: Pile, up: list[int]) -> int:
    """Return how far the pile is from clearing top first.

    One for each card that lies on one which must go up earlier, and two for each
    that lies on a card which could go up now; ``up`` has the suits' heights.
    """
    disorder = 0
    soonest = 14
    for height, card in enumerate(pile, 1):
        wait = RANK[card] - up[SUIT[card]]
        if wait > soonest:
            disorder += 1
        soonest = min(soonest, wait)
        if wait == 1:
            disorder += 2 * (len(pile) - height)
    return disorder

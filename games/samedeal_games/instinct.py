"""What a quick human plays by: the look of the table, no thinking ahead."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from .cards import RANK, SUIT, Pile
from .model import State
from .moves import Move, Take
from .play import apply_move, count_moves


def most_pleasing(state: State, moves: Sequence[Move]) -> list[Move]:
    """Return those of the moves, at least one, that look best at first sight."""
    rate = _rating(state)
    ratings = [rate(state, move) for move in moves]
    best = max(ratings)
    return [move for move, rated in zip(moves, ratings, strict=True) if rated == best]


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

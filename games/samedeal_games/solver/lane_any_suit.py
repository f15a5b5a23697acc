"""Private Lane, building regardless of suit: best first, with moves of many steps.

Nearly every deal can be won, and in many ways, so the point is not to go through all
positions but to have the right one next. A
search that runs out of positions has been everywhere, and has proved the deal lost.
"""

from heapq import heappop, heappush
from itertools import chain
from typing import NamedTuple

from ..cards import RANK, Pile
from ..model import State
from .lane_choices import CELLS, PILES, Position, moves_from
from .lane_moves import Step, as_moves
from .solution import Solution, Verdict


_PATIENCE = 300  # Positions before the first new beginning, with other weights.


class _Weights(NamedTuple):
    """What makes a position worse, in points."""

    breaks: int  # For each card that lies on one it does not fit.
    inversions: int  # For each card that lies above one of lower rank.
    held: int  # For each card in a cell.
    gone: int  # For each empty pile, to its credit.


_WEIGHTS = (
    _Weights(breaks=2, inversions=2, held=6, gone=4),
    _Weights(breaks=2, inversions=1, held=6, gone=6),
    _Weights(breaks=2, inversions=1, held=8, gone=4),
    _Weights(breaks=2, inversions=1, held=4, gone=4),
    _Weights(breaks=3, inversions=2, held=6, gone=4),
)


def solve_any_suit(state: State, max_nodes: int) -> Solution:
    """Solve, beginning anew with other weights when it takes long."""
    start = Position(
        state.piles[:PILES],
        tuple(chain.from_iterable(state.piles[PILES : PILES + CELLS])),
        tuple([len(pile) for pile in state.piles[PILES + CELLS :]]),
    )
    best, best_path = 52 - sum(start.up), list[Step]()
    nodes, limit, turn = 0, _PATIENCE, 0
    while True:
        weights = _WEIGHTS[turn % len(_WEIGHTS)]
        allowed = min(limit, max_nodes - nodes)
        left, path, done, used = _search(start, weights, allowed)
        nodes += used
        if left < best:
            best, best_path = left, path
        if done or nodes >= max_nodes:
            break
        limit, turn = limit * 3 // 2, turn + 1
    verdict = Verdict.LOST if done else Verdict.UNKNOWN
    if not best:
        verdict = Verdict.WON
    return Solution(verdict, as_moves(state, best_path), best, done, nodes)


def _search(
    start: Position, weights: _Weights, max_nodes: int
) -> tuple[int, list[Step], bool, int]:
    """Return the fewest cards left, the way there, whether proven, and the nodes."""
    points = _Points(weights)
    # A position's number: from which one it was reached, and how.
    found: list[tuple[int, tuple[Step, ...]]] = [(0, ())]
    heap = [(0, 0, start)]
    met = {frozenset((*start.piles, *start.cells))}
    best, best_number = 52 - sum(start.up), 0
    nodes = 0
    while heap and best and nodes < max_nodes:
        _, number, position = heappop(heap)
        nodes += 1
        left = 52 - sum(position.up)
        if left < best:
            best, best_number = left, -number
        for after, steps in moves_from(position):
            # Which cards are up follows from where the others are; for a card in a
            # cell stands its number, for a pile its cards.
            key = frozenset((*after.piles, *after.cells))
            if key not in met:
                met.add(key)
                # Of equals the latest goes first.
                heappush(heap, (points.of(after), -len(found), after))
                found.append((-number, steps))
    path: list[tuple[Step, ...]] = []
    while best_number:
        best_number, steps = found[best_number]
        path.append(steps)
    return best, [*chain(*reversed(path))], not best or not heap, nodes


class _Points:
    """How bad positions are; remembers what it has worked out of piles."""

    def __init__(self, weights: _Weights) -> None:
        self._weights = weights
        self._piles: dict[Pile, int] = {(): -weights.gone}

    def of(self, position: Position) -> int:
        """Return points for order and room, cards to go, and cards in their way."""
        piles, cells, up = position
        known = self._piles
        points = 52 - sum(up) + self._weights.held * len(cells)
        wanted = [suit * 13 + height for suit, height in enumerate(up) if height < 13]
        for pile in piles:
            if pile not in known:
                known[pile] = self._of_pile(pile)
            points += known[pile]
            for card in wanted:
                if card in pile:
                    points += len(pile) - 1 - pile.index(card)
        return points

    def _of_pile(self, pile: Pile) -> int:
        breaks = inversions = 0
        lowest = above = RANK[pile[0]]
        for card in pile[1:]:
            rank = RANK[card]
            breaks += rank != above - 1
            inversions += rank > lowest
            lowest = min(lowest, rank)
            above = rank
        weights = self._weights
        return weights.breaks * breaks + weights.inversions * inversions

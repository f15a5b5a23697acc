"""Depth first through the sets of Straight Fifteens, with a memo of positions.

Nothing but ranks matters, and not even where cards lie: what is in sight is what
came from the deal so far, less what was taken. So a position is one integer, the
*key*: how many of each rank are in sight, and how many cards came from the stock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..cards import RANK
from ..model import State
from ..moves import Move, Take
from ..play import apply_move


Ranks: TypeAlias = tuple[int, ...]

_BITS = 6  # For how many cards of a rank are in sight: up to 16, and a guard bit.
_DRAWN = _BITS * 14
_IN_SIGHT = (1 << _DRAWN) - 1
_GUARDS = sum([1 << _BITS * rank + _BITS - 1 for rank in range(14)])


@dataclass(frozen=True, slots=True)
class Sets:
    """What may be taken in a search, as ranks."""

    choices: list[Ranks]
    safe: list[Ranks]  # To be taken at once wherever they can be.
    alike: Ranks  # Not told apart: any serves where the first of them is asked for.


class SetSearch:
    """A search from one position with the same sets throughout."""

    def __init__(self, sight: Sequence[int], stock: Sequence[int], sets: Sets) -> None:
        self._sets = sets
        self._same = [*range(14)]
        for rank in sets.alike:
            self._same[rank] = sets.alike[0]
        self._start = _packed([self._same[rank] for rank in sight])
        self._cards = len(sight) + len(stock)
        # What is in sight of the stock alone, by how many were drawn; 16 may be asked
        # for when no more are there.
        drawn = [0]
        for rank in stock:
            drawn.append(drawn[-1] + (1 << _BITS * self._same[rank]) + (1 << _DRAWN))
        self._drawn = drawn + drawn[-1:] * 16

    def run(self, order: int, max_nodes: int) -> tuple[int, list[Ranks], bool, int]:
        """Return the fewest cards left, the way there, whether proven, and the nodes.

        ``order`` gives another order of choices for every number; with 0, sets of
        few cards go first, since small cards fit anywhere later.
        """
        sets = sorted(self._sets.choices, key=lambda ranks: -len(ranks))
        if order:
            sets.sort(key=lambda ranks: (_packed(ranks) * order) % 997)
        choices = [(_packed(ranks), len(ranks), ranks) for ranks in sets]
        safe = [(_packed(ranks), len(ranks), ranks) for ranks in self._sets.safe]
        best, best_path = self._cards, list[Ranks]()
        cards_left, path = self._cards, list[Ranks]()
        drawn = self._drawn
        untried: list[list[tuple[int, Ranks]]] = [[(self._start, ())]]
        met: set[int] = set()
        while untried and best and len(met) < max_nodes:
            if not untried[-1]:
                untried.pop()
                if path:
                    cards_left += len(path.pop())
                continue
            key, ranks = untried[-1].pop()
            if key in met:
                continue
            met.add(key)
            path.append(ranks)
            cards_left -= len(ranks)
            if cards_left < best:
                best, best_path = cards_left, path[1:]
            sight = key & _IN_SIGHT | _GUARDS
            gone = key >> _DRAWN
            before = key - drawn[gone]
            found: list[tuple[int, Ranks]] = []
            for need, size, ranks in safe:
                if (sight - need) & _GUARDS == _GUARDS:
                    found = [(before - need + drawn[gone + size], ranks)]
                    break
            else:
                found = [
                    (before - need + drawn[gone + size], ranks)
                    for need, size, ranks in choices
                    if (sight - need) & _GUARDS == _GUARDS
                ]
            untried.append(found)
        return best, best_path, not best or not any(untried), len(met)

    def line(self, state: State, path: Sequence[Ranks]) -> tuple[Move, ...]:
        """Put a path from ``state``, where the search began, into moves."""
        line: list[Move] = []
        for ranks in path:
            numbers: list[int] = []
            for rank in ranks:
                numbers.append(
                    next(
                        number
                        for number, pile in enumerate(state.piles)
                        if pile
                        and self._same[RANK[pile[-1]]] == rank
                        and number not in numbers
                    )
                )
            move = Take(tuple(sorted(numbers)))
            line.append(move)
            state = apply_move(state, move)
        return tuple(line)


def _packed(ranks: Sequence[int]) -> int:
    return sum([1 << _BITS * rank for rank in ranks])

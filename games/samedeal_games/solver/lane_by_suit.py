"""Private Lane, building by suit: every position that matters, depth first.

A card has one place on the tableau besides an empty pile: the next higher card of
its suit. So a position is told by little, put into one integer, the *key*: how much
of each dealt pile is untouched, how high the foundations are, which cards lie in
cells, and which were put on empty piles; every other card lies on the next higher of
its suit. Neither the order of piles nor that of cells is in it.

Four rules leave out moves without losing a win:

1. A card that can go up goes up at once. It could only serve as a place for the next
   lower of its suit, which is up already.
2. A run of three or more from a king at the bottom stays. Its king and queen could go
   to cells, but a third card would have to take an empty pile for the one it frees. So
   nothing is lost when a card is put on such a run, and it is put there at once.
3. From a pile to an empty pile goes only what finds no empty cell: with one, it goes
   there first, since from the cell it can go to that pile at any time.
4. From a cell to an empty pile goes a card only when the other cell is taken, or the
   next lower of its suit is there to be put on it. Till then it can wait in its cell.

To put a card from a cell onto the next higher of its suit at once would lose wins:
the way on may be to move that one first, and leads through the same position.
"""

from itertools import chain
from typing import TypeAlias

from ..cards import RANK, SUIT, Card, Pile
from ..model import State
from .lane_moves import CELL, EMPTY, FOUNDATION, Step, as_moves
from .solution import Solution, Verdict


_PILES = 8
_CELLS = 2
_HEIGHT = 5  # Bits for how many cards of a pile are untouched.
_CELL = _HEIGHT * _PILES  # Where the fields of a key begin: one bit a card,
_BASE = _CELL + 52
_UP = _BASE + 52  # and four bits a suit.
_KING = 13
_RUN = [tuple(range(card - RANK[card] + _KING, card - 1, -1)) for card in range(52)]
"""Card to the run from its king down to it."""

_Choice: TypeAlias = tuple[int, int, int]
"""The key after it, where from (a pile, or after these a cell) and where to."""

_TO_CELL, _TO_FOUNDATION = _PILES, _PILES + 1


def solve_by_suit(state: State, max_nodes: int) -> Solution:
    """Solve, or search through all that can be reached."""
    position = _Position.of(state)
    dealt = position.piles
    best, best_path = position.left, list[Step]()
    path: list[Step] = []
    positions = [position]
    untried = [_choices(position, dealt)]
    met = {position.key}
    while untried and best and len(met) < max_nodes:
        if not untried[-1]:
            untried.pop()
            positions.pop()
            if path:
                path.pop()
            continue
        choice = untried[-1].pop()
        if choice[0] in met:
            continue
        met.add(choice[0])
        step, position = _after(positions[-1], dealt, choice)
        path.append(step)
        positions.append(position)
        untried.append(_choices(position, dealt))
        if position.left < best:
            best, best_path = position.left, path.copy()
    done = not best or not any(untried)
    verdict = Verdict.LOST if done else Verdict.UNKNOWN
    if not best:
        verdict = Verdict.WON
    return Solution(verdict, as_moves(state, best_path), best, done, len(met))


class _Position:
    """A position in the search; nothing in it is ever changed."""

    __slots__ = ("cells", "key", "left", "piles", "up", "whole")

    def __init__(
        self,
        piles: list[Pile],
        whole: list[int],
        cells: Pile,
        up: list[int],
        key: int,
    ) -> None:
        self.piles = piles
        self.whole = whole
        """How many cards of each dealt pile are untouched; 0 once they are but a run,
        which might as well have been built on an empty pile."""
        self.cells = cells
        self.up = up
        self.key = key
        self.left = 52 - sum(up)

    @classmethod
    def of(cls, state: State) -> "_Position":
        """Return the position to start from."""
        piles = [*state.piles[:_PILES]]
        whole = [0 if _is_run(pile) else len(pile) for pile in piles]
        cells = tuple(chain.from_iterable(state.piles[_PILES : _PILES + _CELLS]))
        up = [len(pile) for pile in state.piles[_PILES + _CELLS :]]
        key = sum([1 << _CELL + card for card in cells])
        for number, pile in enumerate(piles):
            key += whole[number] << _HEIGHT * number
            if pile and not whole[number]:
                key += 1 << _BASE + pile[0]
        for suit, height in enumerate(up):
            key += height << _UP + 4 * suit
        return cls(piles, whole, cells, up, key)


def _choices(position: _Position, dealt: list[Pile]) -> list[_Choice]:
    """Return what to try, the most promising last; a safe step alone."""
    piles, cells, up = position.piles, position.cells, position.up
    key, whole = position.key, position.whole
    tops = {pile[-1]: number for number, pile in enumerate(piles) if pile}
    for number, card in enumerate(cells, _PILES):
        suit = SUIT[card]
        if RANK[card] == up[suit] + 1:  # Rule 1.
            key += (1 << _UP + 4 * suit) - (1 << _CELL + card)
            return [(key, number, _TO_FOUNDATION)]
    onto: list[_Choice] = []
    into: list[_Choice] = []
    room = len(cells) < _CELLS
    empty = piles.index(()) if len(tops) < _PILES else -1
    for card, number in tops.items():
        pile = piles[number]
        height = len(pile)
        # The key without the card.
        if height > whole[number]:
            less = key - (1 << _BASE + card) if height == 1 else key
        elif _is_run(pile[:-1]):
            less = key + (1 << _BASE + pile[0]) - (height << _HEIGHT * number)
        else:
            less = key - (1 << _HEIGHT * number)
        rank, suit = RANK[card], SUIT[card]
        if rank == up[suit] + 1:  # Rule 1.
            return [(less + (1 << _UP + 4 * suit), number, _TO_FOUNDATION)]
        if height > 2 and pile == _RUN[card]:  # Rule 2.
            continue
        if rank < _KING and card + 1 in tops:
            target = tops[card + 1]
            other = piles[target]
            more = less
            if _comes_back(other, whole[target], dealt[target], card):
                more += 1 << _HEIGHT * target
            if len(other) > 2 and other == _RUN[card + 1]:  # Rule 2.
                return [(more, number, target)]
            onto.append((more, number, target))
        if room:
            into.append((less + (1 << _CELL + card), number, _TO_CELL))
        elif empty >= 0 and height > 1:  # Rule 3.
            into.append((less + (1 << _BASE + card), number, empty))
    for number, card in enumerate(cells, _PILES):
        if RANK[card] < _KING and card + 1 in tops:
            target = tops[card + 1]
            more = key - (1 << _CELL + card)
            if _comes_back(piles[target], whole[target], dealt[target], card):
                more += 1 << _HEIGHT * target
            onto.append((more, number, target))
    if empty >= 0:
        for number, card in enumerate(cells, _PILES):
            if not room or (RANK[card] > 1 and card - 1 in tops):  # Rule 4.
                less = key - (1 << _CELL + card)
                onto.append((less + (1 << _BASE + card), number, empty))
    return into + onto


def _is_run(pile: Pile) -> bool:
    """Whether the pile goes down in its suit by one from the bottom, or is empty."""
    return pile == _RUN[pile[-1]][-len(pile) :] if pile else True


def _comes_back(pile: Pile, whole: int, dealt: Pile, card: Card) -> bool:
    """Whether the card put on the pile is where it was dealt."""
    return 0 < whole == len(pile) < len(dealt) and dealt[whole] == card


def _after(
    position: _Position, dealt: list[Pile], choice: _Choice
) -> tuple[Step, _Position]:
    """Return the choice as a step, and the position after it."""
    key, source, target = choice
    piles, whole, up = position.piles.copy(), position.whole, position.up
    cells = position.cells
    if source < _PILES:
        pile = piles[source]
        card = pile[-1]
        if len(pile) == whole[source]:
            whole = whole.copy()
            whole[source] = 0 if _is_run(pile[:-1]) else len(pile) - 1
        piles[source] = pile[:-1]
    else:
        card = cells[source - _PILES]
        cells = cells[: source - _PILES] + cells[source - _PILES + 1 :]
    if target == _TO_FOUNDATION:
        place = FOUNDATION
        up = up.copy()
        up[SUIT[card]] += 1
    elif target == _TO_CELL:
        place = CELL
        cells += (card,)
    else:
        pile = piles[target]
        place = pile[-1] if pile else EMPTY
        if _comes_back(pile, whole[target], dealt[target], card):
            whole = whole.copy()
            whole[target] += 1
        piles[target] = (*pile, card)
    return (card, place), _Position(piles, whole, cells, up, key)

"""What can be tried in games in which two tops are taken, by keys of positions.

A position is one integer, the *key*: of every pile with two cards or more the
height, of the piles with one card only how many there are of each rank, and how
many cards were taken from the stock. That is all that matters. What lies in a pile
of two or more is known from its height, since piles only lose cards until they are
down to one; a pile of one card will be empty or refilled when that card goes,
wherever it stands, so that one such pile is as good as another; and what the stock
still holds is known from how much is gone. The number of cards left is in the key
as well, so no position can come back and the search needs no other guard.

Taking earlier what will be taken anyway never hurts: every other card within reach
stays within reach, and the stock is only drawn further. From this follow two cuts,
neither of which loses a line that clears more:

- Two cards that can be taken together are taken at once when no others are left
  with which either of them could go. Without a stock it is enough that all such
  others lie at the bottom of their piles: had the line paired these two with others,
  the others can be paired with each other as soon as both are within reach, and
  keeping one of them till then blocks nothing.
- Without a stock, two piles of one card are taken together only at the end.
"""

from itertools import combinations, product
from typing import TypeAlias

from ..cards import RANK
from ..model import State


Choice: TypeAlias = tuple[int, int, int]
"""The key after it, and what is taken: two piles, or below zero a rank's lone card."""

_Top: TypeAlias = tuple[int, int, int]
"""How early to take it, what taking its top adds to a key, and its number as above."""

_BITS = 4  # For a pile's height, and for how many cards of a rank lie alone.
_MASK = (1 << _BITS) - 1
_COUNT = 8  # For how many cards there are of a couple: two ranks that go together.
_COUNTED = (1 << _COUNT) - 1


class PairTable:
    """What stays the same throughout the search from one position."""

    def __init__(self, state: State, add_to: int | None, order: int) -> None:
        piles = [[RANK[card] for card in pile] for pile in state.piles]
        stock = [RANK[card] for card in state.stock]
        assert max(map(len, piles)) <= _MASK
        partner = [rank if add_to is None else add_to - rank for rank in range(14)]
        lone = [_BITS * (len(piles) + rank) for rank in range(14)]
        couple = [1 << _COUNT * min(rank, partner[rank]) for rank in range(14)]
        self._couples = [
            (rank, partner[rank], lone[rank], lone[partner[rank]], couple[rank])
            for rank in range(1, 14)
            if rank <= partner[rank] <= 13
        ]
        self._stocked = len(stock)
        self._drawn = lone[13] + _BITS
        draws = [(1 << lone[rank]) + (1 << self._drawn) for rank in stock]
        self._draws = [*draws, 0, 0]
        self._in_stock = [
            sum([couple[rank] for rank in stock[drawn:]])
            for drawn in range(len(stock) + 1)
        ]
        self._with_stock, self._without_stock = (
            [
                _by_height(number, pile, lone, couple, bottom, order)
                for number, pile in enumerate(piles)
            ]
            for bottom in (0, 1)
        )
        self.cards = sum(map(len, piles)) + len(stock)
        self.start = 0
        for number, pile in enumerate(piles):
            if len(pile) > 1:
                self.start += len(pile) << _BITS * number
            elif pile:
                self.start += 1 << lone[pile[0]]

    def choices(self, key: int) -> list[Choice]:
        """Return what to try in this position, the most promising last."""
        drawn = key >> self._drawn
        stocked = drawn < self._stocked
        counts = self._in_stock[drawn]  # How many cards there are of each couple.
        tops: list[list[_Top]] = [[] for _ in range(14)]
        for shift, rows in self._with_stock if stocked else self._without_stock:
            height = key >> shift & _MASK
            if height:
                rank, top, count = rows[height]
                counts += count
                tops[rank].append(top)
        draw, next_draw = self._draws[drawn : drawn + 2]
        found: list[tuple[int, int, int, int]] = []
        for rank, partner, shift, other_shift, one in self._couples:
            lone = key >> shift & _MASK
            lone_other = key >> other_shift & _MASK
            ones = tops[rank]
            if rank == partner:
                pairs = list(combinations(ones, 2))
                if lone:
                    alone = (4, draw - (1 << shift), -rank)
                    pairs += [(top, alone) for top in ones]
                    if lone > 1 and stocked:
                        pairs.append((alone, (4, next_draw - (1 << shift), -rank)))
            else:
                others = tops[partner]
                pairs = list(product(ones, others)) if ones and others else []
                if lone and (others or lone_other):
                    alone = (4, draw - (1 << shift), -rank)
                    pairs += [(alone, top) for top in others]
                    if lone_other and stocked:
                        pairs.append(
                            (alone, (4, next_draw - (1 << other_shift), -partner))
                        )
                if lone_other and ones:
                    alone = (4, draw - (1 << other_shift), -partner)
                    pairs += [(top, alone) for top in ones]
                lone += lone_other
            if not pairs:
                continue
            (_, less, number), (_, less_too, number_too) = pairs[-1]
            rest = counts // one & _COUNTED
            if stocked:
                safe = rest + lone == 2
            else:
                safe = rest == (number >= 0) + (number_too >= 0)
            if safe:
                return [(key + less + less_too, number, number_too)]
            found += [
                (height + height_too, less + less_too, number, number_too)
                for (height, less, number), (height_too, less_too, number_too) in pairs
            ]
        found.sort()
        return [(key + less, number, other) for _, less, number, other in found]

    def lone_pairs(self, key: int) -> list[Choice]:
        """Return what can be taken when nothing but cards that lie alone can be.

        That is nothing as long as there is a stock, since `choices` has them then.
        """
        if key >> self._drawn < self._stocked:
            return []
        taken: list[Choice] = []
        for rank, partner, shift, other_shift, _ in self._couples:
            lone = key >> shift & _MASK
            pairs = lone // 2
            if rank != partner:
                pairs = min(lone, key >> other_shift & _MASK)
            taken += [(0, -rank, -partner)] * pairs
        return taken


def _by_height(
    number: int,
    pile: list[int],
    lone: list[int],
    couple: list[int],
    bottom: int,
    order: int,
) -> tuple[int, list[tuple[int, _Top, int]]]:
    """Return of a pile its shift in a key and, by its height, what there is to know.

    That is the top's rank, the top, and one in the field of its couple for each card
    from ``bottom`` up.
    """
    shift = _BITS * number
    rows = [(0, (0, 0, 0), 0)] * 2
    for height in range(2, len(pile) + 1):
        less = -(1 << shift)
        if height == 2:  # What remains is a card that lies alone.
            less += less + (1 << lone[pile[0]])
        count = sum([couple[rank] for rank in pile[bottom:height]])
        weight = 4 * height + order * (7 * number + 5 * height) % 11
        rows.append((pile[height - 1], (weight, less, number), count))
    return shift, rows

"""Two players on the same deals: which of them does better?"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb


@dataclass(frozen=True, slots=True)
class Paired:
    """On how many deals the one had less than the other, and more."""

    less: int
    more: int

    @property
    def chance(self) -> float:
        """How probable as large a difference between equals is: a sign test.

        Two-sided and exact; deals on which both came equally far do not count.
        """
        deals = self.less + self.more
        tail = sum([comb(deals, few) for few in range(min(self.less, self.more) + 1)])
        return min(1.0, 2 * tail / (1 << deals))

    def __str__(self) -> str:
        chance = f"p={self.chance:.3f}" if self.chance >= 0.001 else "p<0.001"
        return f"{self.less} : {self.more}  {chance}"


def paired(one: Sequence[int], other: Sequence[int]) -> Paired:
    """Compare, item by item, what two players had left."""
    items = [*zip(one, other, strict=True)]
    return Paired(sum([a < b for a, b in items]), sum([a > b for a, b in items]))

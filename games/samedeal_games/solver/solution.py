"""What a solver answers."""

import enum
from dataclasses import dataclass

from ..moves import Move


class Verdict(enum.Enum):
    """Whether a position can be cleared."""

    WON = "won"  # There is a line that clears it.
    LOST = "lost"  # Proven: no line does.
    UNKNOWN = "unknown"  # The search ended before it could tell.


@dataclass(frozen=True, slots=True)
class Solution:
    """The verdict on a position, and the best line that was found.

    ``line`` clears everything where the verdict is WON, and otherwise leaves
    ``left`` cards; ``exact`` says that no line whatever leaves fewer. ``nodes`` is
    the work done, in positions looked at.
    """

    verdict: Verdict
    line: tuple[Move, ...]
    left: int
    exact: bool
    nodes: int

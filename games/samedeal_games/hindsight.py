"""Looking back on a game: until when it could be won, and what lost it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from .model import State
from .moves import Move
from .play import apply_move
from .solver import MAX_NODES, Solution, Verdict, solve


# So many whole searches more where some positions are beyond one.
_BEYOND = 16


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What could have become of a deal that was played.

    ``verdict`` is on the deal itself. After ``turn`` moves it could still be cleared,
    as ``line`` shows; ``lost_by`` is the move made then that lost it, and None where
    none did. ``certain`` says that no later position could be cleared either; where it
    is false, some were beyond the search.

    Of a deal that could not be cleared, or not within the search, ``turn`` is None and
    ``line`` leaves ``left`` cards from the start: the fewest possible where ``exact``,
    else the fewest found.
    """

    verdict: Verdict
    turn: int | None
    lost_by: Move | None
    line: tuple[Move, ...]
    certain: bool
    left: int
    exact: bool


def hindsight(
    deal: State, moves: Sequence[Move], max_nodes: int = MAX_NODES
) -> Hindsight:
    """Look back on the legal moves made from this deal, all cards known.

    Of moves taken back leave out both. A position that can be cleared comes from one
    that could, so of n positions few are searched, each to ``max_nodes`` at most; only
    where some are beyond that, more of them.
    """
    positions = [*accumulate(moves, apply_move, initial=deal)]
    last = len(moves)

    @cache
    def solved(turn: int) -> Solution:
        return solve(positions[turn], max_nodes)

    won = _last(last, lambda turn: solved(turn).verdict is Verdict.WON)
    open_until = _last(last, lambda turn: solved(turn).verdict is not Verdict.LOST)
    if won is None:
        whole = solved(0)
        certain = whole.verdict is Verdict.LOST
        return Hindsight(
            whole.verdict, None, None, whole.line, certain, whole.left, whole.exact
        )
    assert open_until is not None
    spent = 0
    for turn in range(open_until, won, -1):
        # Between what is won and what is lost lies what is beyond the search. It parts
        # the positions in no order, and the later ones are the easier ones.
        if solved(turn).verdict is Verdict.WON:
            won = turn
            break
        spent += solved(turn).nodes
        if spent > _BEYOND * max_nodes:
            break
    certain = won == open_until
    lost_by = moves[won] if certain and won < last else None
    line = solved(won).line
    return Hindsight(Verdict.WON, won, lost_by, line, certain, 0, True)


def _last(last: int, holds: Callable[[int], bool]) -> int | None:
    """Return the last turn for which something holds that, once gone, stays gone."""
    if not holds(0):
        return None
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low

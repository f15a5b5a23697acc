"""Simple Pairs: the deal alone decides, whatever is taken first.

With a stock all nine piles have a card. After m moves the first 9 + 2m cards have
been dealt and every rank has lost an even number of them, so the ranks in sight an
odd number of times are those dealt an odd number of times; nothing can be taken
exactly when these are nine. Without a stock what is left are the ranks that were
dealt an odd number of times. Only parities count, so any line is a best line.
"""

from ..cards import RANK
from ..model import State
from ..moves import Move
from ..play import apply_move, legal_moves
from .solution import Solution, Verdict


def solve_simple_pairs(state: State) -> Solution:
    """Solve by the closed form; one node."""
    left = _left_at_the_end(state)
    line: list[Move] = []
    while moves := legal_moves(state):
        line.append(moves[0])
        state = apply_move(state, moves[0])
    verdict = Verdict.LOST if left else Verdict.WON
    return Solution(verdict, tuple(line), left, True, 1)


def _left_at_the_end(state: State) -> int:
    tops = [RANK[pile[-1]] for pile in state.piles if pile]
    stock = [RANK[card] for card in state.stock]
    odd = 0  # Bit r: rank r was dealt an odd number of times.
    for rank in tops:
        odd ^= 1 << rank
    for taken in range(0, len(stock), 2):
        if odd.bit_count() == len(tops):
            return len(tops) + len(stock) - taken
        for rank in stock[taken : taken + 2]:
            odd ^= 1 << rank
    return odd.bit_count()

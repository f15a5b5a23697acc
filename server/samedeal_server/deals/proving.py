"""The process that looks for deals that can be won.

`python -m samedeal_server.deals.proving` reads a game and a variant a line and
answers each with a seed proved winnable, in hex. It runs at the lowest priority
and ends with its parent, whose death closes its input.
"""

import os
import secrets
import sys

from samedeal_games import Variant, deal, find_variant, outcome
from samedeal_games.solver import Verdict, solve


# Positions looked at in one deal before the next is tried.
MAX_NODES = 30_000


def find_seed(variant: Variant) -> bytes:
    """A random seed whose deal is proved winnable."""
    while True:
        seed = secrets.token_bytes(16)
        state = deal(variant, seed)
        if outcome(state) is None and solve(state, MAX_NODES).verdict is Verdict.WON:
            return seed


def main() -> None:
    """Answer requests until the input ends."""
    os.nice(19)
    for line in sys.stdin:
        game, variant = line.split()
        sys.stdout.write(find_seed(find_variant(game, variant)).hex() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

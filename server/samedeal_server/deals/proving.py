"""The process that looks for deals that can be won.

`python -m samedeal_server.deals.proving PARENT` reads a game and a variant a line and
answers each with a seed proved winnable, in hex. It runs at the lowest priority
and ends with its parent: after the deal it is looking at, or when its input ends.
"""

import os
import secrets
import sys

from samedeal_games import Variant, deal, find_variant, outcome
from samedeal_games.solver import Verdict, solve


# Positions looked at in one deal before the next is tried.
MAX_NODES = 30_000


def try_seed(variant: Variant) -> bytes | None:
    """A random seed, if its deal is proved winnable."""
    seed = secrets.token_bytes(16)
    state = deal(variant, seed)
    if outcome(state) is not None:
        return None
    return seed if solve(state, MAX_NODES).verdict is Verdict.WON else None


def main() -> None:
    """Answer requests until the input ends, or the parent is not there any more."""
    os.nice(19)
    parent = int(sys.argv[1])
    for line in sys.stdin:
        variant = find_variant(*line.split())
        seed = None
        while seed is None:
            seed = try_seed(variant)
            if os.getppid() != parent:
                return  # It was killed.
        sys.stdout.write(seed.hex() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

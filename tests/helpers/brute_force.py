"""Every position that can be reached, by the rules alone: slow, and hard to get wrong.

Shares nothing with the solvers. Piles are told apart by what is in them, not by where
they stand, which no rule depends on but for the order of refills; and that changes
only which place a card comes to lie in.
"""

from samedeal_games import State, apply_move, left, legal_moves


def fewest_left(state: State, limit: int) -> int | None:
    """Return the fewest cards that any line leaves, None past ``limit`` positions."""
    met = {_unordered(state)}
    untried = [state]
    fewest = left(state)
    while untried and fewest:
        state = untried.pop()
        fewest = min(fewest, left(state))
        for move in legal_moves(state):
            after = apply_move(state, move)
            key = _unordered(after)
            if key not in met:
                met.add(key)
                untried.append(after)
        if len(met) > limit:
            return None
    return fewest


def _unordered(state: State) -> tuple[object, ...]:
    names, piles = state.variant.piles, state.piles
    tableau = [pile for name, pile in zip(names, piles, strict=True) if name[0] == "t"]
    cells = [pile for name, pile in zip(names, piles, strict=True) if name[0] == "c"]
    up = [pile for name, pile in zip(names, piles, strict=True) if name[0] == "f"]
    return tuple(sorted(tableau)), tuple(sorted(cells)), tuple(up), state.stock

"""How the cards that a player cannot see may lie."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TypeAlias

from .cards import HIDDEN, RANK, Card, ordered_deck
from .model import State


Below: TypeAlias = Callable[[int], int]
"""Gives a uniform number of ``range(n)``."""


def imagine(state: State, gone: Iterable[Card], below: Below) -> State:
    """Return the position with its hidden cards replaced by cards not yet seen.

    ``gone`` are the cards that the player saw taken. Unseen cards that find no place
    in the position were sealed, or taken without the player's remembering: those of
    Doublets and Juvenile in couples, as they can only have gone.
    """
    hidden = [*chain(*state.piles), *state.stock].count(HIDDEN)
    unseen = _unseen(state, gone, below)
    if state.variant.game != "straight-fifteens":
        unseen = _without_couples(unseen, hidden, state.variant.game == "juvenile")
    fill = iter(unseen[:hidden])
    piles = [
        tuple([next(fill) if card == HIDDEN else card for card in pile])
        for pile in state.piles
    ]
    return State(state.variant, tuple(piles), tuple([next(fill) for _ in state.stock]))


def _unseen(state: State, gone: Iterable[Card], below: Below) -> list[Card]:
    """Return, shuffled, the deck without what is in sight or gone."""
    left = Counter(ordered_deck(state.variant.decks))
    left.subtract(chain(gone, *state.piles))
    del left[HIDDEN]
    unseen = [*left.elements()]
    for last in range(len(unseen) - 1, 0, -1):
        other = below(last + 1)
        unseen[last], unseen[other] = unseen[other], unseen[last]
    return unseen


def _without_couples(unseen: list[Card], size: int, to_14: bool) -> list[Card]:
    """Return the cards less couples, the last ones first, down to ``size``."""
    kept: list[Card] = []
    unseen = unseen.copy()
    while unseen and len(unseen) + len(kept) >= size + 2:
        card = unseen.pop()
        wanted = 14 - RANK[card] if to_14 else RANK[card]
        for index, other in enumerate(unseen):
            if RANK[other] == wanted:
                del unseen[index]
                break
        else:
            kept.append(card)
    return unseen + kept

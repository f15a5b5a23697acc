"""What the four games share in which tops are taken out of play together."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from .cards import Card, Pile
from .model import Layout, State
from .moves import Move, Shift, Take, quoted


def deal_around(cards: Sequence[Card], piles: int) -> tuple[Pile, ...]:
    """Deal card k to pile k mod ``piles``."""
    dealt = tuple(cards)
    return tuple([dealt[first::piles] for first in range(piles)])


def around_then_stock(piles: int, dealt: int) -> Callable[[Sequence[Card]], Layout]:
    """Return a layout: so many cards around the piles, the others in the stock."""
    return lambda deck: (deal_around(deck[:dealt], piles), tuple(deck[dealt:]))


def tableau(piles: int) -> tuple[str, ...]:
    """Return the names of so many tableau piles: t0, t1 …"""
    return tuple([f"t{number}" for number in range(piles)])


def take(state: State, move: Move) -> State:
    """Return the position after taking those tops and refilling what they emptied.

    Assumes that the move is legal, so that its piles ascend: the lowest-numbered
    emptied pile is refilled first, and the rest stay empty when the stock runs out.
    """
    assert isinstance(move, Take)
    piles, stock = list(state.piles), state.stock
    for number in move.piles:
        pile = piles[number][:-1]
        if not pile and stock:
            pile = stock[:1]
            stock = stock[1:]
        piles[number] = pile
    return State(state.variant, tuple(piles), stock)


def cannot_take(state: State, move: Move) -> str | None:
    """Say why these piles have no tops to take, or None where they all have."""
    if isinstance(move, Shift):
        return f"{quoted(move)}: in this game cards are taken out of play, never moved."
    numbers = move.piles
    last = len(state.piles) - 1
    if any(not 0 <= number <= last for number in numbers):
        return f"{quoted(move)}: the piles of this game are t0 to t{last}."
    if any(low >= high for low, high in pairwise(numbers)):
        return f"{quoted(move)}: a take names different piles in ascending order."
    empty = [f"t{number}" for number in numbers if not state.piles[number]]
    if empty:
        are = "is" if len(empty) == 1 else "are"
        return f"{quoted(move)}: {' and '.join(empty)} {are} empty."
    return None

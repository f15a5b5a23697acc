"""Views: what a player may see of a position, and a position made from that.

`view` is the only function that redacts: whatever is told to anybody about cards
in play goes through it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from .cards import HIDDEN, HIDDEN_TEXT, SUITS, TEXT, Pile, card_text, parse_card
from .errors import GameError, InvalidViewError
from .model import State, Variant


STOCK: Final = "stock"


def view(state: State) -> dict[str, list[str]]:
    """Return what a player may see: pile name to card texts, bottom first.

    Every pile is there, empty ones too; the stock only in variants that have one,
    as ``??`` for each card still to come.
    """
    variant = state.variant
    piles = {
        name: _shown(variant, pile)
        for name, pile in zip(variant.piles, state.piles, strict=True)
    }
    if variant.has_stock:
        piles[STOCK] = [HIDDEN_TEXT] * len(state.stock)
    return piles


def view_patch(before: State, after: State) -> dict[str, tuple[int, list[str]]]:
    """Return how the view of one position becomes that of another of the same game.

    For each pile that looks different: how many cards stay, from the bottom, as
    many as can be, and which are put on top of them. Much cheaper than comparing
    whole views, since a move leaves the other piles the very same objects.
    """
    variant = before.variant
    patch: dict[str, tuple[int, list[str]]] = {}
    # Of one variant, so as many of each; strict, this would be a call where compiled.
    for name, then, now in zip(variant.piles, before.piles, after.piles):  # noqa: B905
        if then is now:
            continue
        added: list[str] = []
        if variant.covered:
            old, new = _shown(variant, then), _shown(variant, now)
            keep = _common_prefix(old, new)
            added = new[keep:]
        else:
            # A pile refilled from the stock has nothing in common with what it was.
            alike = then and now and then[0] == now[0]
            keep = _common_prefix(then, now) if alike else 0
            if keep < len(now):
                added = [TEXT[card] for card in now[keep:]]
        if added or keep < len(then):
            patch[name] = (keep, added)
    had, have = len(before.stock), len(after.stock)
    if had != have:
        keep = min(had, have)
        patch[STOCK] = (keep, [HIDDEN_TEXT] * (have - keep))
    return patch


def from_view(variant: Variant, piles: Mapping[str, Sequence[str]]) -> State:
    """Return the position as far as a view of it tells, unseen cards ``HIDDEN``.

    Legal moves depend on tops alone, so they are the real position's. Raises
    InvalidViewError where the piles are not those of a view of this variant.
    """
    names = (*variant.piles, STOCK) if variant.has_stock else variant.piles
    if set(piles) != set(names):
        raise InvalidViewError(
            f"A view of this variant has the piles {', '.join(names)}."
        )
    cards = {name: _parsed(name, piles[name]) for name in names}
    stock = cards.pop(STOCK, ())
    state = State(variant, tuple(cards.values()), stock)
    if fault := _fault(state):
        raise InvalidViewError(fault)
    return state


def exposes(before: State, after: State) -> bool:
    """Return whether the step between these positions showed the player a new card.

    That is a card dealt from the stock (a twin of the taken one is still a new
    card) or one turned up; such a step must not be undone.
    """
    if len(after.stock) != len(before.stock):
        return True
    return before.variant.covered and any(
        now and len(now) < len(then)
        for then, now in zip(before.piles, after.piles, strict=True)
    )


def _shown(variant: Variant, pile: Pile) -> list[str]:
    """Return a pile as a player sees it: the one place where a card is hidden."""
    if not variant.covered:
        return [TEXT[card] for card in pile]
    under = _face_down(variant, pile)
    return [HIDDEN_TEXT] * under + [TEXT[card] for card in pile[under:]]


def _common_prefix(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items, from the first, both have alike."""
    keep = 0
    for ours, theirs in zip(one, other, strict=False):
        if ours != theirs:
            break
        keep += 1
    return keep


def _face_down(variant: Variant, pile: Pile) -> int:
    """Return how many cards of the pile, from the bottom, lie face down."""
    return len(pile) - 1 if variant.covered and pile else 0


def _parsed(name: str, texts: Sequence[str]) -> Pile:
    try:
        return tuple([parse_card(text) for text in texts])
    except GameError as error:
        raise InvalidViewError(f"{name}: {error}") from None


def _fault(state: State) -> str | None:
    """Say what no position of the variant could look like, or None."""
    variant = state.variant
    for name, pile in zip(variant.piles, state.piles, strict=True):
        under = _face_down(variant, pile)
        if pile[:under].count(HIDDEN) != under or HIDDEN in pile[under:]:
            return f"{name}: a card faces the wrong way for this variant."
        if name[0] == "c" and len(pile) > 1:
            return f"{name}: a cell holds one card."
        if name[0] == "f" and pile != _ace_up(name, len(pile)):
            return f"{name}: a foundation goes up in its suit from the ace."
    if state.stock.count(HIDDEN) != len(state.stock):
        return "The cards of the stock are face down."
    seen = Counter(chain.from_iterable(state.piles))
    for card, copies in seen.items():
        if copies > variant.decks and card != HIDDEN:
            return f"{card_text(card)} is there {copies} times."
    if sum(map(len, state.piles)) + len(state.stock) > variant.total:
        return f"There are more than {variant.total} cards."
    return None


def _ace_up(foundation: str, height: int) -> Pile:
    """Return the foundation when so many cards of its suit are on it."""
    ace = 13 * SUITS.index(foundation[1])
    return tuple(range(ace, ace + height))

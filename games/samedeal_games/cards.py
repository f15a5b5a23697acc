"""Cards: small integers in deck order, and their text.

Card 0..51 counts through the suits clubs, diamonds, hearts, spades, each from ace
to king. The twins of a second deck are the same integers. ``HIDDEN`` stands for a
card that lies face down; the tables below have one more entry at their end, so
that indexing them with ``HIDDEN`` (-1) gives rank 0, which no card has.
"""

from typing import Final, TypeAlias

from .errors import GameError


Card: TypeAlias = int
Pile: TypeAlias = tuple[Card, ...]

HIDDEN: Final = -1
HIDDEN_TEXT: Final = "??"

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"

RANK: Final[tuple[int, ...]] = (*(card % 13 + 1 for card in range(52)), 0)
"""Card to rank, ace 1 to king 13; 0 for a hidden card."""

SUIT: Final[tuple[int, ...]] = (*(card // 13 for card in range(52)), -1)
"""Card to suit, 0 to 3 in the order of ``SUITS``; -1 for a hidden card."""

TEXT: Final = (*(rank + suit for suit in SUITS for rank in RANKS), HIDDEN_TEXT)
"""Card to text."""

_CARDS: Final = {text: card for card, text in enumerate(TEXT[:-1])} | {
    HIDDEN_TEXT: HIDDEN
}

_RANK_NAMES: Final = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


def ordered_deck(decks: int) -> list[Card]:
    """Return the unshuffled cards of so many decks, one deck after the other."""
    return list(range(52)) * decks


def card_text(card: Card) -> str:
    """Return the card's text, rank then suit as in ``Td``; ``??`` for a hidden one."""
    return TEXT[card]


def parse_card(text: str) -> Card:
    """Return the card written ``text``; the inverse of `card_text`.

    Raises GameError for any other text.
    """
    card = _CARDS.get(text)
    if card is None:
        raise GameError(
            f"{text[:24]!a} is not a card; write rank and suit, as in Td, "
            f"or {HIDDEN_TEXT} for one that is face down."
        )
    return card


def card_name(card: Card) -> str:
    """Return the card in words, as in "the 9 of clubs"."""
    if card == HIDDEN:
        return "a face-down card"
    return f"the {_RANK_NAMES[card % 13]} of {_SUIT_NAMES[card // 13]}"


def rank_name(rank: int) -> str:
    """Return the rank 1 to 13 in words: ace, 2 to 10, jack, queen, king."""
    return _RANK_NAMES[rank - 1]


def suit_name(suit: int) -> str:
    """Return the suit 0 to 3 in words, as in "clubs"."""
    return _SUIT_NAMES[suit]

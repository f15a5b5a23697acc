"""Juvenile: take two tops whose ranks add to 14."""

from collections.abc import Sequence

from .cards import Card
from .model import Game, Layout, Variant
from .pairs import pair_rules
from .taking import around_then_stock, deal_around, tableau


_RULES = pair_rules(
    partner=lambda rank: 14 - rank,
    mismatch=lambda one, other: f"add to {one + other}, not 14",
)


def _seventeen_piles(deck: Sequence[Card]) -> Layout:
    """Two cards to the first pile, then six rounds of one card to each."""
    first, *others = deal_around(deck[2:], 17)
    return ((*deck[:2], *first), *others), ()


GAME = Game(
    name="juvenile",
    title="Juvenile",
    about="Pair up cards that add to fourteen until nothing is left.",
    rules="""\
Take two cards whose ranks add to 14, each from the top of a different pile: king and
ace, queen and 2, jack and 3, 10 and 4, 9 and 5, 8 and 6, or two sevens. Suits do not
matter. Clear every card to win.

Only the top card of a pile can be taken, and cards never move from pile to pile. A
pile you empty stays empty, unless the variant has a stock: then one card from it fills
each emptied pile at once, the leftmost first, for as long as the stock lasts.

You are stuck as soon as no two tops add to 14. Every card on the table is face up, so
look at what lies under a card before you choose between two partners for it.""",
    default="one-deck",
    variants=(
        Variant(
            game="juvenile",
            name="one-deck",
            title="One deck",
            about="52 cards in eight piles, all face up, no stock.",
            piles=tableau(8),
            total=52,
            rules=_RULES,
            lay_out=around_then_stock(piles=8, dealt=52),
        ),
        Variant(
            game="juvenile",
            name="two-decks",
            title="Two decks",
            about="Eight piles of eight; 40 more cards refill the piles you empty.",
            piles=tableau(8),
            total=104,
            rules=_RULES,
            lay_out=around_then_stock(piles=8, dealt=64),
            decks=2,
            has_stock=True,
        ),
        Variant(
            game="juvenile",
            name="seventeen-piles",
            title="Seventeen piles",
            about="Two decks in seventeen piles, all face up, no stock; the easy one.",
            piles=tableau(17),
            total=104,
            rules=_RULES,
            lay_out=_seventeen_piles,
            decks=2,
        ),
    ),
)

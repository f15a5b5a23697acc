"""Doublets: take two tops of equal rank from piles that lie face down but for these."""

from collections.abc import Sequence

from .cards import RANK, Card
from .model import Game, Layout, Variant
from .pairs import equal_rank_rules
from .taking import around_then_stock, deal_around, tableau


_RULES = equal_rank_rules()


def _sealed(deck: Sequence[Card]) -> Layout:
    """Deal 48 cards around; the other four are out of play, seen by nobody."""
    return deal_around(deck[:48], 12), ()


def _in_pairs(sealed: Sequence[Card]) -> bool:
    """Whether the four sealed cards carry every rank an even number of times.

    With any other four the rest could not be cleared.
    """
    odd = 0  # A bit for each rank.
    for card in sealed:
        odd ^= 1 << RANK[card]
    return odd == 0


GAME = Game(
    name="doublets",
    title="Doublets",
    about="Match equal ranks and turn up what lies beneath.",
    rules="""\
Twelve piles of four cards, and only the top card of each is face up. Take two tops of
the same rank; suits do not matter. A card turns face up the moment the one above it is
gone. Clear every card to win.

Cards never move from pile to pile. A pile you empty stays empty, unless the variant has
a stock: then one card from it fills each emptied pile at once, the leftmost first, for
as long as the stock lasts.

You are stuck as soon as all tops differ in rank. Where three or four tops are equal you
choose which to take, and with them what you get to see.""",
    default="reserve",
    variants=(
        Variant(
            game="doublets",
            name="reserve",
            title="With a reserve",
            about="The other four cards refill the first piles you empty.",
            piles=tableau(12),
            total=52,
            rules=_RULES,
            lay_out=around_then_stock(piles=12, dealt=48),
            has_stock=True,
            covered=True,
        ),
        Variant(
            game="doublets",
            name="sealed",
            title="Four sealed",
            about="The other four cards, in equal pairs, stay out of play unseen.",
            piles=tableau(12),
            total=48,
            rules=_RULES,
            lay_out=_sealed,
            covered=True,
            accepts=_in_pairs,
        ),
    ),
)

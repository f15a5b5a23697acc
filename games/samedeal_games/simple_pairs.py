"""Simple Pairs: take two showing cards of equal rank."""

from .model import Game, Variant
from .pairs import equal_rank_rules
from .taking import around_then_stock, tableau


GAME = Game(
    name="simple-pairs",
    title="Simple Pairs",
    about="Spot two cards of the same rank, faster than anybody else.",
    rules="""\
Nine cards lie face up; the other 43 are the stock. Take any two showing cards of the
same rank: two sixes, two queens. Suits do not matter. Each empty place is filled from
the stock at once, the leftmost first. Clear every card to win.

You are stuck as soon as the nine cards are of nine different ranks. Whether that
happens is in the deal: the order in which you take pairs changes nothing about how far
you come. Only your speed counts.""",
    default="standard",
    variants=(
        Variant(
            game="simple-pairs",
            name="standard",
            title="Standard",
            about="Nine cards showing, 43 in the stock.",
            piles=tableau(9),
            total=52,
            rules=equal_rank_rules(),
            lay_out=around_then_stock(piles=9, dealt=9),
            has_stock=True,
        ),
    ),
)

"""Deals of fewer cards, small enough for every line of play to be tried."""

from random import Random

from samedeal_games import Card, State, Variant, apply_move, legal_moves


def small_deal(variant: Variant, chance: Random) -> State:
    """Return a random deal of the variant with a reduced deck."""
    if variant.foundations:
        return _lane(variant, chance)
    if variant.game == "straight-fifteens":
        return _fifteens(variant, chance)
    lowest, highest = (5, 9) if variant.game == "juvenile" else (1, 6)
    cards = [
        suit * 13 + rank - 1
        for suit in range(4)
        for rank in range(lowest, highest + 1)
        for _ in range(variant.decks)
    ]
    chance.shuffle(cards)
    del cards[chance.choice((20, 24)) :]
    stock = chance.randrange(2, 12) if variant.has_stock else 0
    piles = chance.randrange(4, 9)
    return _around(variant, cards, piles, stock)


def _around(variant: Variant, cards: list[Card], piles: int, stock: int) -> State:
    dealt, rest = cards[stock:], cards[:stock]
    laid = [tuple(dealt[first::piles]) for first in range(piles)]
    if variant.game in ("simple-pairs", "straight-fifteens"):
        laid = [pile[:1] for pile in laid]
        rest = rest + dealt[piles:]
    unused = len(variant.piles) - piles
    return State(variant, (*laid, *[()] * unused), tuple(rest))


def _fifteens(variant: Variant, chance: Random) -> State:
    """Take random sets from a deck, so that the cards may come out even."""
    deck = [*range(52)]
    chance.shuffle(deck)
    cards = deck[: chance.choice((14, 16, 18))]
    while True:
        # Tens count ten and court sets forty: fit the rest to a whole number of sets.
        worth = sum([min(card % 13 + 1, 10) for card in cards])
        courts = sum([card % 13 >= 9 for card in cards])
        if any((worth - 40 * n) % 15 == 0 for n in range(courts // 4 + 1)):
            break
        chance.shuffle(deck)
        cards = deck[: len(cards)]
    return _around(variant, cards, chance.randrange(5, 9), 0)


def _lane(variant: Variant, chance: Random) -> State:
    """Begin with the low cards up and low cards under high, and play some moves badly.

    Regardless of suit only few cards, or few moves that are left, make a small game.
    """
    any_suit = variant.name == "any-suit"
    up = chance.choice((0, 9) if any_suit else (4, 5, 6, 7))
    cards = [suit * 13 + rank for suit in range(4) for rank in range(up, 13)]
    chance.shuffle(cards)
    piles = [sorted(cards[first::8], key=lambda card: card % 13) for first in range(8)]
    foundations = [tuple(range(13 * suit, 13 * suit + up)) for suit in range(4)]
    state = State(variant, (*map(tuple, piles), (), (), *foundations))
    for _ in range(chance.randrange(2, 16) if up else 40):
        if moves := legal_moves(state):
            state = apply_move(state, chance.choice(moves))
    return state

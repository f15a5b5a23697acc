from collections import Counter
from itertools import chain
from random import Random

from hypothesis import given, strategies as st
from tests.helpers.positions import VARIANTS, games

from samedeal_games import HIDDEN, Move, State, Take, from_view, view
from samedeal_games.cards import RANK
from samedeal_games.imagining import imagine


HIDING = tuple(variant for variant in VARIANTS if variant.hidden)


def cards(state: State) -> Counter[int]:
    return Counter(chain(state.stock, *state.piles))


@given(games(HIDING), st.integers(0))
def test_hidden_cards_are_cards_not_seen_yet(
    played: list[tuple[State, Move | None]], number: int
) -> None:
    state = played[-1][0]
    shown = from_view(state.variant, view(state))
    gone = [
        before.piles[pile][-1]
        for before, move in played
        if isinstance(move, Take)
        for pile in move.piles
    ]
    for known in (gone, []):
        world = imagine(shown, known, Random(number).randrange)
        assert len(world.stock) == len(state.stock)
        for pile, real in zip(world.piles, shown.piles, strict=True):
            assert all(r in (HIDDEN, c) for c, r in zip(pile, real, strict=True))
            assert HIDDEN not in pile
        there = cards(world) + Counter(known)
        assert max(there.values(), default=0) <= state.variant.decks
    if state.variant.name != "sealed":
        world = imagine(shown, gone, Random(number).randrange)
        assert cards(world) == cards(state)
    else:
        ranks = Counter([RANK[card] for card in chain(gone, cards(world).elements())])
        assert all(times % 2 == 0 for times in ranks.values())

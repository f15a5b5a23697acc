from itertools import product

from hypothesis import given
from tests.helpers.positions import positions

from samedeal_games import Shift, State, apply_move, legal_moves, parse_card, view
from samedeal_games.cards import RANKS
from samedeal_games.private_lane import GAME


def by_the_rules_page(state: State) -> set[Shift]:
    """Try every shift between two places against the words of the rules page."""
    piles = view(state)
    legal: set[Shift] = set()
    tableau = [f"t{n}" for n in range(8)]
    for source, target in product([*tableau, "c0", "c1"], [*tableau, "c0", "c1", "f"]):
        if not piles[source] or source == target:
            continue
        card = piles[source][-1]
        rank, suit = card[0], card[1]
        onto = piles["f" + suit] if target == "f" else piles[target]
        if target == "f":
            allowed = RANKS.index(rank) == len(onto)
        elif target.startswith("c"):
            allowed = source.startswith("t") and not onto
        elif onto:
            higher = RANKS.index(onto[-1][0]) == RANKS.index(rank) + 1
            same_suit = state.variant.name == "any-suit" or onto[-1][1] == suit
            allowed = higher and same_suit
        else:
            allowed = source.startswith("c") or len(piles[source]) > 1
        if allowed:
            legal.add(Shift(source, target))
    return legal


@given(positions(GAME.variants))
def test_the_moves_are_those_of_the_rules_page(state: State) -> None:
    assert set(legal_moves(state)) == by_the_rules_page(state)


@given(positions(GAME.variants))
def test_one_card_moves_and_nothing_else_changes(state: State) -> None:
    for move in legal_moves(state):
        assert isinstance(move, Shift)
        before, after = view(state), view(apply_move(state, move))
        card = before[move.source].pop()
        target = "f" + card[1] if move.target == "f" else move.target
        before[target].append(card)
        assert after == before


@given(positions(GAME.variants))
def test_foundations_go_up_in_suit(state: State) -> None:
    for suit, pile in enumerate(state.piles[-4:]):
        assert pile == tuple(range(suit * 13, suit * 13 + len(pile)))


def test_a_king_goes_on_no_card() -> None:
    king, ace = parse_card("Kc"), parse_card("Ad")
    for variant in GAME.variants:
        state = State(variant, ((0, king), (1, ace), *(((),) * 12)))
        assert Shift("t0", "t1") not in legal_moves(state)

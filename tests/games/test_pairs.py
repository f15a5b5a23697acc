from itertools import combinations

from hypothesis import given
from tests.helpers.positions import VARIANTS, positions

from samedeal_games import State, Take, find_variant, legal_moves
from samedeal_games.cards import RANK


JUVENILE = tuple(variant for variant in VARIANTS if variant.game == "juvenile")
EQUAL = tuple(v for v in VARIANTS if v.game in ("simple-pairs", "doublets"))


def pairs_of_tops(state: State) -> dict[Take, tuple[int, int]]:
    tops = [(n, RANK[pile[-1]]) for n, pile in enumerate(state.piles) if pile]
    return {Take((i, j)): (one, two) for (i, one), (j, two) in combinations(tops, 2)}


@given(positions(JUVENILE))
def test_juvenile_takes_two_tops_that_add_to_fourteen(state: State) -> None:
    assert set(legal_moves(state)) == {
        move for move, ranks in pairs_of_tops(state).items() if sum(ranks) == 14
    }


@given(positions(EQUAL))
def test_equal_ranks_are_taken(state: State) -> None:
    assert set(legal_moves(state)) == {
        move for move, (one, two) in pairs_of_tops(state).items() if one == two
    }


def test_twins_are_different_cards() -> None:
    seven = 6
    state = State(find_variant("juvenile", "two-decks"), ((seven,),) * 2 + ((),) * 6)
    assert legal_moves(state) == [Take((0, 1))]

from random import Random

import pytest
from tests.helpers import fc_solve

from samedeal_games import apply_move, check_move, deal, find_variant, left
from samedeal_games.solver import Verdict, solve


pytestmark = pytest.mark.skipif(
    not fc_solve.INSTALLED, reason="fc-solve is not installed"
)


@pytest.mark.parametrize(
    ("name", "deals", "states"), [("by-suit", 100, 300_000), ("any-suit", 100, 3_000)]
)
def test_fc_solve_never_says_otherwise_and_its_lines_are_legal(
    name: str, deals: int, states: int
) -> None:
    variant = find_variant("private-lane", name)
    chance = Random(f"fc-solve {name}")
    replayed = 0
    for _ in range(deals):
        state = deal(variant, chance.randbytes(16))
        answer = fc_solve.ask(state, states)
        winnable = fc_solve.can_be_won(state, answer)
        verdict = solve(state, 2_000).verdict
        if winnable is not None and verdict is not Verdict.UNKNOWN:
            assert winnable == (verdict is Verdict.WON)
        if winnable:
            for move in fc_solve.line(state, answer):
                check_move(state, move)
                state = apply_move(state, move)
            assert left(state) == 0
            replayed += 1
    assert replayed

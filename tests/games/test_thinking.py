from random import Random

from samedeal_games import (
    HIDDEN,
    State,
    Take,
    apply_move,
    deal,
    find_variant,
    from_view,
    left,
    legal_moves,
    solve,
    view,
)
from samedeal_games.thinking import sees_all, think


def below(choices: int) -> int:
    return choices - 1


def test_all_in_sight_is_solved() -> None:
    state = deal(find_variant("private-lane"), bytes(16))
    solution = solve(state)
    thought = think(state, 100_000, below)
    assert sees_all(state)
    assert (thought.wins, thought.left) == (0, solution.left)
    assert thought.exact


def test_a_line_goes_without_detours() -> None:
    for number in range(200):
        state = deal(find_variant("private-lane"), Random(number).randbytes(16))
        solution = solve(state, 5000)
        plan = think(state, 5000, below).plan
        assert len(plan) <= len(solution.line)
        for move in plan:
            assert move in legal_moves(state)
            state = apply_move(state, move)
        assert left(state) == solution.left
        if len(plan) < 0.75 * len(solution.line):
            return
    raise AssertionError("No line was much shorter.")


def test_a_couple_whose_others_are_gone_or_in_reach_is_taken_at_once() -> None:
    variant = find_variant("doublets", "sealed")
    ace, two = 0, 1
    twos = [((HIDDEN, two + 13 * suit)) for suit in range(3)]
    aces = [((HIDDEN, ace + 13 * suit)) for suit in range(4)]
    state = State(variant, (*twos, *aces, *[()] * 5))
    gone = [card for card in range(52) if card % 13 not in (0, 1, 2, 3)]
    thought = think(state, 4000, Random(1).randrange, gone)
    [move] = thought.plan
    assert isinstance(move, Take)
    assert min(move.piles) >= 3


def test_with_hidden_cards_one_move_is_compared_over_many_deals() -> None:
    variant = find_variant("doublets")
    for number in range(20):
        state = deal(variant, Random(number).randbytes(16))
        shown = from_view(variant, view(state))
        thought = think(shown, 4000, Random(2).randrange)
        assert len(thought.plan) <= 1
        if thought.samples:
            assert 0 <= thought.wins <= thought.samples
            return
    raise AssertionError("No deal had two moves to choose from.")

"""The move tree counted from fixed deals: a wrong rule shows as a wrong count."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.helpers.positions import VARIANTS, dealt, rows

from samedeal_games import State, apply_move, count_moves, legal_moves


TREES = list(rows("perft.jsonl"))


def perft(state: State, depth: int) -> int:
    """Return how many sequences of so many legal moves there are."""
    if depth == 1:
        return count_moves(state)
    return sum(perft(after, depth - 1) for _, after in children(state))


def children(state: State) -> Iterator[tuple[str, State]]:
    for move in legal_moves(state):
        yield str(move), apply_move(state, move)


def test_every_variant_has_a_tree() -> None:
    assert {(row["game"], row["variant"]) for row in TREES} == {
        (variant.game, variant.name) for variant in VARIANTS
    }


@pytest.mark.parametrize("row", TREES, ids=lambda row: f"{row['game']}-{row['seed']}")
def test_the_tree_of(row: dict[str, Any]) -> None:
    state = dealt(row)
    for depth, expected in enumerate(row["perft"], 1):
        if perft(state, depth) != expected:
            by_move = {move: perft(after, depth - 1) for move, after in children(state)}
            pytest.fail(f"depth {depth}, expected {expected}, by first move: {by_move}")

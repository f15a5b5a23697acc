from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given, settings
from tests.clients.python import peer
from tests.helpers.positions import games

from samedeal.boards import Board, from_update, patched
from samedeal_games import (
    Move,
    State,
    UnknownGameError,
    left,
    legal_moves,
    status,
    view,
)
from samedeal_protocol import patches
from samedeal_protocol.names import Status
from samedeal_protocol.updates import Patch, View


def shown(state: State, turn: int) -> Board:
    """The board as the server would show the position."""
    update = View(
        race=peer.RACE,
        seat=0,
        turn=turn,
        piles=view(state),
        left=left(state),
        status=cast("Status", status(state)),
        elapsed_ms=turn,
    )
    return from_update(state.variant.game, state.variant.name, update)


def step(before: State, after: State, turn: int, turns: int = 1) -> Patch:
    """The patch that the server would send."""
    return Patch(
        race=peer.RACE,
        seat=0,
        from_=turn,
        turn=turn + turns,
        turns=[["t0+t1"]] * turns,
        piles=patches.diff(view(before), view(after)),
        left=left(after),
        status=cast("Status", status(after)),
        elapsed_ms=turn + turns,
    )


@settings(deadline=None, max_examples=60)
@given(games())
def test_patches_lead_to_the_board_that_a_view_would_show(
    game: list[tuple[State, Move | None]],
) -> None:
    board = shown(game[0][0], 0)
    for turn, ((before, _), (after, _)) in enumerate(pairwise(game)):
        following = patched(board, step(before, after, turn))
        assert following is not None
        assert following == shown(after, turn + 1)
        board = following
    whole = step(game[0][0], game[-1][0], 0, len(game) - 1)
    assert patched(shown(game[0][0], 0), whole) == board


@settings(deadline=None, max_examples=60)
@given(games())
def test_a_view_suffices_for_the_legal_moves(
    game: list[tuple[State, Move | None]],
) -> None:
    state = game[-1][0]
    assert shown(state, 0).legal_moves() == legal_moves(state)


def board(**changed: Any) -> Board:
    return from_update("juvenile", "one-deck", peer.view(**changed))


def test_moves_print_as_they_are_written() -> None:
    assert [str(move) for move in board().legal_moves()] == ["t0+t2", "t1+t3"]


@pytest.mark.parametrize("status", ["won", "stuck", "resigned", "timed_out"])
def test_a_board_that_is_done_has_no_moves(status: str) -> None:
    done = board(status=status)
    assert not done.playing
    assert done.legal_moves() == []


def test_a_patch_at_the_same_turn_tells_a_status_and_touches_no_pile() -> None:
    before = board(turn=3)
    resigned = peer.patch(
        3, 3, status="resigned", elapsed_ms=99, piles={"t0": (0, ["Ah"])}
    )
    after = patched(before, resigned)
    assert after is not None
    assert (after.status, after.elapsed_ms) == ("resigned", 99)
    assert after.piles == before.piles


def test_a_patch_from_before_confirms_and_changes_nothing() -> None:
    before = board(turn=3)
    assert patched(before, peer.patch(1, 2, status="won")) is before


@pytest.mark.parametrize(
    "misfit",
    [
        peer.patch(4, 5),
        peer.patch(2, 4),
        peer.patch(3, 4, piles={"t9": (0, [])}),
        peer.patch(3, 4, piles={"t0": (7, [])}),
    ],
)
def test_a_patch_that_does_not_fit_is_noticed(misfit: Patch) -> None:
    assert patched(board(turn=3), misfit) is None


def test_a_game_of_a_later_version_can_be_seen_but_not_played() -> None:
    later = from_update("klondike", "standard", peer.view())
    assert later.piles["t0"] == ["Kh", "6c"]
    with pytest.raises(UnknownGameError):
        later.legal_moves()


def test_a_board_prints_for_people() -> None:
    lines = str(board()).splitlines()
    assert lines[:2] == ["turn 0, 6 left, playing", "t0  Kh 6c"]

"""Once the countdown has begun: moves, undo, giving up.

The checks come in the order of the protocol page: resend, not_started,
stale_turn, bad_move, finished, illegal_move.
"""

from collections.abc import Sequence
from typing import Final

from samedeal_games import (
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Outcome,
    State,
    apply_move,
    check_move,
    outcome,
    parse_move,
)
from samedeal_protocol import events
from samedeal_protocol.updates import TurnText
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat


_MOVED: Final = events.Moved


def move(race: Race, seat: Seat, turn: int, moves: Sequence[str], now: int) -> Decision:
    """Play a list of moves, all or none.

    Raises:
        Refusal: in the order above.
    """
    played = tuple(moves)
    if turn != len(seat.turns) and _is_resend(seat, turn, played):
        return Decision(resend_from=turn)
    _check_turn(race, seat, turn, now)
    parsed = _parse(race, played)
    if race.ended or seat.is_done() or race.past_limit(now):
        raise Refusal("finished", _finished(race, seat, now))
    _check_legal(seat.board, parsed)
    event = _MOVED(seat=seat.number, turn=turn, moves=played)
    return Decision((event,), race.start_ms, race.limit_ms)


def undo(race: Race, seat: Seat, turn: int, now: int) -> Decision:
    """Take back the latest list that was not taken back yet.

    Raises:
        Refusal: `not_started`, `stale_turn`, `undo_refused`, `finished` or
            `nothing_to_undo`.
    """
    if _is_resend(seat, turn, "undo"):
        return Decision(resend_from=turn)
    _check_turn(race, seat, turn, now)
    if not race.settings.undo:
        raise Refusal("undo_refused", "This race was set up without undo.")
    if seat.past and not seat.can_undo():
        raise Refusal(
            "undo_refused", "That move showed a new card; it cannot be taken back."
        )
    if seat.outcome is Outcome.WON:
        raise Refusal("undo_refused", "A won game cannot be taken back.")
    if seat.closed is not None or race.past_limit(now):
        raise Refusal("finished", _finished(race, seat, now))
    if not seat.past:
        raise Refusal("nothing_to_undo", "There is no move to take back.")
    event = events.Undone(seat=seat.number, turn=turn)
    return Decision((event,), race.start_ms, race.limit_ms)


def resign(race: Race, seat: Seat, now: int) -> Decision:
    """Give up; the same answer again where the seat has resigned already.

    Raises:
        Refusal: `not_started` in the lobby, `finished` when otherwise done.
    """
    if seat.closed == "resigned":
        return Decision(resend_from=seat.turn)
    if race.start_ms is None:
        raise Refusal("not_started", "The race has not begun; leave it instead.")
    done = seat.closed is not None or (race.has_started(now) and seat.is_done())
    if done or race.past_limit(now) or race.ended:
        raise Refusal("finished", _finished(race, seat, now))
    # A seat that is stuck from the start can only be given up before it.
    last = race.start_ms - 1 if seat.is_done() else race.limit_ms
    return Decision((events.Resigned(seat=seat.number),), None, last)


def give_up(race: Race, seat: Seat, now: int) -> Decision:
    """What leaving amounts to once the lobby is closed: resign, unless done."""
    try:
        decision = resign(race, seat, now)
    except Refusal:
        return NOTHING
    return decision if decision.events else NOTHING


def _is_resend(seat: Seat, turn: int, content: TurnText) -> bool:
    return 0 <= turn < seat.turn and seat.turns[turn] == content


def _check_turn(race: Race, seat: Seat, turn: int, now: int) -> None:
    if race.start_ms is None or now < race.start_ms:
        raise Refusal("not_started", "The race has not started; wait for the view.")
    if turn != len(seat.turns):
        raise Refusal(
            "stale_turn",
            f"This seat is at turn {seat.turn}, not {turn}; sync and decide again.",
            seat.turn,
        )


def _parse(race: Race, moves: Sequence[str]) -> list[Move]:
    # Before any look at the board: a refusal must not tell what a card hides.
    if len(moves) != 1 and race.variant.hidden:
        raise Refusal("bad_move", "Where cards are hidden, a turn is exactly one move.")
    try:
        return [parse_move(text) for text in moves]
    except InvalidMoveError as error:
        raise Refusal("bad_move", str(error)) from None


def _check_legal(board: State, moves: Sequence[Move]) -> None:
    try:
        for number, item in enumerate(moves):
            if number > 0 and outcome(board) is Outcome.WON:
                raise Refusal("illegal_move", f"{item}: the game is already won.")
            check_move(board, item)
            if number + 1 < len(moves):
                board = apply_move(board, item)
    except IllegalMoveError as error:
        raise Refusal("illegal_move", str(error)) from None


def _finished(race: Race, seat: Seat, now: int) -> str:
    if seat.closed is None and not seat.is_done() and race.past_limit(now):
        return "The time limit is over."
    reasons = {
        "won": "This seat has won already.",
        "stuck": "This seat is stuck: no move is left.",
        "resigned": "This seat has resigned.",
        "timed_out": "This seat's time is over.",
    }
    return reasons.get(race.status(seat, now), "The race is over.")

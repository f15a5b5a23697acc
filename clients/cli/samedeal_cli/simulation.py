"""A board that other programs play on, line by line, to check their own rules.

In comes a line a turn: move texts, one space between two of them, made all or
none. Out goes a JSON object a line: the start, then what came of each turn.
"""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from samedeal_games import (
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Outcome,
    State,
    apply_move,
    check_move,
    count_moves,
    left,
    outcome,
    parse_move,
    status,
    view,
)
from samedeal_protocol import patches


LONGEST_LINE = 64 * 1024

_ENDINGS = {
    Outcome.WON: "The game is won already.",
    Outcome.STUCK: "The game is over: no move is left.",
}


class _Refused(Exception):
    """A turn is refused: the error's name and a sentence."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(message)
        self.error = error
        self.message = message


def simulate(state: State, lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a JSON line for the start, then one for each of the lines.

    Boards are redacted as a seat would see them. A refused line changes nothing:
    ``bad_move`` is wrong notation (an empty line and bytes that are not UTF-8 are
    that too), ``finished`` a turn after the end, ``illegal_move`` against the rules.
    They are looked for in this order.
    """
    turn = 0
    shown = view(state)
    yield _line({"turn": turn, "piles": shown, **_standing(state)})
    for line in lines:
        try:
            state = _play(state, _parse(line))
        except _Refused as refused:
            yield _line(
                {"turn": turn, "error": refused.error, "message": refused.message}
            )
            continue
        turn += 1
        before, shown = shown, view(state)
        patch = patches.diff(before, shown)
        yield _line({"turn": turn, "patch": patch, **_standing(state)})


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the stream's lines without their ends (LF or CRLF).

    A line longer than any turn is cut to one byte more than `LONGEST_LINE`, so that
    endless input cannot fill the memory.
    """
    while line := stream.readline(LONGEST_LINE + 1):
        end = line
        while end and not end.endswith(b"\n") and len(end) > LONGEST_LINE:
            end = stream.readline(LONGEST_LINE + 1)
        yield line.removesuffix(b"\n").removesuffix(b"\r")


def _parse(line: bytes) -> list[Move]:
    if len(line) > LONGEST_LINE:
        raise _Refused("bad_move", f"A line has at most {LONGEST_LINE} bytes.")
    try:
        texts = line.decode().split(" ")
    except UnicodeDecodeError:
        raise _Refused("bad_move", "The line is not UTF-8.") from None
    if texts == [""]:
        raise _Refused("bad_move", "The line is empty; a turn has at least one move.")
    try:
        return [parse_move(text) for text in texts]
    except InvalidMoveError as error:
        raise _Refused("bad_move", str(error)) from None


def _play(state: State, moves: list[Move]) -> State:
    if ended := outcome(state):
        raise _Refused("finished", _ENDINGS[ended])
    for move in moves:
        if not left(state):
            raise _Refused("illegal_move", f"{move}: the game is won by then.")
        try:
            check_move(state, move)
        except IllegalMoveError as error:
            raise _Refused("illegal_move", str(error)) from None
        state = apply_move(state, move)
    return state


def _standing(state: State) -> dict[str, Any]:
    return {"left": left(state), "status": status(state), "legal": count_moves(state)}


def _line(message: dict[str, Any]) -> bytes:
    return msgspec.json.encode(message) + b"\n"

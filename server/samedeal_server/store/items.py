"""Appends on their way: what each says to the store, and what its answer means."""

import logging
from collections.abc import Sequence
from typing import Any, Final

from msgspec.msgpack import Encoder

from . import keys
from .nodes import Node
from .values import (
    FOREVER,
    Append,
    Appended,
    AppendResult,
    Conflict,
    Doubtful,
    Position,
    TooEarly,
    TooLate,
)


log = logging.getLogger(__name__)

_ENCODER: Final = Encoder()


class Item:
    """An append on its way.

    Attributes:
        deadline: by the event loop's clock.
        ended: its outcome has been told.
        asking: ask this process for once, whatever the map of slots says.
    """

    __slots__ = ("append", "asking", "deadline", "ended", "key")

    def __init__(self, append: Append, deadline: float) -> None:
        self.append = append
        self.key = keys.log(append.race)
        self.deadline = deadline
        self.ended = False
        self.asking: Node | None = None

    def end(self, result: AppendResult) -> None:
        """Tells the outcome; of several only the first counts."""
        if self.ended:
            return
        self.ended = True
        try:
            self.append.done(result)
        except Exception:
            log.exception("What follows an append to race %s failed.", self.append.race)


def soonest(items: list[Item]) -> float:
    """When the first of these has had its time, by the event loop's clock (s)."""
    return min([item.deadline for item in items])


def argument(items: list[Item]) -> bytes:
    """The argument of `APPEND` for these, in order."""
    found: list[str | int | None] = []
    for item in items:
        append = item.append
        last = append.expected.last
        found += (
            append.expected.length,
            last,
            last[:-2] if last.endswith("-0") else last[: last.index("-")],
            append.not_before,
            append.not_after if append.not_after < FOREVER else None,
            len(append.events),
        )
        found += append.events
    return _ENCODER.encode(found)


def packed(sha: str, items: list[Item]) -> bytes:
    """The call of `APPEND` by its hash for these, as it goes to the store (RESP2): what
    hiredis makes of such a call, in a fraction of the time, for all are alike."""
    data = argument(items)
    count, names = str(len(items)), [item.key for item in items]
    is_ascii = "".join(names).isascii()  # As the ids of races are.
    words = [f"*{len(items) + 4}\r\n$7\r\nEVALSHA\r\n$40\r\n{sha}\r\n"]
    words.append(f"${len(count)}\r\n{count}\r\n")
    known, length = -1, ""
    for name in names:
        size = len(name) if is_ascii else len(name.encode())
        if size != known:
            known, length = size, f"${size}\r\n"
        words.append(length)
        words.append(name)
        words.append("\r\n")
    words.append(f"${len(data)}\r\n")
    return b"".join(["".join(words).encode(), data, b"\r\n"])


def answered(items: list[Item], found: Sequence[Any], doubt: Doubtful | None) -> bool:
    """Tells each its outcome from the answer of `APPEND`, two values for each.

    `doubt` is the outcome of those that were appended where that is not enough.
    Returns whether the store took one for read-only: behind its name another server
    may be the master by now.
    """
    is_read_only = False
    known, prefix = None, ""
    for item, at, code in zip(items, found[::2], found[1::2], strict=True):
        if code >= 0:
            if at != known:  # Nearly all of a batch have one time.
                known, prefix = at, f"{at}-"
            count = len(item.append.events)
            length = item.append.expected.length + count
            position = Position(length, prefix + str(code + count - 1))
            item.end(doubt or Appended(position, at))
            continue
        is_read_only = is_read_only or code == -4 and at.startswith(b"READONLY")
        item.end(_setback(at, code))
    return is_read_only


def _setback(at: Any, code: int) -> AppendResult:
    """What it means that an append was not made; see `APPEND`."""
    match code:
        case -1:
            return Conflict()
        case -2:
            return TooEarly(at)
        case -3:
            return TooLate(at)
        case _:
            text = at.decode(errors="replace")
            if text.startswith("WRONGTYPE"):
                return Conflict()  # It has ended and is folded; see `records`.
            return Doubtful(f"The store refused to write: {text}")

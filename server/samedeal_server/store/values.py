"""What is said to the log, and what it says."""

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple, TypeAlias

from samedeal_server.record import Record


class Position(Record):
    """How far a log is known: its length and the id of its last entry."""

    FIELDS: ClassVar = ("length", "last")
    __slots__ = FIELDS

    def __init__(self, length: int, last: str) -> None:
        self.length: Final = length
        self.last: Final = last


START: Final = Position(0, "0-0")
"""Nothing is known, or nothing is there."""


class Entry(NamedTuple):
    """One event as stored, with the id and the time of its entry."""

    id: str
    at_ms: int
    event: bytes


class Tail(NamedTuple):
    """What came after the position that was asked for.

    `whole` says that this position is not in the log any more: `entries` are then
    the whole log from its start, and what was known is to be dropped. `position`
    is where the log stands after `entries`.
    """

    entries: list[Entry]
    position: Position
    whole: bool


class Appended(Record):
    """The events are in the log; all have the time `at_ms`."""

    FIELDS: ClassVar = ("position", "at_ms")
    __slots__ = FIELDS

    def __init__(self, position: Position, at_ms: int) -> None:
        self.position: Final = position
        self.at_ms: Final = at_ms


class Conflict(NamedTuple):
    """The log is not as expected: read it and decide again."""


class TooEarly(NamedTuple):
    """The log's clock, `now_ms`, was before `not_before`; nothing was appended."""

    now_ms: int


class TooLate(NamedTuple):
    """The log's clock, `now_ms`, was after `not_after`; nothing was appended."""

    now_ms: int


class Doubtful(NamedTuple):
    """Not known whether it happened: read the log before deciding anything else."""

    reason: str


AppendResult: TypeAlias = Appended | Conflict | TooEarly | TooLate | Doubtful


FOREVER: Final = 2**62 - 1
"""Later (ms) than any entry; what is greater is slow to compare where compiled."""


class Append:
    """Events (UTF-8) for one race's log, on condition that it stands at `expected`.

    `not_before` and `not_after` bound the time of the entries, in milliseconds,
    both inclusive. `done` is called exactly once, from the event loop.
    """

    __slots__ = ("done", "events", "expected", "not_after", "not_before", "race")

    def __init__(
        self,
        race: str,
        expected: Position,
        events: list[bytes],
        done: Callable[[AppendResult], None],
        not_before: int = 0,
        not_after: int = FOREVER,
    ) -> None:
        if not events:
            raise ValueError("An append needs at least one event.")
        self.race = race
        self.expected = expected
        # Text to the store's scripts, which know MessagePack from before it had bytes.
        self.events = [event.decode() for event in events]
        self.done = done
        self.not_before = not_before
        self.not_after = not_after

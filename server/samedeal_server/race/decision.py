"""What a command comes to: events to append, or an answer without any."""

from typing import Final

from samedeal_protocol.events import Event


class Decision:
    """Events for the race's log.

    The caller appends `events` in one piece, conditionally on the race's
    length, and only then reduces them and tells anyone. Without events there
    is nothing to append and the asker is answered at once.

    Attributes:
        not_before, not_after: the log must refuse a stamp outside these
            (inclusive, ms by the log's clock).
        resend_from: the command was accepted before, at this turn; it is
            answered with the patch from there.
    """

    def __init__(
        self,
        events: tuple[Event, ...] = (),
        not_before: int | None = None,
        not_after: int | None = None,
        resend_from: int | None = None,
    ) -> None:
        self.events: Final = events
        self.not_before: Final = not_before
        self.not_after: Final = not_after
        self.resend_from: Final = resend_from

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"Decision{self._values()!r}"

    def _values(self) -> tuple[object, ...]:
        return self.events, self.not_before, self.not_after, self.resend_from


NOTHING: Final = Decision()

"""What a command comes to: events to append, or an answer without any."""

from typing import ClassVar, Final

from samedeal_protocol.events import Event
from samedeal_server.record import Record


class Decision(Record):
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

    FIELDS: ClassVar = ("events", "not_before", "not_after", "resend_from")
    __slots__ = FIELDS

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


NOTHING: Final = Decision()

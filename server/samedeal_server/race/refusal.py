"""A command that is refused; the client is told why and nothing changes."""

from samedeal_protocol.names import MAX_ERROR_LENGTH, ErrorCode


class Refusal(Exception):
    """Answered as an `error` update.

    Attributes:
        code: one of the protocol's error codes.
        message: one sentence that a person can act on.
        turn: the seat's true turn, where a command gave a wrong one.
        race: what it is about, where the command names no race by its id.
    """

    def __init__(self, code: ErrorCode, message: str, turn: int | None = None) -> None:
        if len(message) > MAX_ERROR_LENGTH:
            message = message[: MAX_ERROR_LENGTH - 1] + "…"
        super().__init__(message)
        self.code = code
        self.message = message
        self.turn = turn
        self.race: str | None = None

    def bare(self) -> "Refusal":
        """Itself, without where it was raised: those frames name what keeps it, and
        all of that would be garbage that only a search finds."""
        self.__traceback__ = self.__context__ = None
        return self

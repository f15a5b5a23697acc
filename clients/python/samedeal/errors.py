"""What can go wrong, one class a kind; all are `SamedealError`.

First the server's error codes, each a class of its own, then what happens on
this side of the wire.
"""

from typing import ClassVar, get_args

from msgspec import UNSET

from samedeal_protocol.names import ErrorCode
from samedeal_protocol.updates import Error


class SamedealError(Exception):
    """A command was refused or could not be carried out; `str()` says why.

    Attributes:
        code: the protocol's error code, or a word of the same kind where the
            fault is on this side.
        message: one sentence that a person can act on.
        race: the race it is about, if any.
        turn: the seat's true turn, where a command gave a wrong one.
    """

    code: ClassVar[str] = "error"

    def __init__(
        self, message: str, *, race: str | None = None, turn: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.race = race
        self.turn = turn


# What the server answers.


class BadMessage(SamedealError):
    """The message is not one of the protocol's."""

    code = "bad_message"


class HelloFirst(SamedealError):
    """A command came before `hello`."""

    code = "hello_first"


class BadToken(SamedealError):
    """The token is not, or no longer, that of a player."""

    code = "bad_token"


class BadName(SamedealError):
    """The name is empty, too long, or has characters that cannot be seen."""

    code = "bad_name"


class UnknownGame(SamedealError):
    """The server has no such game."""

    code = "unknown_game"


class UnknownVariant(SamedealError):
    """The game has no such variant."""

    code = "unknown_variant"


class UnknownLevel(SamedealError):
    """There is no built-in opponent of that level."""

    code = "unknown_level"


class BadSettings(SamedealError):
    """A setting of `create` is out of range, or does not go with another."""

    code = "bad_settings"


class UnknownRace(SamedealError):
    """There is no such race, or it may not be seen by whoever asks."""

    code = "unknown_race"


class RaceFull(SamedealError):
    """Every seat is taken."""

    code = "race_full"


class RaceStarted(SamedealError):
    """It is too late for that: the race has begun."""

    code = "race_started"


class NotStarted(SamedealError):
    """It is too early for that: the race has not begun."""

    code = "not_started"


class NotInRace(SamedealError):
    """The player has no seat there (any more)."""

    code = "not_in_race"


class NotHost(SamedealError):
    """Only the host may do that."""

    code = "not_host"


class Finished(SamedealError):
    """The seat, or the race, is over."""

    code = "finished"


class BadMove(SamedealError):
    """The text is not a move, or a list is not allowed here."""

    code = "bad_move"


class IllegalMove(SamedealError):
    """The move is against the rules, or names a pile that is not there."""

    code = "illegal_move"


class StaleTurn(SamedealError):
    """The board has moved on, or an earlier move of a row was refused."""

    code = "stale_turn"


class NothingToUndo(SamedealError):
    """There is no move to take back."""

    code = "nothing_to_undo"


class UndoRefused(SamedealError):
    """That move cannot be taken back."""

    code = "undo_refused"


class TooManyRaces(SamedealError):
    """The player is in too many races that are not over."""

    code = "too_many_races"


class RateLimited(SamedealError):
    """Too much was asked in too short a time."""

    code = "rate_limited"


class Unavailable(SamedealError):
    """The server could not confirm the command for as long as was waited."""

    code = "unavailable"


class Internal(SamedealError):
    """The server has a fault."""

    code = "internal"


# What happens on this side.


class CannotConnect(SamedealError):
    """The server cannot be reached, or the connection did not come back."""

    code = "cannot_connect"


class Replaced(SamedealError):
    """The same player connected from elsewhere; this client is over."""

    code = "replaced"


class Closed(SamedealError):
    """The client was closed by this program."""

    code = "closed"


class NoAnswer(SamedealError):
    """No answer came in time: the command may or may not have been done."""

    code = "no_answer"


class TooManyUnanswered(SamedealError):
    """More commands are under way than the client holds."""

    code = "too_many_unanswered"


class FellBehind(SamedealError):
    """Updates were not read for so long that some had to be dropped."""

    code = "fell_behind"


class NotEnded(SamedealError):
    """The log of a race is served only when the race is over."""

    code = "not_ended"


_BY_CODE = {kind.code: kind for kind in SamedealError.__subclasses__()}
assert _BY_CODE.keys() >= set(get_args(ErrorCode))


def from_update(error: Error) -> SamedealError:
    """The error that an `error` update stands for."""
    return _BY_CODE[error.code](
        error.message,
        race=None if error.race is UNSET else error.race,
        turn=None if error.turn is UNSET else error.turn,
    )

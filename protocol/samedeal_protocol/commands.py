"""What a client asks, one type a command.

Fields are those of the protocol page. A field that may be absent is `UNSET`
when it is; it is never null. What a decoder can check by type is checked by
type; what has an error code of its own (names, settings, moves) is taken as
it comes and judged later.
"""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from samedeal_protocol.names import MAX_MOVES, CorrelationId, Integer, Turn


class _Command(Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    id: CorrelationId | UnsetType = UNSET


class Hello(_Command, frozen=True, kw_only=True, tag="hello"):
    name: str | UnsetType = UNSET
    token: str | UnsetType = UNSET
    bot: bool = False


class ListGames(_Command, frozen=True, kw_only=True, tag="games"):
    pass


class Create(_Command, frozen=True, kw_only=True, tag="create"):
    game: str
    variant: str | UnsetType = UNSET
    seats: Integer | UnsetType = UNSET
    bots: list[str] | UnsetType = UNSET
    countdown_ms: Integer | UnsetType = UNSET
    time_limit_ms: Integer | UnsetType = UNSET
    undo: bool | UnsetType = UNSET
    open: bool | UnsetType = UNSET
    deals: str | UnsetType = UNSET
    seed: str | UnsetType = UNSET
    hints: bool | UnsetType = UNSET


class Join(_Command, frozen=True, kw_only=True, tag="join"):
    """Exactly one of `code` and `race`."""

    code: str | UnsetType = UNSET
    race: str | UnsetType = UNSET


class Quick(_Command, frozen=True, kw_only=True, tag="quick"):
    game: str
    variant: str | UnsetType = UNSET


class Lobby(_Command, frozen=True, kw_only=True, tag="lobby"):
    pass


class Ready(_Command, frozen=True, kw_only=True, tag="ready"):
    race: str
    ready: bool = True


class Start(_Command, frozen=True, kw_only=True, tag="start"):
    race: str


class Leave(_Command, frozen=True, kw_only=True, tag="leave"):
    race: str


class Move(_Command, frozen=True, kw_only=True, tag="move"):
    race: str
    turn: Turn
    moves: Annotated[list[str], Meta(min_length=1, max_length=MAX_MOVES)]


class Undo(_Command, frozen=True, kw_only=True, tag="undo"):
    race: str
    turn: Turn


class Resign(_Command, frozen=True, kw_only=True, tag="resign"):
    race: str


class Hint(_Command, frozen=True, kw_only=True, tag="hint"):
    """Advice on one's own board, in races that were set up with hints."""

    race: str


class Analyse(_Command, frozen=True, kw_only=True, tag="analyse"):
    """What could have become of a race that is over: of every seat, or of one.

    Answered with `analysis`; by `not_started` or `race_started` before the end, by
    `not_in_race` for a seat that nobody has taken, and by `unavailable` while it is
    still being worked out: then ask again.
    """

    race: str
    seat: Turn | UnsetType = UNSET


class Watch(_Command, frozen=True, kw_only=True, tag="watch"):
    """Exactly one of `code` and `race`."""

    race: str | UnsetType = UNSET
    code: str | UnsetType = UNSET


class Rematch(_Command, frozen=True, kw_only=True, tag="rematch"):
    race: str


class Kick(_Command, frozen=True, kw_only=True, tag="kick"):
    race: str
    seat: Turn


class Sync(_Command, frozen=True, kw_only=True, tag="sync"):
    race: str
    turn: Turn | UnsetType = UNSET


class Ping(_Command, frozen=True, kw_only=True, tag="ping"):
    t: Annotated[str, Meta(max_length=64)] | Integer | float | UnsetType = UNSET


Command = (
    Hello
    | ListGames
    | Create
    | Join
    | Quick
    | Lobby
    | Ready
    | Start
    | Leave
    | Move
    | Undo
    | Resign
    | Hint
    | Analyse
    | Watch
    | Rematch
    | Kick
    | Sync
    | Ping
)

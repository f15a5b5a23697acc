"""What happened in a race: the entries of its log, past tense.

These are stored for as long as a race is kept. A later version may add event
types and fields with defaults; it never changes what is here.
"""

from msgspec import UNSET, Struct, UnsetType

from samedeal_protocol.names import Status
from samedeal_protocol.settings import RaceSettings


class _Event(Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    pass


class Created(_Event, frozen=True, kw_only=True, tag="created"):
    """`host` is the player; `seed` and `salt` are 32 hex digits each."""

    race: str
    code: str
    game: str
    variant: str
    rules: int
    settings: RaceSettings
    chosen: bool
    quick: bool
    host: str
    seed: str
    salt: str
    commitment: str


class Joined(_Event, frozen=True, kw_only=True, tag="joined"):
    """`bot` is a built-in level, or `external` for somebody's program."""

    seat: int
    player: str
    name: str
    bot: str | UnsetType = UNSET


class Left(_Event, frozen=True, kw_only=True, tag="left"):
    seat: int


class Ready(_Event, frozen=True, kw_only=True, tag="ready"):
    seat: int
    ready: bool


class Countdown(_Event, frozen=True, kw_only=True, tag="countdown"):
    countdown_ms: int


class Moved(_Event, frozen=True, kw_only=True, tag="moved"):
    """`turn` is the seat's turn before the list."""

    seat: int
    turn: int
    moves: tuple[str, ...]


class Undone(_Event, frozen=True, kw_only=True, tag="undone"):
    """`turn` is the seat's turn before the undo."""

    seat: int
    turn: int


class Resigned(_Event, frozen=True, kw_only=True, tag="resigned"):
    seat: int


class TimedOut(_Event, frozen=True, kw_only=True, tag="timed_out"):
    seats: tuple[int, ...]


class Standing(Struct, frozen=True, kw_only=True, gc=False):
    seat: int
    place: int
    status: Status
    left: int
    elapsed_ms: int


class Ended(_Event, frozen=True, kw_only=True, tag="ended"):
    """Always the last entry; by place, then seat."""

    standings: tuple[Standing, ...]


Event = (
    Created
    | Joined
    | Left
    | Ready
    | Countdown
    | Moved
    | Undone
    | Resigned
    | TimedOut
    | Ended
)

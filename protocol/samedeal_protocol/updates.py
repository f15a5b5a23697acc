"""What a server tells a client, one type an update.

`re` is the `id` of the command that an update answers; it is on the first
update of an answer only. A field that may be absent is `UNSET` when it is.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from samedeal_protocol.names import CorrelationId, ErrorCode, Phase, Status, Verdict
from samedeal_protocol.settings import RaceSettings


Piles = Mapping[str, Sequence[str]]
"""A view's piles: name to cards, bottom first, `??` for a face-down card."""

PilesPatch = Mapping[str, tuple[int, Sequence[str]]]
"""Changed piles: how many cards stay from the bottom, and what goes on top."""

TurnText = Sequence[str] | Literal["undo"]
"""What was played in one turn: a list of move texts, or an undo."""


class _Update(Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    re: CorrelationId | UnsetType = UNSET


class Limits(Struct, frozen=True, kw_only=True, gc=False):
    """Limits in force; 0 means that there is none."""

    message_bytes: int
    moves: int
    seats: int
    races: int
    messages_per_s: int


class Welcome(_Update, frozen=True, kw_only=True, tag="welcome"):
    player: str
    name: str
    token: str
    server: str
    now_ms: int
    heartbeat_ms: int
    limits: Limits
    races: Sequence[str]


class Joined(_Update, frozen=True, kw_only=True, tag="joined"):
    race: str
    code: str
    seat: int


class SeatInfo(Struct, frozen=True, kw_only=True, gc=False):
    """A taken seat, as everyone may see it."""

    seat: int
    player: str
    name: str
    bot: str | UnsetType = UNSET
    ready: bool
    connected: bool
    left: int
    turn: int
    status: Status
    elapsed_ms: int
    place: int | UnsetType = UNSET


class RaceInfo(_Update, frozen=True, kw_only=True, tag="race"):
    race: str
    code: str
    game: str
    variant: str
    settings: RaceSettings
    chosen: bool
    commitment: str
    phase: Phase
    starts_in_ms: int | UnsetType = UNSET
    host: int
    seats: Sequence[SeatInfo]
    watchers: int
    rematch: str | UnsetType = UNSET
    seed: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET
    digest: str | UnsetType = UNSET


class View(_Update, frozen=True, kw_only=True, tag="view"):
    race: str
    seat: int
    turn: int
    piles: Piles
    left: int
    status: Status
    elapsed_ms: int


class Patch(_Update, frozen=True, kw_only=True, tag="patch"):
    race: str
    seat: int
    from_: int = field(name="from")
    turn: int
    turns: Sequence[TurnText]
    piles: PilesPatch
    left: int
    status: Status
    elapsed_ms: int


class Progress(_Update, frozen=True, kw_only=True, tag="progress"):
    race: str
    seat: int
    turn: int
    left: int
    status: Status
    elapsed_ms: int


class Hint(_Update, frozen=True, kw_only=True, tag="hint"):
    """Advice at `turn`: a legal move and one sentence on why; no move where none is
    left."""

    race: str
    seat: int
    turn: int
    move: str | UnsetType = UNSET
    why: str


class SeatAnalysis(Struct, frozen=True, kw_only=True, gc=False):
    """What a seat made of its deal; `left` alone where nobody could clear that.

    Attributes:
        left: cards left at the end.
        turn: the last turn at which the seat's board could still be cleared, as far
            as is known; absent where it is not known of any.
        lost_by: the move of the list played at `turn` by which the deal was lost;
            absent where none did, or where it is not known which.
        certain: no board of a later turn could be cleared. Otherwise the search for
            some of them ended before it could tell.
        line: moves that clear the board as it was at `turn`.
    """

    seat: int
    left: int
    turn: int | UnsetType = UNSET
    lost_by: str | UnsetType = UNSET
    certain: bool | UnsetType = UNSET
    line: Sequence[str] | UnsetType = UNSET


class Analysis(_Update, frozen=True, kw_only=True, tag="analysis"):
    """What could have become of a race's deal, all its cards known.

    Attributes:
        verdict: whether the deal could be cleared; `unknown` where the search ended
            before it could tell.
        left: the fewest cards that could have been left where `exact`, else the
            fewest that were found; 0 for a deal that could be cleared.
        line: moves from the start of the deal that leave so many.
        seats: all taken seats, or the one that was asked for.
    """

    race: str
    verdict: Verdict
    left: int
    exact: bool
    line: Sequence[str]
    seats: Sequence[SeatAnalysis]


class OpenRace(Struct, frozen=True, kw_only=True, gc=False):
    """A race in the lobby list; `host` is a name."""

    race: str
    code: str
    game: str
    variant: str
    host: str
    taken: int
    seats: int


class LobbyList(_Update, frozen=True, kw_only=True, tag="lobby"):
    races: Sequence[OpenRace]


class VariantInfo(Struct, frozen=True, kw_only=True, gc=False):
    variant: str
    title: str
    about: str
    hidden: bool


class GameInfo(Struct, frozen=True, kw_only=True, gc=False):
    game: str
    title: str
    rules: str
    default: str
    variants: Sequence[VariantInfo]


class Games(_Update, frozen=True, kw_only=True, tag="games"):
    games: Sequence[GameInfo]


class Error(_Update, frozen=True, kw_only=True, tag="error"):
    code: ErrorCode
    message: str
    race: str | UnsetType = UNSET
    turn: int | UnsetType = UNSET


class Pong(_Update, frozen=True, kw_only=True, tag="pong"):
    t: str | int | float | UnsetType = UNSET
    now_ms: int


class Closing(_Update, frozen=True, kw_only=True, tag="closing"):
    reason: str
    retry_after_ms: int


Update = (
    Welcome
    | Joined
    | RaceInfo
    | View
    | Patch
    | Progress
    | Hint
    | Analysis
    | LobbyList
    | Games
    | Error
    | Pong
    | Closing
)

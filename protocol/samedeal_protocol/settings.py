"""The settings of a race: shared by the log, updates and the server."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from samedeal_protocol.names import Deals


class RaceSettings(Struct, frozen=True, kw_only=True, gc=False):
    """What `create` may choose, resolved.

    Attributes:
        seats: how many can race, 1 to 16.
        bots: levels of the built-in opponents seated at the start.
        countdown_ms: from the countdown's log entry to the start.
        time_limit_ms: from the start until seats not done are timed out.
        undo: whether move lists can be taken back.
        open: whether the race is listed and can be watched by its id.
        deals: how the seed was picked.
        hints: whether `hint` is answered; absent where it is not. Such a race is
            practice and never rated.
    """

    seats: int = 8
    bots: tuple[str, ...] = ()
    countdown_ms: int = 3000
    time_limit_ms: int = 600_000
    undo: bool = False
    open: bool = False
    deals: Deals = "any"
    hints: Literal[True] | UnsetType = UNSET

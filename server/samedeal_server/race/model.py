"""A race as it stands after some entries of its log. Immutable throughout."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from samedeal_games import Outcome, State, Variant, exposes
from samedeal_protocol.events import Standing
from samedeal_protocol.names import Phase, Status
from samedeal_protocol.settings import RaceSettings
from samedeal_protocol.updates import TurnText


LOBBY_AGE_MS: Final = 30 * 60_000
"""A race that has not begun its countdown by then ends."""

QUICK_WAIT_MS: Final = 10_000
"""A quick race waits this long for more once two seats are taken."""

AWAY_MS: Final = 60_000
"""A seat disconnected this long is freed, or timed out once somebody has won."""

MAX_LOBBY_EVENTS: Final = 100
"""Lobby events that one player may cause in one race."""


class Seat(Struct, frozen=True, gc=False):
    """A taken seat and the board of the player in it.

    Attributes:
        bot: level of a built-in opponent, `external` for somebody's program.
        turns: what was played, turn by turn.
        past: the board before each list that an undo could take back, latest
            last; empty in races without undo.
        lefts: cards left and since when there were no more than that, falling;
            the last is the present. Times in ms by the log's clock.
        elapsed_ms: from the start to the last accepted event.
        closed: how the seat gave up or was given up, if it did.
    """

    number: int
    player: str
    name: str
    bot: str | None
    ready: bool
    board: State
    outcome: Outcome | None
    turns: tuple[TurnText, ...]
    past: tuple[State, ...]
    lefts: tuple[tuple[int, int], ...]
    elapsed_ms: int
    closed: Status | None

    @property
    def turn(self) -> int:
        return len(self.turns)

    @property
    def left(self) -> int:
        return self.lefts[-1][0]

    @property
    def built_in(self) -> bool:
        """Whether the server itself plays here."""
        return self.bot is not None and self.bot != "external"

    def can_undo(self) -> bool:
        """Whether there is a list to take back that showed no new card."""
        return bool(self.past) and not exposes(self.past[-1], self.board)

    def is_done(self) -> bool:
        """Whether nothing more can happen here once the race has started."""
        return (
            self.closed is not None
            or self.outcome is Outcome.WON
            or (self.outcome is Outcome.STUCK and not self.can_undo())
        )


class Race(Struct, frozen=True, gc=False):
    """One race.

    Attributes:
        length: log entries reduced so far.
        at_ms: time of the last of them.
        deal: the board that every seat starts from.
        seats: by number; None where a seat is free.
        lobby_events: how many each player has caused.
        paired_ms: since when a quick race has two seats taken or more.
        start_ms: when play begins or began; None in the lobby.
        limit_ms: the last moment at which a move counts; None in the lobby.
        standings: the result; None until the race has ended.
    """

    length: int
    at_ms: int
    id: str
    code: str
    variant: Variant
    rules: int
    settings: RaceSettings
    chosen: bool
    quick: bool
    creator: str
    seed: str
    salt: str
    commitment: str
    deal: State
    created_ms: int
    seats: tuple[Seat | None, ...]
    lobby_events: Mapping[str, int]
    paired_ms: int | None = None
    start_ms: int | None = None
    limit_ms: int | None = None
    standings: tuple[Standing, ...] | None = None

    @property
    def taken(self) -> Iterator[Seat]:
        """Taken seats, lowest first."""
        return (seat for seat in self.seats if seat is not None)

    @property
    def ended(self) -> bool:
        return self.standings is not None

    @property
    def in_lobby(self) -> bool:
        return self.start_ms is None and self.standings is None

    def has_started(self, now: int) -> bool:
        """Whether boards may be shown and played at log time `now`."""
        return self.start_ms is not None and now >= self.start_ms

    def past_limit(self, now: int) -> bool:
        return self.limit_ms is not None and now > self.limit_ms

    def phase(self, now: int) -> Phase:
        if self.standings is not None:
            return "ended"
        if self.start_ms is None:
            return "lobby"
        return "racing" if now >= self.start_ms else "countdown"

    def seat_of(self, player: str) -> Seat | None:
        """The seat that `player` holds, if any."""
        for seat in self.seats:
            if seat is not None and seat.player == player:
                return seat
        return None

    def seat(self, number: int) -> Seat | None:
        """The seat with that number, if it is there and taken."""
        return self.seats[number] if 0 <= number < len(self.seats) else None

    @property
    def people(self) -> Iterator[Seat]:
        """Seats not taken by a built-in bot, lowest first."""
        return (seat for seat in self.taken if not seat.built_in)

    @property
    def host(self) -> int:
        """The host's seat: the lowest of the people's; 0 when all have gone."""
        return next((seat.number for seat in self.people), 0)

    def somebody_won(self) -> bool:
        return any(seat.outcome is Outcome.WON for seat in self.taken)

    def all_done(self) -> bool:
        return all(seat.is_done() for seat in self.taken)

    def status(self, seat: Seat, now: int) -> Status:
        """A seat's status; derived, so that the log need not say it."""
        if seat.closed is not None:
            return seat.closed
        if not self.has_started(now):
            return "waiting"
        if seat.outcome is None:
            return "playing"
        return "won" if seat.outcome is Outcome.WON else "stuck"

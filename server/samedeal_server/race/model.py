"""A race as it stands after some entries of its log. Immutable throughout."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from samedeal_games import Outcome, State, Variant
from samedeal_protocol.events import Standing
from samedeal_protocol.names import Phase, Status
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race.seat import Seat
from samedeal_server.record import Record


LOBBY_AGE_MS: Final = 30 * 60_000
"""A race that has not begun its countdown by then ends."""

QUICK_WAIT_MS: Final = 10_000
"""A quick race waits this long for more once two seats are taken."""

AWAY_MS: Final = 60_000
"""A seat disconnected this long is freed, or timed out once somebody has won."""

MAX_LOBBY_EVENTS: Final = 100
"""Lobby events that one player may cause in one race."""


class Race(Record):
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

    FIELDS: ClassVar = (
        "at_ms",
        "chosen",
        "code",
        "commitment",
        "created_ms",
        "creator",
        "deal",
        "id",
        "length",
        "limit_ms",
        "lobby_events",
        "paired_ms",
        "quick",
        "rules",
        "salt",
        "seats",
        "seed",
        "settings",
        "standings",
        "start_ms",
        "variant",
    )
    __slots__ = FIELDS

    def __init__(
        self,
        *,
        length: int,
        at_ms: int,
        id: str,
        code: str,
        variant: Variant,
        rules: int,
        settings: RaceSettings,
        chosen: bool,
        quick: bool,
        creator: str,
        seed: str,
        salt: str,
        commitment: str,
        deal: State,
        created_ms: int,
        seats: tuple[Seat | None, ...],
        lobby_events: Mapping[str, int],
        paired_ms: int | None = None,
        start_ms: int | None = None,
        limit_ms: int | None = None,
        standings: tuple[Standing, ...] | None = None,
    ) -> None:
        self.length: Final = length
        self.at_ms: Final = at_ms
        self.id: Final = id
        self.code: Final = code
        self.variant: Final = variant
        self.rules: Final = rules
        self.settings: Final = settings
        self.chosen: Final = chosen
        self.quick: Final = quick
        self.creator: Final = creator
        self.seed: Final = seed
        self.salt: Final = salt
        self.commitment: Final = commitment
        self.deal: Final = deal
        self.created_ms: Final = created_ms
        self.seats: Final = seats
        self.lobby_events: Final = lobby_events
        self.paired_ms: Final = paired_ms
        self.start_ms: Final = start_ms
        self.limit_ms: Final = limit_ms
        self.standings: Final = standings

    @property
    def taken(self) -> list[Seat]:
        """Taken seats, lowest first."""
        return [seat for seat in self.seats if seat is not None]

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
    def people(self) -> list[Seat]:
        """Seats not taken by a built-in bot, lowest first."""
        return [seat for seat in self.taken if not seat.built_in]

    @property
    def host(self) -> int:
        """The host's seat: the lowest of the people's; 0 when all have gone."""
        people = self.people
        return people[0].number if people else 0

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

    # What it becomes.

    def with_seats(self, seats: tuple[Seat | None, ...], at_ms: int) -> "Race":
        """After one more entry, which changed seats and nothing else; nearly all do,
        so without a look at every name."""
        return Race(
            length=self.length + 1,
            at_ms=at_ms,
            id=self.id,
            code=self.code,
            variant=self.variant,
            rules=self.rules,
            settings=self.settings,
            chosen=self.chosen,
            quick=self.quick,
            creator=self.creator,
            seed=self.seed,
            salt=self.salt,
            commitment=self.commitment,
            deal=self.deal,
            created_ms=self.created_ms,
            seats=seats,
            lobby_events=self.lobby_events,
            paired_ms=self.paired_ms,
            start_ms=self.start_ms,
            limit_ms=self.limit_ms,
            standings=self.standings,
        )

    def with_lobby(
        self,
        seats: tuple[Seat | None, ...],
        at_ms: int,
        lobby_events: Mapping[str, int],
        paired_ms: int | None,
    ) -> "Race":
        """After one more entry, of the lobby."""
        return self._with(
            at_ms, seats=seats, lobby_events=lobby_events, paired_ms=paired_ms
        )

    def with_start(
        self, seats: tuple[Seat | None, ...], at_ms: int, start_ms: int
    ) -> "Race":
        """After one more entry, which began the countdown."""
        limit_ms = start_ms + self.settings.time_limit_ms
        return self._with(at_ms, seats=seats, start_ms=start_ms, limit_ms=limit_ms)

    def with_end(self, standings: tuple[Standing, ...], at_ms: int) -> "Race":
        """After one more entry, its last."""
        return self._with(at_ms, standings=standings)

    # Private methods.

    def _with(self, at_ms: int, **changes: Any) -> "Race":
        return self.changed(length=self.length + 1, at_ms=at_ms, **changes)

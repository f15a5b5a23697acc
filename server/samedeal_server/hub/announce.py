"""Telling the audience of a race what happened, from states before and after."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from samedeal_protocol import events
from samedeal_protocol.events import Event
from samedeal_protocol.updates import Error, RaceInfo
from samedeal_server.hub.audience import Audience, Listener, Re, Shared, answer
from samedeal_server.race import told
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal


if TYPE_CHECKING:
    from samedeal_server.hub.ledger import Ledger
    from samedeal_server.store import Log

_Advance = events.Moved | events.Undone | events.Resigned
_ADVANCES: Final[tuple[type[_Advance], ...]] = (
    events.Moved,
    events.Undone,
    events.Resigned,
)

Step = tuple[Event, Race, Race]
"""An event, the race before it and the race after it."""


class Announcer:
    """Who listens to one race on this node, and what they have been told.

    It does not know the live race, which has it: a race that is let go of is freed at
    once, and not when a search for garbage comes to it.

    Attributes:
        ledger: what is known of the race's log.
        away: players who are not connected, and since when by the log's clock.
        rematch: id of the race that follows this one, if somebody asked for it.
    """

    def __init__(self, race_id: str, log: "Log", ledger: "Ledger") -> None:
        self.audience = Audience()
        self.away: dict[str, int] = {}
        self.rematch: str | None = None
        self.ledger = ledger
        self._race_id = race_id
        self._log = log
        self._start_told = False

    # Single updates.

    def info(self, race: Race, now: int) -> RaceInfo:
        """The `race` update as of now."""
        seated = {seat.player for seat in race.taken}
        watchers = sum(1 for one in self.audience if one.player not in seated)
        return told.race_info(
            race,
            now,
            is_connected=lambda player: player not in self.away,
            watchers=watchers,
            rematch=self.rematch,
            digest=self.ledger.digest,
        )

    def tell_race(
        self, race: Race, now: int, asker: Listener | None = None, re: Re = UNSET
    ) -> None:
        """Tell everyone, and the asker first, how the race stands."""
        if len(self.audience) > 0 or asker is not None:
            self.audience.tell_all(self.info(race, now), asker, re)

    def show(
        self,
        race: Race,
        now: int,
        listener: Listener,
        re: Re = UNSET,
        turn: int | None = None,
    ) -> None:
        """Tell one listener all that it may see: `race`, then boards.

        Its own board as a patch from `turn`, if that is a turn it can have;
        every seat's board once the race has ended.
        """
        answer(listener, self.info(race, now), re)
        if race.ended:
            self._show_all(race, now, [listener])
            return
        seat = race.seat_of(listener.player)
        if seat is None or not race.has_started(now):
            return
        if turn is not None and turn <= seat.turn:
            listener.tell(told.patch_from(race, seat, turn, now))
        else:
            listener.tell(told.seat_view(race, seat, now))

    def everything(self, race: Race, now: int) -> None:
        """Show everyone everything again; what they had seen is void."""
        for listener in self.audience:
            self.show(race, now, listener)

    def lost(self, trouble: Refusal) -> None:
        """Tell everyone why they hear no more of the race."""
        error = Error(code=trouble.code, message=trouble.message, race=self._race_id)
        for listener in self.audience:
            listener.tell(error)
            self.audience.discard(listener)
            listener.put_out(self._race_id)

    # The start.

    def loaded(self, race: Race, now: int) -> None:
        """The race was read from its log; who comes later asks for what it needs."""
        self._start_told = race.has_started(now) or race.ended

    def next_start(self, race: Race) -> int | None:
        """When the start has to be told, if it has to be."""
        return None if self._start_told else race.start_ms

    def start_is_due(self, race: Race, now: int) -> bool:
        return not self._start_told and race.has_started(now)

    def start(self, race: Race, now: int) -> None:
        """The start instant: the race, and to each seat its board."""
        self._start_told = True
        if len(self.audience) == 0:
            return
        self.tell_race(race, now)
        for seat in race.taken:
            listener = self.audience.of(seat.player)
            if listener is not None:
                listener.tell(told.seat_view(race, seat, now))

    # Events.

    def happened(
        self,
        steps: list[Step],
        now: int,
        asker: Listener | None = None,
        re: Re = UNSET,
    ) -> None:
        """Tell what `steps` changed; `asker` asked for it and gets `re`."""
        race_changed = False
        for event, before, after in steps:
            now = max(now, after.at_ms)
            if isinstance(event, _ADVANCES):
                self._advanced(event.seat, before, after, now, asker, re)
            elif isinstance(event, events.TimedOut):
                for number in event.seats:
                    self._advanced(number, before, after, now, None, UNSET)
            else:
                race_changed = True
        if race_changed:
            race, now = steps[-1][2], max(now, self._log.now_ms())
            gone = self._let_go(steps)
            self.tell_race(race, now, asker, re)
            for listener in gone:
                if listener is not asker:
                    listener.tell(self.info(race, now))
            if race.ended:
                self._show_all(race, now, self.audience)

    def _advanced(
        self,
        number: int,
        before: Race,
        after: Race,
        now: int,
        asker: Listener | None,
        re: Re,
    ) -> None:
        if self.start_is_due(after, now):
            self.start(before, now)
        old, seat = before.seats[number], after.seats[number]
        assert old is not None and seat is not None
        own = asker or self.audience.of(seat.player)
        if own is not None:
            own.tell(told.step_patch(after, old, seat, now, re))
        if self.audience.has_others(seat.player):
            progress = told.progress(after, seat, now)
            self.audience.tell_progress(progress, besides=seat.player)

    def _let_go(self, steps: list[Step]) -> list[Listener]:
        """Whoever has lost the seat hears of that, and then no more of the race."""
        gone: list[Listener] = []
        for event, before, _ in steps:
            if isinstance(event, events.Left):
                seat = before.seat(event.seat)
                listener = self.audience.of(seat.player) if seat else None
                if listener is not None:
                    self.audience.discard(listener)
                    listener.put_out(before.id)
                    gone.append(listener)
        return gone

    def _show_all(self, race: Race, now: int, to: Iterable[Listener]) -> None:
        if race.start_ms is None:
            return
        views = [Shared(told.seat_view(race, seat, now)) for seat in race.taken]
        for listener in to:
            for view in views:
                listener.tell(view)

    # Presence.

    def set_away(self, race: Race, now: int, away: dict[str, int]) -> None:
        """Take note of who is not connected, and tell when that has changed."""
        changed = away.keys() != self.away.keys()
        self.away = away
        if changed:
            self.tell_race(race, now)

    def set_connected(self, race: Race, now: int, player: str) -> None:
        if self.away.pop(player, None) is not None:
            self.tell_race(race, now)

    def set_rematch(self, race: Race, now: int, rematch: str | None) -> None:
        """Take note of the race that follows, and tell when that is news."""
        if rematch != self.rematch:
            self.rematch = rematch
            self.tell_race(race, now)

"""What time brings about in one race: its start told, what is due appended.

Timers are for punctuality alone. They die with the node; the sweep over due
races is what makes sure that everything happens.
"""

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from samedeal_protocol.events import Event, Moved, Undone
from samedeal_server.hub.request import OwnRequest
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.schedule import due, next_due


if TYPE_CHECKING:
    from samedeal_server.hub.live import LiveRace

logger = logging.getLogger(__name__)

PLAY: Final[tuple[type[Moved | Undone], ...]] = (Moved, Undone)
"""What changes nothing that is kept beside the log."""

_SOON_S: Final = 0.002
_LATER_S: Final = 1.0


class Clockwork:
    """The timer of one race."""

    def __init__(self, live: "LiveRace") -> None:
        self._live: LiveRace | None = live
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._asked = False

    def look(self) -> None:
        """Do what is due, and come back when more will be."""
        self.stop()
        live = self._live
        race = None if live is None else live.race
        if live is None or race is None or race.ended or not live.usable:
            return
        now = live.now_ms()
        if live.told.start_is_due(race, now):
            live.told.start(race, now)
        if self._asked:
            return
        if due(race, now, live.told.away) is not None:
            self._asked = True
            never = float("inf")
            request = OwnRequest(self._decide, self._done, self._refused, never)
            live.submit(request, self._loop.time())
            return
        moments = [next_due(race, now), live.told.next_start(race)]
        waits = [(moment - now) / 1000 for moment in moments if moment is not None]
        self._wake_in(max(_SOON_S, min(waits)))

    def stands(self, happened: list[Event]) -> bool:
        """Whether these events leave what is due, and when, as it was."""
        if self._timer is None or self._live is None:
            return False
        seats = self._live.state.seats
        for event in happened:
            if not isinstance(event, PLAY):
                return False
            seat = seats[event.seat]
            if seat is None or seat.outcome is not None:
                return False
        return True

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Do nothing more; and forget the race, which has this: two that know each
        other are freed only by a search for garbage."""
        self.stop()
        self._live = None

    # Private methods.

    def _decide(self, race: Race, now: int) -> Decision:
        if self._live is None or race is not self._live.race:
            # Behind another command, on what that would come to: standings must
            # not hold times that the log has not given yet. We look again soon.
            return NOTHING
        return due(race, now, self._live.told.away) or NOTHING

    def _done(self, _: Decision) -> None:
        self._asked = False
        # More may be due; a decision without events sets no timer by itself.
        self._wake_in(_SOON_S)

    def _refused(self, refusal: Refusal) -> None:
        self._asked = False
        if self._live is not None:
            logger.info("Race %s: not done yet: %s", self._live.id, refusal.message)
        self._wake_in(_LATER_S)

    def _wake_in(self, delay_s: float) -> None:
        self.stop()
        self._timer = self._loop.call_later(delay_s, self.look)

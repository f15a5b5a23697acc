"""Commands on a race one has a seat in: the hot path."""

from typing import TYPE_CHECKING, Final

from samedeal_protocol import commands
from samedeal_server.hub.audience import answer
from samedeal_server.hub.live import LiveRace
from samedeal_server.hub.request import Request
from samedeal_server.race import told
from samedeal_server.race.decide import RaceCommand, decide
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.settings import Settings


if TYPE_CHECKING:
    from samedeal_server.net.session import Session


_LEAVE: Final = commands.Leave
"""Compared with types: `isinstance` takes long to find that a struct is none."""


class Playing:
    """Puts commands in their race's queue; what asks there also answers."""

    def __init__(self, settings: Settings) -> None:
        self._patience_s = settings.unavailable_s

    def submit(
        self,
        session: "Session",
        live: LiveRace,
        command: RaceCommand,
        asked_s: float,
    ) -> None:
        """Have a command decided; the session is answered in its turn, and within
        the time after which a log counts as unavailable.

        Args:
            asked_s: when it came, by the event loop's clock.
        """
        deadline = asked_s + self._patience_s
        live.submit(PlayerRequest(session, live, command, deadline), asked_s)


class PlayerRequest(Request):
    """A player's command in the queue of its race."""

    def __init__(
        self, session: "Session", live: LiveRace, command: RaceCommand, deadline: float
    ) -> None:
        super().__init__(session, command.id, deadline)
        self._session = session
        self._live = live
        self._command = command

    def decide(self, race: Race, now: int) -> Decision:
        return decide(race, self._session.player, self._command, now)

    def done(self, decision: Decision) -> None:
        if not decision.events:
            self._answer_without_events(decision)
        elif type(self._command) is _LEAVE:
            self._answer_leave()

    def refused(self, refusal: Refusal) -> None:
        session, command = self._session, self._command
        is_leaving = type(command) is _LEAVE
        no_seat = refusal.code == "not_in_race"
        if is_leaving and no_seat and session.unsubscribe(self._live):
            self._answer_race()
        else:
            session.refuse(refusal, command.id, command.race)

    # Private methods.

    def _answer_without_events(self, decision: Decision) -> None:
        live = self._live
        if decision.resend_from is None:
            self._answer_race()
            return
        seat = live.state.seat_of(self._session.player)
        assert seat is not None
        now = live.now_ms()
        patch = told.patch_from(live.state, seat, decision.resend_from, now)
        answer(self._session, patch, self.re)

    def _answer_leave(self) -> None:
        """What the events come to has been told; how the race stands has not."""
        live, session = self._live, self._session
        seated = live.state.seat_of(session.player) is not None
        if seated and not live.state.in_lobby:
            session.tell(live.told.info(live.state, live.now_ms()))

    def _answer_race(self) -> None:
        live = self._live
        answer(self._session, live.told.info(live.state, live.now_ms()), self.re)

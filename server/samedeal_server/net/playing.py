"""Commands on a race one has a seat in: the hot path."""

import asyncio
from typing import TYPE_CHECKING

from samedeal_protocol import commands
from samedeal_server.hub.audience import answer
from samedeal_server.hub.hub import Hub
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


class Playing:
    """Puts commands in their race's queue, and answers when they are settled."""

    def __init__(self, hub: Hub, settings: Settings) -> None:
        self._hub = hub
        self._patience_s = settings.unavailable_s
        self._loop = asyncio.get_running_loop()

    async def find_and_submit(self, session: "Session", command: RaceCommand) -> None:
        """As `submit`, for a race that is not in memory.

        Raises:
            Refusal: there is no such race, or its log cannot be read.
        """
        deadline = self._loop.time() + self._patience_s
        live = await self._hub.get(command.race)
        self.submit(session, live, command, deadline)

    def submit(
        self,
        session: "Session",
        live: LiveRace,
        command: RaceCommand,
        deadline: float | None = None,
    ) -> None:
        """Have a command decided; the session is answered in its turn, and by
        `deadline` (the event loop's time; counted from now where it is None)."""
        player = session.player

        def decide_it(race: Race, now: int) -> Decision:
            return decide(race, player, command, now)

        def done(decision: Decision) -> None:
            _answer_done(session, live, command, decision)

        def refused(refusal: Refusal) -> None:
            is_leaving = isinstance(command, commands.Leave)
            no_seat = refusal.code == "not_in_race"
            if is_leaving and no_seat and session.unsubscribe(live):
                _answer_race(session, live, command)
            else:
                session.refuse(refusal, command.id, command.race)

        if deadline is None:
            deadline = self._loop.time() + self._patience_s
        live.submit(Request(decide_it, done, refused, deadline, session, command.id))


def _answer_done(
    session: "Session", live: LiveRace, command: RaceCommand, decision: Decision
) -> None:
    """Answer what was decided; where there were events, that has been done."""
    if decision.events:
        if isinstance(command, commands.Leave) and not live.state.in_lobby:
            now = live.now_ms()
            if live.state.seat_of(session.player) is not None:
                session.tell(live.told.info(live.state, now))
        return
    if decision.resend_from is None:
        _answer_race(session, live, command)
        return
    seat = live.state.seat_of(session.player)
    assert seat is not None
    patch = told.patch_from(live.state, seat, decision.resend_from, live.now_ms())
    answer(session, patch, command.id)


def _answer_race(session: "Session", live: LiveRace, command: RaceCommand) -> None:
    answer(session, live.told.info(live.state, live.now_ms()), command.id)

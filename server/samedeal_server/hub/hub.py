"""The races in this node's memory: loaded when asked for, dropped when idle."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence

from samedeal_protocol.codec import encode_event
from samedeal_protocol.events import Event
from samedeal_protocol.names import is_race_id
from samedeal_server.hub.live import LiveRace, OnChange
from samedeal_server.hub.request import unavailable
from samedeal_server.race.decision import NOTHING
from samedeal_server.race.refusal import Refusal
from samedeal_server.settings import Settings
from samedeal_server.spread import spread
from samedeal_server.store import (
    START,
    Append,
    Appended,
    AppendResult,
    Conflict,
    Entry,
    Store,
)


logger = logging.getLogger(__name__)

# A race that nobody listens to is dropped after so long without a command.
_IDLE_S = 30.0
# So many races are looked at before whoever waits meanwhile has a turn. To let go of
# one takes much longer than to see that it is needed.
_LOOKED_AT = 40


OnLoad = Callable[[LiveRace], Awaitable[None]]


class Hub:
    """All races that this node holds.

    Attributes:
        on_change: called after events of a race were reduced, live or read, unless all
            are `PLAY`; what is kept beside the log is seen to there.
        on_load: awaited before a race that was read from its log is given out, to
            add what the log does not say.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self.on_change: OnChange = lambda live, happened, ours: None
        self.on_load: OnLoad = _add_nothing
        self._store = store
        self._settings = settings
        self._lives: dict[str, LiveRace] = {}

    def __iter__(self) -> Iterator[LiveRace]:
        return iter(list(self._lives.values()))

    def at_hand(self, race_id: str) -> LiveRace | None:
        """The race, if it is in memory and in order."""
        live = self._lives.get(race_id)
        is_read = live is not None and live.race is not None and live.usable
        return live if is_read else None

    async def get(self, race_id: str, *, fresh: bool = False) -> LiveRace:
        """The race, read from its log if need be.

        Args:
            fresh: read what is new in the log in any case: who asks may come from
                another node, whose bell is still on its way, or was missed.

        Raises:
            Refusal: `unknown_race`, `unavailable`, or `internal` for a log that
                does not reduce.
        """
        if not is_race_id(race_id):
            raise Refusal("unknown_race", "A race's id is 16 letters of a-z and 2-7.")
        live = self._lives.get(race_id)
        if live is None or not live.usable:
            live = self._new(race_id)
        is_new = live.race is None
        if fresh:
            live.catch_up()
        if fresh or live.needs_reading:
            await self._in_turn(live)
        if is_new:
            if not live.idle:
                # What is due is being done; of a race past its limit the end is the
                # second step, and is not to be missed by whoever asks.
                await self._in_turn(live)
            await self.on_load(live)
        return live

    async def find(self, race_id: str) -> LiveRace | None:
        """As `get`, but None where there is no such race.

        Raises:
            Refusal: `unavailable` or `internal`.
        """
        try:
            return await self.get(race_id)
        except Refusal as refusal:
            if refusal.code != "unknown_race":
                raise
            return None

    async def create(self, race_id: str, events: Sequence[Event]) -> LiveRace:
        """A new race, in the log and in memory.

        Where its log exists already, asked for twice, that race.

        Raises:
            Refusal: `unavailable`.
        """
        data = [encode_event(event) for event in events]
        result = await self._append_first(race_id, data)
        if not isinstance(result, Appended):
            # It may be there, whole: then it was asked for before.
            live = await self.find(race_id)
            if live is None:
                raise unavailable()
            return live
        live = self._new(race_id)
        last, at_ms = result.position.last, result.at_ms
        live.begin([Entry(last, at_ms, event) for event in data])
        return live

    def rang(self, race_id: str) -> None:
        """Another node has appended to this race, or says that it has."""
        live = self._lives.get(race_id)
        if live is None:
            return
        if len(live.told.audience) > 0:
            live.catch_up()
        else:
            live.stale = True

    async def drop_idle(self) -> None:
        """Forget races that nobody here hears of; the logs have them."""
        long_ago = asyncio.get_running_loop().time() - _IDLE_S
        async for lives in spread(self, _LOOKED_AT, 0):
            for live in lives:
                if live.is_unused(long_ago):
                    live.close()
                    if self._lives.get(live.id) is live:
                        del self._lives[live.id]

    async def settle(self) -> None:
        """Wait until nothing is under way in any race."""
        for live in self:
            if not live.idle and live.race is not None:
                with contextlib.suppress(Refusal):
                    await live.ask(lambda race, now: NOTHING, 1.0)

    def close(self) -> None:
        for live in self:
            live.close()

    # Private methods.

    async def _in_turn(self, live: LiveRace) -> None:
        """Wait until all that was asked of a race before is done."""
        await live.ask(lambda race, now: NOTHING, self._settings.unavailable_s)

    def _new(self, race_id: str) -> LiveRace:
        before = self._lives.get(race_id)
        if before is not None and before.idle:  # Nobody waits for it.
            before.close()
        live = self._lives[race_id] = LiveRace(
            race_id, self._store.log, self._store.bells.ring, self.on_change
        )
        return live

    async def _append_first(self, race_id: str, data: list[bytes]) -> AppendResult:
        answer: asyncio.Future[AppendResult]
        answer = asyncio.get_running_loop().create_future()
        self._store.log.append(Append(race_id, START, data, answer.set_result))
        result = await asyncio.shield(answer)
        if isinstance(result, Conflict):
            logger.debug("Race %s exists already.", race_id)
        return result


async def _add_nothing(live: LiveRace) -> None:
    """Until the app says better."""

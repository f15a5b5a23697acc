"""What is kept beside the logs, brought in line with them.

Every chore can be done twice, by any node, and can be lost: the next sweep
over what is due does it again.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from samedeal_protocol import events
from samedeal_protocol.events import Event
from samedeal_server.hub.hub import Hub
from samedeal_server.hub.live import LiveRace
from samedeal_server.hub.opponents import Opponents
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.schedule import next_due
from samedeal_server.settings import Settings
from samedeal_server.spread import spread
from samedeal_server.store import Ending, Store, StoreUnavailable


logger = logging.getLogger(__name__)

_SWEEP_S = 1.0
# With other nodes about, races that somebody here hears of are read this often,
# for bells can be missed.
_MISSED_S = 3.0
_READ_AT_ONCE = 10
_HOLD_MS = 5000
_BATCH = 200

# A race is looked at again after so long at the latest, since a node may die
# without a word, and players be cut off.
_LOOK_LOBBY_MS = 15_000
_LOOK_WON_MS = 15_000
_LOOK_BOTS_MS = 4_000
_LOOK_RACE_MS = 60_000

# Races that end within this time are put away together, so many in one call.
_TOGETHER_S = 0.2
_AT_ONCE = 25

_Chore = Callable[[LiveRace], Coroutine[Any, Any, None]]


class Chores:
    """Sweeps over due races, and follows up on events."""

    def __init__(
        self, hub: Hub, store: Store, opponents: Opponents, settings: Settings
    ) -> None:
        self._hub = hub
        self._store = store
        self._opponents = opponents
        self._dirty: set[str] = set()
        self._ended: dict[str, LiveRace] = {}
        self._keep_s = settings.keep_days * 86_400
        self._fold_after_ms = int(settings.fold_after_s * 1000)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._read_s = 0.0
        self._closed = False

    def start(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep_for_ever(), name="sweep")

    async def close(self) -> None:
        self._closed = True
        tasks = [*self._tasks, *([self._sweeper] if self._sweeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def changed(self, live: LiveRace, happened: Sequence[Event], ours: bool) -> None:
        """Follow up on events of a race, appended here or read, not all of them `PLAY`."""
        if not ours and any(isinstance(event, events.Joined) for event in happened):
            # Whoever came may be gone again, which said nothing to us till now.
            self._spawn(self.see_who_is_there, live)
        if any(isinstance(event, events.Left) for event in happened):
            self._spawn(self._forget_leavers, live)
        if live.id in self._dirty:
            return
        self._dirty.add(live.id)
        if not live.state.ended:
            self._spawn(self._tidy, live)
            return
        if not self._ended:
            self._go(self._put_ended_away())
        self._ended[live.id] = live

    async def loaded(self, live: LiveRace) -> None:
        """A race is new in this node's memory."""
        await self._guarded(self.see_who_is_there, live)

    def people_changed(self, race_id: str) -> None:
        """Another node says that somebody in this race came or went."""
        live = self._hub.at_hand(race_id)
        if live is not None and len(live.told.audience) > 0:
            self._spawn(self.see_who_is_there, live)

    def missed_bells(self) -> None:
        """Bells may have been missed: look at every race that somebody hears of."""
        self._go(self._hear_of_all())

    async def look_at(self, live: LiveRace) -> None:
        """All that a race needs from time to time; what is due included."""
        race = live.race
        if race is None:
            return
        if not race.ended:
            await self.see_who_is_there(live)
            live.look_at_the_clock()
        await self._tidy(live)

    async def see_who_is_there(self, live: LiveRace) -> None:
        """Take in who is connected, on any node, and whether a rematch is on."""
        players = [seat.player for seat in live.state.people]
        found = await self._store.registry.presence(players)
        rematch = await self._store.registry.rematch_get(live.id)
        away = {p: seen.since_ms for p, seen in found.items() if not seen.connected}
        live.told.set_away(live.state, live.now_ms(), away)
        live.told.set_rematch(live.state, live.now_ms(), rematch)

    # Private methods.

    async def _tidy(self, live: LiveRace) -> None:
        self._dirty.discard(live.id)
        race = live.state
        registry = self._store.registry
        if race.ended:
            await registry.put_away([self._ending(race)], self._keep_s)
            return
        if not race.in_lobby:
            await registry.lobby_remove(race.id)
            if race.quick:
                game, variant = race.variant.game, race.variant.name
                await registry.quick_remove(game, variant, race.id)
        await registry.due_set(race.id, look_again(race, live.now_ms()))
        await self._opponents.see_to(live)

    async def _put_ended_away(self) -> None:
        """Races that end at about the same time take one call, and one sync to disk."""
        await asyncio.sleep(_TOGETHER_S)
        ended, self._ended = self._ended, {}
        self._dirty -= ended.keys()
        try:
            async for some in spread(ended.values(), _AT_ONCE, 0):
                endings = [self._ending(live.state) for live in some]
                await self._store.registry.put_away(endings, self._keep_s)
        except StoreUnavailable as error:
            logger.info("Put off until the next sweep: %s", error)

    def _ending(self, race: Race) -> Ending:
        quick = (race.variant.game, race.variant.name) if race.quick else None
        players = tuple([seat.player for seat in race.taken])
        fold_ms = race.at_ms + self._fold_after_ms
        return Ending(race.id, race.code, players, quick, fold_ms)

    async def _forget_leavers(self, live: LiveRace) -> None:
        for player in list(live.state.lobby_events):
            if live.state.seat_of(player) is None:
                await self._store.registry.races_remove(player, live.id)

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self._sweep()
            except StoreUnavailable as error:
                logger.info("The sweep has to wait: %s", error)
            except Exception:
                logger.exception("The sweep failed; it goes on.")
            await self._hub.drop_idle()
            await asyncio.sleep(_SWEEP_S)

    async def _sweep(self) -> None:
        await self._store.log.refresh_clock()
        await self._look_for_missed_bells()
        claimed = await self._store.registry.due_claim(_BATCH, _HOLD_MS)
        for race_id in claimed:
            try:
                live = await self._hub.get(race_id)
            except Refusal as refusal:
                if refusal.code == "unavailable":
                    # So will the others be; they come due again.
                    return
                await self._unusable(race_id, refusal)
                continue
            live.catch_up()
            await self.look_at(live)

    async def _look_for_missed_bells(self) -> None:
        nodes = await self._store.registry.beat(self._store.nodes.settings.node)
        self._store.bells.found(nodes - 1)
        now_s = asyncio.get_running_loop().time()
        if nodes > 1 and now_s - self._read_s >= _MISSED_S:
            self._read_s = now_s
            self.missed_bells()

    async def _hear_of_all(self) -> None:
        races = [live.id for live in self._hub]
        async for some in spread(races, _READ_AT_ONCE, _MISSED_S):
            for race_id in some:
                self._hub.rang(race_id)

    async def _unusable(self, race_id: str, refusal: Refusal) -> None:
        if refusal.code == "unknown_race":
            # Announced, but its first entry never came.
            await self._store.registry.due_remove(race_id)
            await self._store.registry.lobby_remove(race_id)
        else:
            logger.warning("Race %s was left as it is: %s", race_id, refusal.message)

    def _spawn(self, chore: _Chore, live: LiveRace) -> None:
        self._go(self._guarded(chore, live))

    def _go(self, work: Coroutine[Any, Any, None]) -> None:
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, chore: _Chore, live: LiveRace) -> None:
        try:
            await chore(live)
        except StoreUnavailable as error:
            logger.info("Put off until the next sweep: %s", error)
        except Exception:
            logger.exception("A chore failed; the next sweep does it again.")


def look_again(race: Race, now: int) -> int:
    """When a race has to be looked at next, by the log's clock."""
    if race.in_lobby:
        pause = _LOOK_LOBBY_MS
    elif any(seat.built_in and not seat.is_done() for seat in race.taken):
        pause = _LOOK_BOTS_MS
    elif race.somebody_won():
        pause = _LOOK_WON_MS
    else:
        pause = _LOOK_RACE_MS
    moment = next_due(race, now)
    return now + pause if moment is None else min(moment, now + pause)

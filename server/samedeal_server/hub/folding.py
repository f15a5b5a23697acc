"""The logs of races that have ended, folded: each into one compressed record.

Any node does it, for any race, some time after the end; done twice it changes
nothing. It takes a tenth of the time at most, so that races under way do not wait.
"""

import asyncio
import logging

from samedeal_protocol.codec import BadEvent, decode_event
from samedeal_protocol.events import Ended
from samedeal_server.store import START, CannotFold, Store, StoreUnavailable, Tail


logger = logging.getLogger(__name__)

_SWEEP_S = 1.0
_AT_ONCE = 8
_HOLD_MS = 10_000
# For each second of folding, seconds in which nothing is folded here.
_REST = 9


class Folding:
    """Sweeps over races that ended `Settings.fold_after_s` ago.

    Until then people look at them, and no node should have to read back from a
    record what it has just written.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sweeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep_for_ever(), name="fold")

    async def close(self) -> None:
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.wait([self._sweeper])

    async def sweep(self) -> bool:
        """Fold a few logs whose time has come; whether there may be more of them.

        Raises:
            StoreUnavailable: which they are cannot be told.
        """
        claimed = await self._store.registry.ended_claim(_AT_ONCE, _HOLD_MS)
        await asyncio.gather(*(self._guarded(race_id) for race_id in claimed))
        return len(claimed) == _AT_ONCE

    # Private methods.

    async def _sweep_for_ever(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            more = False
            try:
                more = await self.sweep()
            except StoreUnavailable as error:
                logger.info("Folding has to wait: %s", error)
            except Exception:
                logger.exception("Folding failed; it goes on.")
            rest_s = _REST * (loop.time() - began)
            await asyncio.sleep(rest_s if more else max(rest_s, _SWEEP_S))

    async def _guarded(self, race_id: str) -> None:
        try:
            await self._fold(race_id)
        except StoreUnavailable as error:
            logger.info("Race %s is folded later: %s", race_id, error)

    async def _fold(self, race_id: str) -> None:
        log, registry = self._store.log, self._store.registry
        tail = await log.read(race_id, START)
        try:
            if tail.entries and not has_ended(tail):
                # The store went back: the race goes on.
                await registry.due_at_most(race_id, log.now_ms())
            elif tail.entries and not await log.fold(race_id, tail):
                return  # Another log by now; it comes due again.
        except (BadEvent, CannotFold) as error:
            logger.warning("The log of race %s stays as it is: %s", race_id, error)
        await registry.ended_remove(race_id)


def has_ended(tail: Tail) -> bool:
    """Whether a log that was read from its start is a whole one.

    Raises:
        BadEvent: its last entry is none of ours.
    """
    return isinstance(decode_event(tail.entries[-1].event), Ended)

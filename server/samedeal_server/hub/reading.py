"""Reading what is new in a race's log: the one place where a race waits for the store.

What comes of it is the race's own affair; this is the waiting alone, so that nothing
else of a race is a coroutine.
"""

import asyncio
import logging
import random
from typing import TYPE_CHECKING

from samedeal_server.store import Log, StoreUnavailable


if TYPE_CHECKING:
    from samedeal_server.hub.live import LiveRace

logger = logging.getLogger(__name__)

# Between two tries to read the log, at most.
_RETRY_S = 0.2


async def read(live: "LiveRace", log: Log) -> None:
    """Read the tail of a race's log, however long it takes, and have the race go on."""
    while True:
        epoch, live.stale = log.contact.epoch, False
        try:
            tail = await log.read(live.id, live.position)
            break
        except StoreUnavailable as error:
            live.stale = True
            logger.info("Race %s cannot be read: %s", live.id, error)
        await asyncio.sleep(_RETRY_S * random.random())
    if pause_s := live.take(tail, epoch):
        await asyncio.sleep(pause_s)
    live.go_on()

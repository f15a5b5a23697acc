"""Updates on their way to a reader: in order, and never without bound."""

import asyncio
from collections import deque

from samedeal.errors import FellBehind, SamedealError
from samedeal.mirror import RaceUpdate
from samedeal_protocol.updates import Progress, RaceInfo


class Updates:
    """An asynchronous iterator over what is told about a race.

    Every update is kept until it is read, as long as no more than `limit`
    wait. Beyond that only the newest `race`, and of each other seat only the
    newest `progress`, stay; a board's own patches and views are never dropped:
    where those alone are too many, iteration ends with `FellBehind`.
    """

    def __init__(self, limit: int, source: object) -> None:
        self._limit = limit
        self._source = source  # Whoever reads keeps what it reads from alive.
        self._waiting: deque[RaceUpdate] = deque()
        self._ended = False
        self._error: SamedealError | None = None
        self._reader: asyncio.Future[None] | None = None

    def __aiter__(self) -> "Updates":
        return self

    async def __anext__(self) -> RaceUpdate:
        while not self._waiting:
            if self._error is not None:
                raise self._error
            if self._ended:
                raise StopAsyncIteration
            if self._reader is not None:
                raise RuntimeError("These updates are being read already.")
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._waiting.popleft()

    def put(self, update: RaceUpdate) -> None:
        """Add an update."""
        if self._ended:
            return
        self._waiting.append(update)
        if len(self._waiting) > self._limit:
            self._coalesce()
        self._wake()

    def end(self, error: SamedealError | None = None) -> None:
        """No more will come; what waits can still be read, then `error`."""
        if not self._ended:
            self._ended = True
            self._error = error
            self._wake()

    def _coalesce(self) -> None:
        """Keep of what supersedes itself the newest only."""
        kept: deque[RaceUpdate] = deque()
        seen: set[int | None] = set()
        for update in reversed(self._waiting):
            match update:
                case Progress(seat=seat):
                    key: int | None = seat
                case RaceInfo():
                    key = None
                case _:
                    kept.appendleft(update)
                    continue
            if key not in seen:
                seen.add(key)
                kept.appendleft(update)
        self._waiting = kept
        if len(kept) > self._limit:
            self.end(
                FellBehind(
                    f"More than {self._limit} updates waited to be read; "
                    "read them faster, or look at the race's board instead."
                )
            )

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

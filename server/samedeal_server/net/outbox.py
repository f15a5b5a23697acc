"""What goes out on one connection: never blocking, never without bound.

Updates are written at once. Where a reader is slow they pile up in the
transport's buffer, which is watched: one that cannot take its own patches is
closed, to resume later. Others' progress gives way to newer progress.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from samedeal_protocol.codec import Codec
from samedeal_protocol.updates import Progress, Update
from samedeal_server.hub.audience import Shared
from samedeal_server.net.limits import TokenBucket


# Others' progress goes out at once, so many times a second; what is more than
# that goes out together, the newest of each seat. The last is always told.
_PROGRESS_PER_S: Final = 10
_PAUSE_S: Final = 1 / _PROGRESS_PER_S


class Outbox:
    """Frames for one connection.

    Args:
        write: sends one frame's bytes without waiting; returns how many bytes the
            transport holds by then, or 0 where they are certainly not too many.
        waiting: how many bytes the transport still holds.
        most_bytes: more than this waiting, and the reader is too slow.
        most_s: bytes that wait longer than this, and it is too.
    """

    def __init__(
        self,
        codec: Codec,
        write: Callable[[bytes], int],
        waiting: Callable[[], int],
        *,
        most_bytes: int,
        most_s: float,
    ) -> None:
        self.codec = codec
        self.closed = False
        self._write = write
        self._waiting = waiting
        self._most_bytes = most_bytes
        self._most_s = most_s
        self._written = 0
        self._mark: tuple[int, float] | None = None
        self._progress: dict[tuple[str, int], Progress] = {}
        self._bucket = TokenBucket(_PROGRESS_PER_S, _PROGRESS_PER_S)
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def send(self, update: Update | Shared) -> bool:
        """Write an update; whether no more waits than may."""
        if self._progress:
            self._flush()
        if self.closed:
            return True
        if isinstance(update, Shared):
            frame = update.frame(self.codec)
        else:
            frame = self.codec.encode(update)
        self._written += len(frame)
        return self._write(frame) <= self._most_bytes

    def send_progress(self, progress: Progress) -> None:
        """Write another seat's progress, or the newest of it a little later."""
        if self.closed:
            return
        if self._timer is None and self._bucket.take(self._loop.time()):
            self.send(progress)
            return
        self._progress[progress.race, progress.seat] = progress
        if self._timer is None:
            self._timer = self._loop.call_later(_PAUSE_S, self._tick)

    def is_too_slow(self, now_s: float) -> bool:
        """Whether the reader has fallen too far behind; to be asked regularly."""
        waiting = self._waiting()
        if waiting == 0:
            self._mark = None
            return False
        if waiting > self._most_bytes:
            return True
        if self._mark is None or self._written - waiting >= self._mark[0]:
            # All that had been written by the mark has been taken since.
            self._mark = (self._written, now_s)
            return False
        return now_s - self._mark[1] > self._most_s

    def close(self) -> None:
        """Write nothing more."""
        self.closed = True
        self._progress.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Private methods.

    def _flush(self) -> None:
        progress, self._progress = self._progress, {}
        for newest in progress.values():
            self.send(newest)

    def _tick(self) -> None:
        self._timer = None
        if not self._progress:
            return
        if self._waiting() == 0 and self._bucket.take(self._loop.time()):
            self._flush()
        else:
            # The reader is behind; by then there may be newer progress.
            self._timer = self._loop.call_later(_PAUSE_S, self._tick)

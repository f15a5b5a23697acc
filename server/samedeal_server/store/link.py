"""One pipelined connection to one store process.

redis-py connects and authenticates; what its clients add on top, pools and retries,
is left out on purpose: a call that was sent is never sent again, and its caller
learns that it is not known what became of it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, cast

from hiredis import pack_command  # pyright: ignore[reportUnknownVariableType]
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from .errors import NotSent
from .pipe import Pipe
from .talk import Command, establish, hang_up, plain


log = logging.getLogger(__name__)

# The stub of hiredis speaks of a tuple of one.
_pack: Callable[[Command], bytes] = cast("Any", pack_command)


class Link:
    """Calls `lost` whenever an established connection ends, for whatever reason.

    `make` gives connections that have no timeouts of their own, and no retries.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], AbstractConnection],
        connect_timeout_s: float,
        lost: Callable[[], None],
    ) -> None:
        self.name = name
        self._make = make
        self._connect_timeout_s = connect_timeout_s
        self._lost = lost
        self._pipe: Pipe | None = None
        self._writer: asyncio.StreamWriter | None = None
        """Kept with the pipe: let go of, it closes the transport."""
        self._connecting = asyncio.Lock()
        self._closed = False

    @property
    def is_connected(self) -> bool:
        return self._pipe is not None

    async def call(
        self, commands: Sequence[Command | bytes], deadline: float
    ) -> list[object]:
        """The answers to `commands`, in order; refusals are values of `Refusal`. One
        that is bytes is packed already.

        `deadline` is by the loop's clock. Raises `NotSent` or `Unanswered`; after
        the latter the connection is gone, so that a late answer meets nobody.
        """
        pipe = self._pipe
        if pipe is None or not pipe.is_open:
            self.drop("it was closed")
            pipe = await self._connect(deadline)
        packed = b"".join(
            [one if isinstance(one, bytes) else _pack(one) for one in commands]
        )
        return await pipe.send(packed, len(commands), deadline)

    def drop(self, reason: str) -> None:
        """Gives up the connection; the next call makes another."""
        if self._pipe is not None:
            self._drop(self._pipe, reason)

    async def aclose(self) -> None:
        self._closed = True
        pipe = self._pipe
        self.drop("the store is being closed")
        if pipe is not None:
            await pipe.gone

    # Private methods.

    async def _connect(self, deadline: float) -> Pipe:
        try:
            async with asyncio.timeout_at(deadline), self._connecting:
                return self._pipe or await self._connect_anew()
        except TimeoutError:
            raise NotSent(f"{self.name} did not accept a connection in time.") from None

    async def _connect_anew(self) -> Pipe:
        if self._closed:
            raise NotSent("The store has been closed.")
        connection = self._make()
        try:
            await establish(connection, self._connect_timeout_s)
            if self._closed:  # Meanwhile, and nobody would close this one.
                raise ConnectionAbortedError("the store has been closed")
        except (RedisError, OSError, TimeoutError) as error:
            await hang_up(connection)
            raise NotSent(f"{self.name} cannot be reached: {plain(error)}.") from error
        except BaseException:
            await hang_up(connection)
            raise
        self._writer = _take_over(connection)
        self._pipe = Pipe(self.name, self._writer.transport, self._drop)
        return self._pipe

    def _drop(self, pipe: Pipe, reason: str) -> None:
        if pipe is not self._pipe:
            return
        log.debug("The connection to %s is given up: %s.", self.name, reason)
        self._pipe = None
        pipe.close(reason)
        self._writer = None
        self._lost()


def _take_over(connection: AbstractConnection) -> asyncio.StreamWriter:
    """What redis-py writes to; it knows nothing of a connection any more then.

    Its streams, and a task that reads from them, would cost more than the calls.
    """
    streams = cast("Any", connection)
    writer: asyncio.StreamWriter = streams._writer
    streams._reader = streams._writer = None
    return writer

"""One pipelined connection to one store process.

redis-py's `Connection` connects, authenticates and parses; what its clients add
on top, pools and retries, is left out on purpose: a call that was sent is never
sent again, and its caller learns that it is not known what became of it.
"""

import asyncio
import contextlib
import logging
import math
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, cast

from hiredis import pack_command  # pyright: ignore[reportUnknownVariableType]
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    RedisError,
    ResponseError,
)

from .errors import StoreUnavailable


log = logging.getLogger(__name__)

Argument: TypeAlias = str | bytes | int
Command: TypeAlias = tuple[Argument, ...]

Refusal = (ResponseError, BusyLoadingError, AuthenticationError)
"""What the store says instead of doing what was asked."""

# The stub of hiredis speaks of a tuple of one.
_pack: Callable[[Command], bytes] = cast("Any", pack_command)


class NotSent(StoreUnavailable):
    """Nothing was sent, so nothing happened: the call may be made again."""


class Unanswered(StoreUnavailable):
    """The call was sent and no answer came: it may have happened or not."""


class _Burst:
    """Commands that went out together, and the answers that came so far."""

    __slots__ = ("answers", "done", "expected")

    def __init__(self, expected: int, done: "asyncio.Future[list[object]]") -> None:
        self.expected = expected
        self.answers: list[object] = []
        self.done = done


async def establish(connection: AbstractConnection, timeout_s: float) -> None:
    """Connects and authenticates, or raises `RedisError`, `OSError` or `TimeoutError`."""
    with _closed_is_lost():
        async with asyncio.timeout(timeout_s):
            await connection.connect()  # type: ignore[no-untyped-call]


async def send(connection: AbstractConnection, *command: Argument) -> None:
    """Sends one command, or raises `RedisError` or `OSError`."""
    with _closed_is_lost():
        await connection.send_command(*command, check_health=False)


@contextlib.contextmanager
def _closed_is_lost() -> Iterator[None]:
    """A write to a connection that was closed a moment ago fails as on any lost one;
    uvloop alone calls that a RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        raise ConnectionError(f"it was closed ({error})") from error


async def hear(connection: AbstractConnection, timeout_s: float = math.inf) -> Any:
    """The next answer; None when there is none in time. Raises what is a `Refusal`,
    and `RedisError` or `OSError` when the connection ends, which is left as it is."""
    # Typed as little as it is in redis-py.
    untyped = cast("Any", connection)
    return await untyped.read_response(timeout=timeout_s, disconnect_on_error=False)


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
        self._connection: AbstractConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._bursts: deque[_Burst] = deque()
        self._connecting = asyncio.Lock()
        self._closed = False

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    async def call(
        self, commands: Sequence[Command | bytes], deadline: float
    ) -> list[object]:
        """The answers to `commands`, in order; refusals are values of `Refusal`. One
        that is bytes is packed already.

        `deadline` is by the loop's clock. Raises `NotSent` or `Unanswered`; after
        the latter the connection is gone, so that a late answer meets nobody.
        """
        connection = self._connection
        if connection is None or not connection.is_connected:
            self.drop("it was closed")
            connection = await self._connect(deadline)
        packed = b"".join(
            [one if isinstance(one, bytes) else _pack(one) for one in commands]
        )
        burst = _Burst(len(commands), asyncio.get_running_loop().create_future())
        # From here to the write inside send_packed_command nothing is awaited, so
        # that bursts stand in the queue in the order in which they are written.
        self._bursts.append(burst)
        try:
            async with asyncio.timeout_at(deadline):
                with _closed_is_lost():
                    await connection.send_packed_command(packed, check_health=False)
                return await burst.done
        except TimeoutError:
            burst.done.cancel()
            self._drop(connection, "no answer came in time")
            raise Unanswered(f"{self.name} did not answer in time.") from None
        except (RedisError, OSError) as error:
            burst.done.cancel()
            reason = _plain(error)
            self._drop(connection, reason)
            raise Unanswered(
                f"The connection to {self.name} was lost: {reason}."
            ) from error

    def drop(self, reason: str) -> None:
        """Gives up the connection; the next call makes another."""
        if self._connection is not None:
            self._drop(self._connection, reason)

    async def aclose(self) -> None:
        self._closed = True
        reader = self._reader
        self.drop("the store is being closed")
        if reader is not None:
            await asyncio.wait([reader])

    # Private methods.

    async def _connect(self, deadline: float) -> AbstractConnection:
        try:
            async with asyncio.timeout_at(deadline), self._connecting:
                return self._connection or await self._connect_anew()
        except TimeoutError:
            raise NotSent(f"{self.name} did not accept a connection in time.") from None

    async def _connect_anew(self) -> AbstractConnection:
        if self._closed:
            raise NotSent("The store has been closed.")
        connection = self._make()
        try:
            await establish(connection, self._connect_timeout_s)
        except (RedisError, OSError, TimeoutError) as error:
            await connection.disconnect(nowait=True)
            raise NotSent(f"{self.name} cannot be reached: {_plain(error)}.") from error
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        self._connection = connection
        self._reader = asyncio.create_task(
            self._read(connection), name=f"read {self.name}"
        )
        return connection

    async def _read(self, connection: AbstractConnection) -> None:
        """Hands out answers in the order of the calls, until the connection ends."""
        try:
            while True:
                answer: object
                try:
                    answer = await hear(connection)
                except Refusal as refusal:
                    answer = refusal
                burst = self._bursts[0]
                burst.answers.append(answer)
                if len(burst.answers) == burst.expected:
                    self._bursts.popleft()
                    if not burst.done.done():
                        burst.done.set_result(burst.answers)
        except (RedisError, OSError, IndexError) as error:
            self._drop(connection, _plain(error))
        finally:
            await connection.disconnect(nowait=True)

    def _drop(self, connection: AbstractConnection, reason: str) -> None:
        if connection is not self._connection:
            return
        log.debug("The connection to %s is given up: %s.", self.name, reason)
        self._connection = None
        reader, self._reader = self._reader, None
        bursts, self._bursts = self._bursts, deque()
        for burst in bursts:
            if not burst.done.done():
                burst.done.set_exception(
                    Unanswered(f"The connection to {self.name} was lost: {reason}.")
                )
                burst.done.exception()  # Whoever asked may have been cancelled.
        if reader is not None and reader is not asyncio.current_task():
            reader.cancel()
        self._lost()


def _plain(error: BaseException) -> str:
    """An error in few words: those of the system where it comes from there."""
    cause = error.__context__ if isinstance(error, RedisError) else error
    if isinstance(cause, OSError) and cause.errno is not None:
        # Resolving a name has numbers of its own, below zero.
        return os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)
    return str(error).rstrip(".") or "no answer"

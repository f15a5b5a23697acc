"""Words with one store process over a connection of redis-py's: to connect, to hear
bells, to see whether it is up.
"""

import asyncio
import contextlib
import math
import os
import ssl
from collections.abc import Iterator
from typing import Any, TypeAlias, cast

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError


Argument: TypeAlias = str | bytes | int
Command: TypeAlias = tuple[Argument, ...]

NONSENSE = (ValueError, TypeError, MemoryError)
"""What hiredis raises, besides that it is no protocol, for what is nearly an answer: a
redirection to no port, a map with lists as its keys, more elements than can be."""


async def establish(connection: AbstractConnection, timeout_s: float) -> None:
    """Connects and authenticates, or raises `RedisError`, `OSError` or `TimeoutError`."""
    with _otherwise_is_lost():
        async with asyncio.timeout(timeout_s):
            await connection.connect()  # type: ignore[no-untyped-call]


async def send(connection: AbstractConnection, *command: Argument) -> None:
    """Sends one command, or raises `RedisError` or `OSError`."""
    with _otherwise_is_lost():
        await connection.send_command(*command, check_health=False)


async def hang_up(connection: AbstractConnection) -> None:
    """Ends a connection at once; by itself redis-py would have the other side agree,
    over TLS, and leave it open for as long as that takes."""
    writer: asyncio.StreamWriter | None = cast("Any", connection)._writer
    if writer is not None:
        writer.transport.abort()
    await connection.disconnect(nowait=True)


async def hear(connection: AbstractConnection, timeout_s: float = math.inf) -> Any:
    """The next answer; None when there is none in time. Raises `RedisError`, for a
    refusal too, or `OSError` when the connection ends, which is left as it is."""
    # Typed as little as it is in redis-py.
    untyped = cast("Any", connection)
    with _otherwise_is_lost():
        return await untyped.read_response(timeout=timeout_s, disconnect_on_error=False)


@contextlib.contextmanager
def _otherwise_is_lost() -> Iterator[None]:
    """What else is raised means a lost connection, too. A write to one that was closed
    a moment ago is a RuntimeError, with uvloop alone."""
    try:
        yield
    except RuntimeError as error:
        raise ConnectionError(f"it was closed ({error})") from error
    except NONSENSE as error:
        raise ConnectionError(f"it talks nonsense ({error})") from error


def plain(error: BaseException) -> str:
    """An error in few words: those of the system where it comes from there."""
    cause = error.__context__ if isinstance(error, RedisError) else error
    if isinstance(cause, ssl.SSLError):
        return str(cause)  # Its numbers are not the system's.
    if isinstance(cause, OSError) and cause.errno is not None:
        # Resolving a name has numbers of its own, below zero.
        return os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)
    return str(error).rstrip(".") or "no answer"

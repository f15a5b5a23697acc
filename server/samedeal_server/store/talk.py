"""Words with one store process over a connection of redis-py's: to connect, to hear
bells, to see whether it is up.
"""

import asyncio
import contextlib
import math
import os
from collections.abc import Iterator
from typing import Any, TypeAlias, cast

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError


Argument: TypeAlias = str | bytes | int
Command: TypeAlias = tuple[Argument, ...]


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
    """The next answer; None when there is none in time. Raises `RedisError`, for a
    refusal too, or `OSError` when the connection ends, which is left as it is."""
    # Typed as little as it is in redis-py.
    untyped = cast("Any", connection)
    return await untyped.read_response(timeout=timeout_s, disconnect_on_error=False)


def plain(error: BaseException) -> str:
    """An error in few words: those of the system where it comes from there."""
    cause = error.__context__ if isinstance(error, RedisError) else error
    if isinstance(cause, OSError) and cause.errno is not None:
        # Resolving a name has numbers of its own, below zero.
        return os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)
    return str(error).rstrip(".") or "no answer"

"""Outside stores for scenarios: a Redis that syncs every append."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from tests.helpers.redis_servers import RedisServer


@contextlib.asynccontextmanager
async def durable_redis(folder: Path, *options: str) -> AsyncIterator[RedisServer]:
    """A `redis-server` with `appendfsync always`, for as long as the block runs."""
    durable = ("--appendonly", "yes", "--appendfsync", "always")
    server = await asyncio.to_thread(RedisServer, folder, *durable, *options)
    try:
        yield server
    finally:
        server.process.kill()
        await asyncio.to_thread(server.process.wait)

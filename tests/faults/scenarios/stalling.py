"""A store that is away for a while: restarted, or stopped where it stands."""

import asyncio
from pathlib import Path
from random import Random

from tests.faults.crowd import Crowd, Row
from tests.faults.processes import Node, go_on, pause
from tests.faults.stores import durable_redis


async def redis_restarted(folder: Path, times: int, seed: int = 4) -> Row:
    """An outside Redis is killed or shut down, and started again."""
    chance = Random(seed)
    async with (
        durable_redis(folder / "redis") as redis,
        Node(folder / "node", redis.url) as node,
        Crowd(lambda: [node.url], seed=seed) as crowd,
    ):

        async def trouble() -> None:
            for _ in range(times):
                await asyncio.sleep(chance.uniform(0.1, 1))
                if chance.random() < 0.5:
                    redis.process.kill()
                else:
                    redis.process.terminate()
                await asyncio.to_thread(redis.process.wait)
                await asyncio.sleep(chance.uniform(0, 0.5))
                await asyncio.to_thread(redis.start)

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("Redis restarted", times, node.url)
        row.verdict.faults += node.complaints()
        return row


async def redis_paused(
    folder: Path, times: int, seconds: float = 5.0, seed: int = 5
) -> Row:
    """An outside Redis is stopped for some seconds, and then goes on.

    Whoever waits for longer than 5 s for a word is a fault.
    """
    chance = Random(seed)
    async with (
        durable_redis(folder / "redis") as redis,
        Node(folder / "node", redis.url) as node,
        Crowd(lambda: [node.url], seed=seed) as crowd,
    ):

        async def trouble() -> None:
            for _ in range(times):
                await asyncio.sleep(chance.uniform(0.3, 1))
                pause(redis.process.pid)
                await asyncio.sleep(seconds)
                go_on(redis.process.pid)
                await asyncio.sleep(1)

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge(f"Redis stopped {seconds:.0f} s", times, node.url)
        if not any(racer.unavailable for racer in crowd.racers):
            row.verdict.faults.append("nobody was told `unavailable` meanwhile")
        row.verdict.faults += node.complaints()
        return row


async def redis_refuses(folder: Path, times: int, seed: int = 13) -> Row:
    """An outside Redis is full, or may not be written to, for a while."""
    chance = Random(seed)
    async with (
        durable_redis(folder / "redis") as redis,
        Node(folder / "node", redis.url) as node,
        Crowd(lambda: [node.url], seed=seed) as crowd,
    ):

        async def trouble() -> None:
            for number in range(times):
                await asyncio.sleep(chance.uniform(0.3, 1))
                option, bad, good = _REFUSALS[number % 2]
                redis.call("CONFIG", "SET", option, bad)
                await asyncio.sleep(chance.uniform(0.5, 2))
                redis.call("CONFIG", "SET", option, good)

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("Redis full or read-only", times, node.url)
        row.verdict.faults += node.complaints()
        return row


_REFUSALS = (("maxmemory", 1, 0), ("min-replicas-to-write", 1, 0))

"""Processes that are killed: the server, its Valkey, one node of several."""

import asyncio
from pathlib import Path
from random import Random

from tests.faults.crowd import Crowd, Row
from tests.faults.processes import Node
from tests.faults.stores import durable_redis


async def server_killed(folder: Path, kills: int, seed: int = 1) -> Row:
    """SIGKILL for the server and so for its store; again on the same data."""
    chance = Random(seed)
    async with Node(folder) as node, Crowd(lambda: [node.url], seed=seed) as crowd:

        async def trouble() -> None:
            for _ in range(kills):
                await asyncio.sleep(chance.uniform(0, 1))
                await node.kill()
                await node.start()

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("server killed", kills, node.url)
        row.notes.append(f"slowest start {node.slowest_start_s:.1f} s")
        row.verdict.faults += node.complaints()
        return row


async def valkey_killed(folder: Path, kills: int, seed: int = 2) -> Row:
    """SIGKILL for the embedded Valkey alone, which its server starts again."""
    chance = Random(seed)
    async with Node(folder) as node, Crowd(lambda: [node.url], seed=seed) as crowd:

        async def trouble() -> None:
            for _ in range(kills):
                await asyncio.sleep(chance.uniform(0, 1))
                turns = crowd.turns
                node.kill_store()
                await crowd.played(turns + 5)

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("Valkey killed", kills, node.url)
        row.verdict.faults += node.complaints()
        return row


async def nodes_killed(
    folder: Path, count: int, kills: int, bots: int = 1, seed: int = 3
) -> Row:
    """Several nodes on one Redis; one of them is killed at a time.

    Where bots play, each kill leaves some standing until their lease has run out.
    """
    chance = Random(seed)
    async with durable_redis(folder / "redis") as redis:
        nodes = [Node(folder / str(i), redis.url) for i in range(count)]

        def addresses() -> list[str]:
            return [node.url for node in nodes]

        try:
            await asyncio.gather(*(node.start() for node in nodes))
            async with Crowd(addresses, seed=seed, bots=bots) as crowd:

                async def trouble() -> None:
                    for _ in range(kills):
                        await asyncio.sleep(chance.uniform(0.2, 2.5))
                        node = chance.choice(nodes)
                        await node.kill()
                        await asyncio.sleep(chance.uniform(0, 1))
                        await node.start()

                await crowd.race_while(asyncio.create_task(trouble()))
                row = await crowd.judge(f"{count} nodes", kills, nodes[0].url)
                row.verdict.faults += [f for one in nodes for f in one.complaints()]
                return row
        finally:
            for node in nodes:
                await node.kill()

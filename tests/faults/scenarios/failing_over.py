"""A Redis Cluster that loses a master during play."""

import asyncio
from pathlib import Path
from random import Random

from tests.faults.crowd import Crowd, Row
from tests.faults.processes import Node
from tests.helpers.faulty_cluster import FaultyCluster


async def master_killed(
    folder: Path, kills: int, wait_replicas: int = 0, seed: int = 9
) -> Row:
    """A master is killed, its replica takes over, it comes back as a replica.

    Without `wait_replicas`, moves that were acknowledged may be lost: they are
    counted, and their players must have been told so.
    """
    chance = Random(seed)
    name = "master killed" + (f", wait {wait_replicas}" if wait_replicas else "")
    async with FaultyCluster(folder / "cluster") as cluster:
        await cluster.recovered()
        nodes = [
            Node(folder / str(i), cluster.url, wait_replicas=wait_replicas)
            for i in range(2)
        ]
        try:
            await asyncio.gather(*(node.start() for node in nodes))
            crowd = Crowd(lambda: [one.url for one in nodes], seed=seed)
            crowd.may_go_back = not wait_replicas
            async with crowd:

                async def trouble() -> None:
                    for _ in range(kills):
                        await asyncio.sleep(chance.uniform(0.5, 1.5))
                        master = chance.choice(cluster.masters())
                        await asyncio.to_thread(master.stop)
                        await asyncio.sleep(chance.uniform(2, 4))
                        await asyncio.to_thread(master.start)
                        await cluster.recovered()

                await crowd.race_while(asyncio.create_task(trouble()))
                row = await crowd.judge(name, kills, nodes[0].url)
                row.verdict.faults += [f for one in nodes for f in one.complaints()]
                return row
        finally:
            for node in nodes:
                await node.kill()

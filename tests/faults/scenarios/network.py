"""Networks that cut, delay, split, repeat and reorder."""

import asyncio
from pathlib import Path
from random import Random

from tests.faults.crowd import Crowd, Row
from tests.faults.processes import Node
from tests.helpers.faulty_proxy import FaultyProxy


async def connections_cut(folder: Path, cuts: int, seed: int = 6) -> Row:
    """A proxy before the server cuts connections at random bytes."""
    async with (
        Node(folder) as node,
        FaultyProxy(node.url, Random(seed), cuts) as proxy,
        Crowd(lambda: [proxy.url], seed=seed) as crowd,
    ):
        await crowd.race_while(asyncio.create_task(_wait_for(proxy)))
        row = await crowd.judge("connections cut", proxy.cut, node.url)
        row.verdict.faults += node.complaints()
        return row


async def _wait_for(proxy: FaultyProxy) -> None:
    await proxy.all_cut.wait()

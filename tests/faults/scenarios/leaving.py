"""Servers that end in good order, and races that are left to themselves."""

import asyncio
import json
from pathlib import Path
from random import Random

from tests.faults.checking import Verdict, check, fetch_log
from tests.faults.crowd import Crowd, Row
from tests.faults.processes import Node, go_on, is_alive, pause
from tests.faults.stores import durable_redis
from tests.helpers import raw


# Five seconds, and what a machine that is busy with tests adds to starting the end.
_CLOSED_WITHIN_S = 5.0 + 2.0


async def deployed(folder: Path, times: int, seed: int = 14) -> Row:
    """Two nodes are ended with SIGTERM in turn and started again."""
    chance, faults = Random(seed), list[str]()
    async with (
        durable_redis(folder / "redis") as redis,
        Node(folder / "0", redis.url) as node,
        Node(folder / "1", redis.url) as other,
        Crowd(lambda: [node.url, other.url], seed=seed) as crowd,
    ):

        async def trouble() -> None:
            for number in range(times):
                await asyncio.sleep(chance.uniform(0.5, 1.5))
                leaving = (node, other)[number % 2]
                closings = sum(racer.closings for racer in crowd.racers)
                faults.extend(await _end(leaving))
                if sum(racer.closings for racer in crowd.racers) == closings:
                    faults.append("nobody was told `closing`")
                await leaving.start()

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("nodes deployed", times, node.url)
        row.verdict.faults += [*faults, *node.complaints(), *other.complaints()]
        return row


async def deployed_alone(folder: Path, times: int, seed: int = 15) -> Row:
    """The one server with the embedded store is ended with SIGTERM under load."""
    chance, faults = Random(seed), list[str]()
    async with Node(folder) as node, Crowd(lambda: [node.url], seed=seed) as crowd:

        async def trouble() -> None:
            for _ in range(times):
                await asyncio.sleep(chance.uniform(0.5, 1.5))
                store = node.store_pid
                faults.extend(await _end(node))
                if store is not None and is_alive(store):
                    faults.append("its Valkey was left behind")
                await node.start()

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("server ended by SIGTERM", times, node.url)
        row.verdict.faults += [*faults, *node.complaints()]
        return row


async def ended_without_store(folder: Path, seed: int = 16) -> Row:
    """A node is ended with SIGTERM while its store stands still."""
    faults = list[str]()
    async with (
        durable_redis(folder / "redis") as redis,
        Node(folder / "0", redis.url) as node,
        Crowd(lambda: [node.url], seed=seed) as crowd,
    ):

        async def trouble() -> None:
            await crowd.played(50)
            pause(redis.process.pid)
            await asyncio.sleep(0.2)
            faults.extend(await _end(node))
            go_on(redis.process.pid)
            if not sum(racer.closings for racer in crowd.racers):
                faults.append("nobody was told `closing`")
            await node.start()

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("node ended without store", 1, node.url)
        row.verdict.faults += [*faults, *node.complaints()]
        return row


async def nobody_answers(folder: Path) -> Row:
    """Everyone leaves after the start, and the server is down past the limit."""
    async with Node(folder) as node:
        host = await raw.connect(node.url)
        await host.hello(name="Ada")
        joined = await host.ask(
            "create",
            game="juvenile",
            seats=1,
            countdown_ms=200,
            time_limit_ms=10_000,
        )
        race = str(joined["race"])
        await host.ask("start", race=race)
        await node.kill()
        await host.closed()
        await asyncio.sleep(11)
        await node.start()
        log = await _log_at_last(node.url, race)
        verdict = check(log, [])
        kinds = [json.loads(line).get("event") for line in log.splitlines()]
        names = [event["type"] for event in kinds if event]
        if names != ["created", "joined", "countdown", "timed_out", "ended"]:
            verdict.faults.append(f"it went {names}")
        verdict.faults += node.complaints()
        return Row("nobody answers", 1, verdict)


async def bots_taken_over(folder: Path) -> Row:
    """The node that drives a race's bots is killed; they play on from the other."""
    async with (
        durable_redis(folder / "redis") as redis,
        Node(folder / "0", redis.url, bot_pace_ms="100,200") as node,
        Node(folder / "1", redis.url, bot_pace_ms="1,5") as other,
    ):
        host = await raw.connect(node.url)
        await host.hello(name="Ada")
        joined = await host.ask(
            "create",
            game="juvenile",
            seats=2,
            bots=["random"],
            countdown_ms=0,
        )
        race = str(joined["race"])
        await host.ask("start", race=race)
        await host.until("progress", race=race)
        await node.kill()
        await host.closed()
        again = await raw.connect(other.url)
        await again.hello(token=host.token)
        await again.ask("resign", race=race)
        await again.ask("sync", race=race)
        verdict = Verdict()
        verdict.add(check(await _log_at_last(other.url, race), []))
        verdict.faults += other.complaints()
        await again.close()
        return Row("bots taken over", 1, verdict)


async def _log_at_last(url: str, race: str) -> bytes:
    """The log of a race that ends sooner or later."""
    for _ in range(250):
        if (log := await fetch_log(url, race)) is not None:
            return log
        await asyncio.sleep(0.1)
    raise TimeoutError(f"race {race} did not end")


async def _end(node: Node) -> list[str]:
    status, seconds = await node.terminate()
    if status == 0 and seconds <= _CLOSED_WITHIN_S:
        return []
    return [f"SIGTERM: exit status {status} after {seconds:.1f} s"]

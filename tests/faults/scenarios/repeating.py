"""Every move sent one to five times, in every order that a network can give."""

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.faults.checking import Verdict, check, fetch_log
from tests.faults.crowd import Row
from tests.faults.processes import Node
from tests.faults.stores import durable_redis
from tests.helpers import raw
from tests.helpers.positions import rows
from tests.helpers.raw import Raw


async def moves_repeated(folder: Path, races: int, seed: int = 12) -> Row:
    """One player on two nodes, over new connections in the midst of it.

    First every order of five commands for three turns, then random ones.
    """
    chance = Random(seed)
    verdict, sent = Verdict(), 0
    line = next(
        row
        for row in rows("transcripts/juvenile_one-deck.jsonl")
        if len(row["turns"]) >= 8
    )
    async with (
        durable_redis(folder / "redis") as redis,
        Node(folder / "0", redis.url) as node,
        Node(folder / "1", redis.url) as other,
    ):
        urls = [node.url, other.url]
        for order in itertools.islice(_orders(chance), races):
            moves = [turn["move"] for turn in line["turns"][: max(order) + 1]]
            race = await _race(urls, line["seed"], moves, order, chance)
            log = await fetch_log(node.url, race)
            assert log is not None
            verdict.add(check(log, []))
            sent += len(order)
            for turn, move in enumerate(moves):
                copies = log.count(f'"turn":{turn},"moves":["{move}"]'.encode())
                verdict.acknowledged += 1
                verdict.missing += copies == 0
                verdict.twice += max(0, copies - 1)
        verdict.faults += [*node.complaints(), *other.complaints()]
    return Row("moves repeated", sent, verdict)


def _orders(chance: Random) -> Iterator[tuple[int, ...]]:
    yield from sorted(set(itertools.permutations((0, 0, 1, 1, 2))))
    while True:
        turns = range(chance.randint(2, 8))
        order = [turn for turn in turns for _ in range(chance.randint(1, 5))]
        chance.shuffle(order)
        yield tuple(order)


async def _race(
    urls: list[str], seed: str, moves: list[str], order: tuple[int, ...], chance: Random
) -> str:
    """Run one race in which the commands arrive in this order; its id."""
    async with contextlib.AsyncExitStack() as stack:

        async def arrive(**hello: str) -> Raw:
            client = await raw.connect(chance.choice(urls))
            stack.push_async_callback(client.close)
            await client.hello(**hello)
            return client

        client = await arrive(name="Ada")
        token = client.token
        joined = await client.ask(
            "create",
            game="juvenile",
            variant="one-deck",
            seed=seed,
            seats=1,
            countdown_ms=0,
        )
        race = str(joined["race"])
        await client.send("ready", race=race)
        await client.until("view", race=race)
        cuts = sorted(chance.choices(range(len(order) + 1), k=chance.randint(0, 2)))
        for first, last in itertools.pairwise([0, *cuts, len(order)]):
            if first > 0:
                client = await arrive(token=token)
            for turn in order[first:last]:
                await client.send("move", race=race, turn=turn, moves=[moves[turn]])
        client = await arrive(token=token)
        # What came too early was refused; a client sends it again.
        for turn, move in enumerate(moves):
            patch = await client.ask("move", race=race, turn=turn, moves=[move])
            assert patch["type"] == "patch", patch
            assert patch["from"] == turn and patch["turns"][0] == [move], patch
        await client.ask("resign", race=race)
        info = await client.ask("sync", race=race)
        if info["phase"] != "ended":
            await client.until("race", phase="ended")
        return race

"""Stores that become older copies of themselves while races run."""

import asyncio
import shutil
from pathlib import Path
from random import Random
from typing import Any

import redis
from tests.faults.crowd import Crowd, Row
from tests.faults.processes import Node
from tests.faults.stores import durable_redis
from tests.helpers.redis_servers import RedisServer

from samedeal_games import legal_moves
from samedeal_protocol.codec import encode_event
from samedeal_protocol.events import Event, Moved
from samedeal_server.race.audit import advance
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import evolve
from samedeal_server.store import keys


Entries = list[tuple[str, bytes]]


async def log_set_back(folder: Path, times: int, seed: int = 10) -> Row:
    """One race's log at a time is cut short, or cut and grown again otherwise."""
    chance = Random(seed)
    async with (
        durable_redis(folder / "redis") as store,
        Node(folder / "0", store.url) as node,
        Node(folder / "1", store.url) as other,
        Crowd(lambda: [node.url, other.url], seed=seed) as crowd,
    ):
        crowd.may_go_back = True

        async def trouble() -> None:
            done = 0
            while done < times:
                await asyncio.sleep(chance.uniform(0.05, 0.3))
                if running := crowd.running:
                    done += _set_back(store, chance.choice(running), chance)

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("one log set back", times, node.url)
        row.verdict.faults += [*node.complaints(), *other.complaints()]
        return row


async def store_set_back(folder: Path, times: int, seed: int = 11) -> Row:
    """The Redis is killed and started again on a copy of a moment before."""
    chance = Random(seed)
    home, copy = folder / "redis", folder / "copy"
    async with (
        durable_redis(home) as store,
        Node(folder / "0", store.url) as node,
        Node(folder / "1", store.url) as other,
        Crowd(lambda: [node.url, other.url], seed=seed) as crowd,
    ):
        crowd.may_go_back = True

        async def trouble() -> None:
            await asyncio.sleep(1)  # All players are known by then.
            for _ in range(times):
                shutil.rmtree(copy, ignore_errors=True)
                await asyncio.to_thread(shutil.copytree, home, copy)
                await asyncio.sleep(chance.uniform(0.1, 1))
                store.process.kill()
                await asyncio.to_thread(store.process.wait)
                await asyncio.to_thread(shutil.rmtree, home)
                await asyncio.to_thread(shutil.copytree, copy, home)
                await asyncio.to_thread(store.start)
                await asyncio.sleep(chance.uniform(0.5, 1))

        await crowd.race_while(asyncio.create_task(trouble()))
        row = await crowd.judge("store set back", times, node.url)
        row.verdict.faults += [*node.complaints(), *other.complaints()]
        return row


def _set_back(store: RedisServer, race: str, chance: Random) -> bool:
    """Whether the log was one that could be set back, and was."""
    key = keys.log(race)
    with redis.Redis(port=store.port) as client, client.pipeline() as pipe:
        try:
            pipe.watch(key)
            if pipe.type(key) == b"string":
                return False  # It has ended, and is folded.
            found: Any = pipe.xrange(key)
            now_ms = int(float(f"{client.time()[0]}.{client.time()[1]:06}") * 1000)
            entries = [(id.decode(), fields[b"e"]) for id, fields in found]
            older = _older(entries, now_ms, chance)
            if older is None:
                return False
            pipe.multi()
            pipe.delete(key)
            for id, event in older:
                pipe.xadd(key, {"e": event}, id=id)
            pipe.execute()
        except redis.WatchError:
            return False
    return True


def _older(entries: Entries, now_ms: int, chance: Random) -> Entries | None:
    """An older copy of a race in play, half of the time grown again as long."""
    kinds = [event.split(b'"', 4)[3] for _, event in entries]
    if b"countdown" not in kinds or b"ended" in kinds:
        return None
    least = kinds.index(b"countdown") + 1
    if len(entries) <= least:
        return None
    keep = chance.randrange(least, len(entries))
    older = entries[:keep]
    if chance.random() < 0.5:
        return older
    race: Race | None = None
    for id, data in older:
        race, _ = advance(race, data, int(id.partition("-")[0]))
    assert race is not None and race.start_ms is not None
    ms, _, seq = older[-1][0].partition("-")
    at_ms = max(int(ms), race.start_ms)
    if at_ms > now_ms:
        return older
    number = int(seq) + 7
    while len(older) < len(entries):
        event = _other_event(race, chance)
        if event is None:
            break
        older.append((f"{at_ms}-{number}", encode_event(event)))
        race, number = evolve(race, event, at_ms), number + 1
    return older


def _other_event(race: Race, chance: Random) -> Event | None:
    seats = [seat for seat in race.taken if not seat.is_done()]
    seats = [seat for seat in seats if legal_moves(seat.board)]
    if not seats:
        return None
    seat = chance.choice(seats)
    move = str(chance.choice(legal_moves(seat.board)))
    return Moved(seat=seat.number, turn=seat.turn, moves=(move,))

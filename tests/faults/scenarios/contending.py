"""Many who write one log at once, and logs that went back in between."""

import asyncio
import contextlib
from pathlib import Path
from random import Random

from tests.faults.checking import Verdict
from tests.faults.crowd import Row
from tests.faults.stores import durable_redis
from tests.helpers.logs import append, events, race as race_id, replace

from samedeal_server.store import (
    START,
    Appended,
    AppendResult,
    Conflict,
    Position,
    Store,
    keys,
    open_store,
)


_WRITERS = 50
_NODES = 5


async def writers(folder: Path, lengths: int, seed: int = 7) -> Row:
    """Fifty writers on five nodes race for each length of one log."""
    return await _contend(folder, "50 writers", lengths, 0, seed)


async def writers_gone_back(folder: Path, lengths: int, seed: int = 8) -> Row:
    """The same, and now and then the store is an older copy of itself."""
    return await _contend(folder, "50 writers, log set back", lengths, 3, seed)


async def _contend(
    folder: Path, scenario: str, lengths: int, every: int, seed: int
) -> Row:
    """`every` so many lengths the log is set back; 0 for never."""
    chance = Random(seed)
    verdict, race = Verdict(races=1), race_id(seed)
    back = 0
    async with durable_redis(folder) as redis, contextlib.AsyncExitStack() as stack:
        stores = []
        for _ in range(_NODES):
            store = await open_store(redis.url)
            stack.push_async_callback(store.aclose)
            stores.append(store)
        position, kept = START, list[bytes]()
        for number in range(lengths):
            if every and number % every == every - 1:
                # What all writers know is not what the log says any more.
                kept = await _set_back(stores[0], race, chance)
                back += 1
                results = await _all_at_once(stores, race, position, f"blind{number}")
                won = [one for one in results if not isinstance(one, Conflict)]
                if won:
                    verdict.faults.append(f"appended to what it did not know: {won}")
                position = (await stores[0].log.read(race, position)).position
            results = await _all_at_once(stores, race, position, f"e{number}")
            winners = [
                index for index, one in enumerate(results) if isinstance(one, Appended)
            ]
            others = [one for one in results if not isinstance(one, Appended)]
            if len(winners) != 1 or not all(isinstance(o, Conflict) for o in others):
                verdict.faults.append(f"length {number}: {len(winners)} won, {others}")
                break
            result = results[winners[0]]
            assert isinstance(result, Appended)
            position = result.position
            kept.append(f"e{number}-{winners[0]}".encode())
            verdict.acknowledged += 1
        found = await events(stores[0], race)
        verdict.missing = len(set(kept) - set(found))
        verdict.twice = len(found) - len(set(found))
        if found != kept or position.length != len(found):
            verdict.faults.append("the log is not what the winners wrote")
        verdict.ended_once = 1
    return Row(scenario, back, verdict, notes=[f"lengths {lengths}"])


async def _all_at_once(
    stores: list[Store], race: str, position: Position, what: str
) -> list[AppendResult]:
    return await asyncio.gather(
        *(
            append(stores[i % _NODES], race, position, f"{what}-{i}".encode())
            for i in range(_WRITERS)
        )
    )


async def _set_back(store: Store, race: str, chance: Random) -> list[bytes]:
    """Makes the log an older copy of itself, half of the time grown again to the
    length it had, with other events. What it holds now."""
    key = keys.log(race)
    entries = await store.nodes.call(key, "XRANGE", key, "-", "+")
    keep = chance.randrange(1, len(entries))
    older = [(entry[0].decode(), entry[1][1]) for entry in entries[:keep]]
    if chance.random() < 0.5:
        ms, _, seq = older[-1][0].partition("-")
        for number in range(int(seq) + 7, int(seq) + 7 + len(entries) - keep):
            older.append((f"{ms}-{number}", f"other{chance.random()}".encode()))
    await replace(store, race, older)
    return [event for _, event in older]

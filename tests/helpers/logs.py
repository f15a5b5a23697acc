"""Short words for what tests do with logs."""

import asyncio
from collections.abc import Sequence

from samedeal_server.store import (
    FOREVER,
    START,
    Append,
    Appended,
    AppendResult,
    Position,
    Store,
    keys,
)


def race(number: int) -> str:
    """A race id for each number."""
    return f"race{number:012d}"


async def append(
    store: Store,
    race: str,
    expected: Position,
    *events: bytes,
    not_before: int = 0,
    not_after: int = FOREVER,
) -> AppendResult:
    """The outcome of one append."""
    done: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
    # set_result raises when it is called twice, which the log then logs as an error.
    store.log.append(
        Append(race, expected, list(events), done.set_result, not_before, not_after)
    )
    return await done


async def appended(
    store: Store, race: str, expected: Position, *events: bytes
) -> Appended:
    """The outcome of an append that must succeed."""
    result = await append(store, race, expected, *events)
    assert isinstance(result, Appended), result
    return result


async def events(store: Store, race: str) -> list[bytes]:
    """All that is in a log."""
    return [entry.event for entry in (await store.log.read(race, START)).entries]


async def replace(
    store: Store, race: str, entries: Sequence[tuple[str, bytes]]
) -> None:
    """What a log looks like after its store went back and on: other entries."""
    key = keys.log(race)
    await store.nodes.call(key, "DEL", key)
    for id, event in entries:
        await store.nodes.call(key, "XADD", key, id, "e", event)


async def note_ended(store: Store, race: str) -> None:
    """Have the log of a race folded as soon as that may be."""
    await store.nodes.call(keys.ENDED, "ZADD", keys.ENDED, 0, race)

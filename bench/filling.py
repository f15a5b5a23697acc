"""A store with finished races in it, made without playing them."""

import asyncio
import pathlib
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.clients.cli import made_logs
from tests.helpers.logs import replace

from samedeal_games import GAMES
from samedeal_server.service.identity import new_id
from samedeal_server.store import START, Store, keys, open_store, start_embedded


_PATTERNS = 60
_AT_ONCE = 200
_KEEP_S = 30 * 86_400
_NOW_MS = 1_790_000_000_000


@dataclass(frozen=True)
class Filled:
    """What a filled store takes; bytes of its memory a race."""

    folded_bytes: float
    stream_bytes: float
    memory_bytes: int
    aof_bytes: int


async def fill(data: pathlib.Path, *, folded: int = 0, streams: int = 0) -> Filled:
    """Put so many finished races into an empty store, in both forms of a log.

    The races are of every variant, one to three seats and up to 60 turns a seat;
    they repeat after some, under names of their own, and their ids and times are
    as random as real ones. The append-only file is written anew at the end.
    """
    embedded = await start_embedded(data)
    store = await open_store(embedded.url)
    try:
        await _ask(store, "CONFIG", "SET", "appendfsync", "no")
        wanted = folded or streams
        patterns = await _patterns(store, random.Random(5)) if wanted else []
        empty = await _memory(store)
        await _several(folded, lambda n: _record(store, patterns[n % _PATTERNS][0]))
        with_records = await _memory(store)
        await _several(streams, lambda n: _stream(store, patterns[n % _PATTERNS][1]))
        whole = await _memory(store)
        await _rewrite(store)
        aof_bytes = int((await _info(store, "persistence"))["aof_current_size"])
    finally:
        await store.aclose()
        await embedded.stop(20)
    return Filled(
        folded_bytes=(with_records - empty) / max(1, folded),
        stream_bytes=(whole - with_records) / max(1, streams),
        memory_bytes=whole,
        aof_bytes=aof_bytes,
    )


async def _several(count: int, make: Callable[[int], Awaitable[None]]) -> None:
    for first in range(0, count, _AT_ONCE):
        numbers = range(first, min(count, first + _AT_ONCE))
        await asyncio.gather(*(make(number) for number in numbers))


async def _patterns(store: Store, chance: random.Random) -> list[tuple[bytes, bytes]]:
    """Finished logs: each as a record, and as a stream that Valkey has written."""
    variants = [(v.game, v.name) for game in GAMES.values() for v in game.variants]
    patterns = []
    for number in range(_PATTERNS):
        game, variant = variants[number % len(variants)]
        key = keys.log("pattern")
        # As random as real ones, or they would be compressed too well.
        players = (new_id(), new_id(), new_id())
        log = made_logs.whole(
            game,
            variant,
            seed=chance.randbytes(16).hex(),
            seats=1 + number // len(variants) % 3,
            turns=60,
            ids=made_logs.Ids(new_id(), players, chance.randbytes(16).hex()),
        )
        await replace(store, "pattern", [*_timed(log.entries, chance)])
        stream = await store.nodes.call(key, "DUMP", key)
        assert await store.log.fold("pattern", await store.log.read("pattern", START))
        record = await store.nodes.call(key, "GET", key)
        await store.nodes.call(key, "DEL", key)
        patterns.append((record, stream))
    return patterns


def _timed(
    entries: Iterable[tuple[int, bytes]], chance: random.Random
) -> Iterator[tuple[str, bytes]]:
    """The entries with ids as of somebody who thinks a while about each move."""
    at_ms, number, before = _NOW_MS + chance.randrange(10**9), 0, -1
    for ms, data in entries:
        number = number + 1 if ms == before else 0
        if ms != before:
            at_ms += chance.randrange(150, 3000)
        before = ms
        yield f"{at_ms}-{number}", data


async def _record(store: Store, record: bytes) -> None:
    key = keys.log(new_id())
    await store.nodes.call(key, "SET", key, record, "EX", _KEEP_S)


async def _stream(store: Store, stream: bytes) -> None:
    key = keys.log(new_id())
    await store.nodes.call(key, "RESTORE", key, _KEEP_S * 1000, stream)


async def _memory(store: Store) -> int:
    await _ask(store, "MEMORY", "PURGE")
    return int((await _info(store, "memory"))["used_memory"])


async def _rewrite(store: Store) -> None:
    """Have the append-only file written anew, and wait for it."""
    await _ask(store, "BGREWRITEAOF")
    while True:
        found = await _info(store, "persistence")
        busy = found["aof_rewrite_in_progress"], found["aof_rewrite_scheduled"]
        if busy == ("0", "0"):
            return
        await asyncio.sleep(0.02)


async def _info(store: Store, section: str) -> dict[str, str]:
    lines = (await _ask(store, "INFO", section)).decode().splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


async def _ask(store: Store, *command: str) -> Any:
    [answer] = (await store.nodes.ask_all(*command)).values()
    return answer

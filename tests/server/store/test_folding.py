"""A folded log reads as the stream did, to everybody and at any moment."""

import asyncio
import itertools
import json
import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.helpers.logs import append, appended, events, race, replace
from tests.helpers.proxy import Proxy
from tests.helpers.redis_servers import (
    RedisCluster,
    RedisServer,
    eventually,
    running,
)
from tests.server.store.conftest import needs_redis

from samedeal_protocol import logfile, packed
from samedeal_server.store import (
    START,
    CannotFold,
    Conflict,
    Entry,
    LogUnavailable,
    Position,
    Store,
    StoreSettings,
    StoreUnavailable,
    Tail,
    keys,
    log as store_log,
    open_store,
    start_embedded,
)
from samedeal_server.store.records import fold


RACE = race(0)
LATER = b'{"type":"later"}'
DAY_S = 86_400


def event(number: int) -> bytes:
    return b'{"type":"moved","turn":%d}' % number


async def written(store: Store, race: str, *counts: int) -> Tail:
    """A log of so many events in each append, as it is read."""
    numbers, position = itertools.count(), START
    for count in counts:
        some = [event(next(numbers)) for _ in range(count)]
        position = (await appended(store, race, position, *some)).position
    return await store.log.read(race, START)


async def kind(store: Store, race: str) -> bytes:
    key = keys.log(race)
    found: bytes = await store.nodes.call(key, "TYPE", key)
    return found


# Reading.


async def test_a_folded_log_reads_the_same_from_everywhere(any_store: Store) -> None:
    log = await written(any_store, RACE, 3, 1, 5, 2)
    places = [START, *(Position(n, e.id) for n, e in enumerate(log.entries, 1))]
    elsewhere = [
        *(Position(n + 1, at.last) for n, at in enumerate(places)),
        *(Position(n, "5-0") for n in range(1, 13)),
    ]
    before = [await any_store.log.read(RACE, at) for at in (*places, *elsewhere)]
    assert await any_store.log.fold(RACE, log)
    assert await kind(any_store, RACE) == b"string"
    after = [await any_store.log.read(RACE, at) for at in (*places, *elsewhere)]
    assert after == before
    assert [tail.whole for tail in after] == [False] * 12 + [True] * 24
    assert await any_store.log.length(RACE) == 11
    assert await any_store.log.exists(RACE)


fresh = itertools.count(1000)
texts = st.text(st.characters(codec="utf-8"), max_size=20)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.lists(texts, min_size=1, max_size=6), min_size=1, max_size=12))
async def test_the_file_of_a_folded_log_is_the_same(
    store: Store, appends: list[list[str]]
) -> None:
    name, position = race(next(fresh)), START
    for words in appends:
        some = [json.dumps({"said": word}).encode() for word in words]
        position = (await appended(store, name, position, *some)).position
    log = await store.log.read(name, START)
    assert log.position == position
    file = logfile.write((entry.at_ms, entry.event) for entry in log.entries)
    assert await store.log.fold(name, log)
    again = await store.log.read(name, START)
    assert again == log
    assert logfile.write((e.at_ms, e.event) for e in again.entries) == file


async def test_a_long_log_is_folded_beside_the_event_loop(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    def folded(entries: Sequence[Entry]) -> bytes:
        threads.append(threading.get_ident())
        return fold(entries)

    monkeypatch.setattr(store_log, "fold", folded)
    for name, length in ((race(1), 150), (race(2), 151)):
        log = await written(store, name, length)
        assert await store.log.fold(name, log)
        assert await store.log.read(name, START) == log
    here = threading.get_ident()
    assert threads[0] == here != threads[1]


@pytest.mark.parametrize("pages", range(4))
async def test_whoever_is_in_the_midst_of_reading_reads_on(
    valkey: str, pages: int
) -> None:
    store = await open_store(valkey, StoreSettings(page=1))
    await store.nodes.ask_all("FLUSHALL")
    log = await written(store, RACE, 7, 6)
    reads = [
        asyncio.create_task(store.log.read(RACE, at))
        for at in (START, Position(5, log.entries[4].id))
    ]
    # A page is an answer, and answers come in the order of the questions.
    for _ in range(pages):
        await store.registry.ping()
    assert not any(read.done() for read in reads)
    assert await store.log.fold(RACE, log)
    assert await reads[0] == log
    assert await reads[1] == Tail(log.entries[5:], log.position, False)
    await store.aclose()


async def test_a_damaged_record_has_no_event(store: Store) -> None:
    log = await written(store, RACE, 9)
    record, key = fold(log.entries), keys.log(RACE)
    other = packed.pack(packed.unpack(record).replace(b'"turn":3', b'"turn":4'))
    for damaged in (b"", b"junk", record[:-1], record + b"x", other, b"\0" + record):
        await store.nodes.call(key, "SET", key, damaged)
        assert await events(store, RACE) == [b""]
        # What was known of the log is to be dropped.
        assert (await store.log.read(RACE, log.position)).whole


# Folding.


async def test_nothing_is_appended_to_a_folded_log(any_store: Store) -> None:
    log = await written(any_store, RACE, 2, 2)
    assert await any_store.log.fold(RACE, log)
    other = await written(any_store, race(1), 1)
    results = await asyncio.gather(
        append(any_store, RACE, START, LATER),
        append(any_store, RACE, log.position, LATER),
        append(any_store, RACE, Position(1, log.entries[0].id), LATER),
    )
    assert set(results) == {Conflict()}
    assert await any_store.log.read(RACE, START) == log
    # Of what goes out at the same moment, the rest is appended.
    late, good = await asyncio.gather(
        append(any_store, RACE, START, LATER),
        append(any_store, race(1), other.position, LATER),
    )
    assert late == Conflict() != good
    assert await any_store.log.length(race(1)) == 2


async def test_two_who_fold_at_once_do_no_harm(any_url: str, any_store: Store) -> None:
    second = await open_store(any_url)
    names = [race(number) for number in range(12)]
    logs = [await written(any_store, name, 3, 2) for name in names]
    folded = await asyncio.gather(
        *(
            store.log.fold(name, log)
            for name, log in zip(names, logs, strict=True)
            for store in (any_store, second, any_store)
        )
    )
    assert all(folded)
    for name, log in zip(names, logs, strict=True):
        assert await second.log.read(name, START) == log
    await second.aclose()


@pytest.mark.parametrize(
    "now",
    [
        [],
        [("5-0", event(0))],
        [("5-0", event(0)), ("5-1", event(1)), ("7-0", event(2))],
        [("5-0", event(0)), ("5-1", event(1)), ("6-0", LATER)],
        [("5-0", event(0)), ("6-0", event(2))],
        [("5-0", event(0)), ("5-1", event(1)), ("6-0", event(2)), ("7-0", LATER)],
    ],
    ids=["lost", "shorter", "later", "other", "hole", "longer"],
)
async def test_a_log_that_is_another_by_now_is_not_folded(
    any_store: Store, now: list[tuple[str, bytes]]
) -> None:
    before = [("5-0", event(0)), ("5-1", event(1)), ("6-0", event(2))]
    await replace(any_store, RACE, before)
    log = await any_store.log.read(RACE, START)
    await replace(any_store, RACE, now)
    assert not await any_store.log.fold(RACE, log)
    assert await kind(any_store, RACE) == (b"stream" if now else b"none")
    tail = await any_store.log.read(RACE, START)
    assert [(entry.id, entry.event) for entry in tail.entries] == now


@pytest.mark.parametrize(
    "entries",
    [
        [("5-0", b"a")],
        [("5-0", b"")],
        [("5-0", b'{"a":\n1}')],
        [("5-1", event(0))],
        [("5-0", event(0)), ("5-2", event(1))],
        [("5-0", event(0)), ("6-1", event(1))],
    ],
)
async def test_what_would_not_read_the_same_stays(
    store: Store, entries: list[tuple[str, bytes]]
) -> None:
    await replace(store, RACE, entries)
    log = await store.log.read(RACE, START)
    with pytest.raises(CannotFold):
        await store.log.fold(RACE, log)
    assert await store.log.read(RACE, START) == log


async def test_it_is_kept_as_long_as_the_stream_was(any_store: Store) -> None:
    for name, seconds in ((race(1), 100), (race(2), None)):
        key = keys.log(name)
        log = await written(any_store, name, 2)
        if seconds is not None:
            await any_store.nodes.call(key, "EXPIRE", key, seconds)
        assert await any_store.log.fold(name, log)
        left = await any_store.nodes.call(key, "TTL", key)
        wanted = seconds or any_store.nodes.settings.keep_days * DAY_S
        assert wanted - 5 <= left <= wanted


async def test_all_that_are_folded_are_listed(any_store: Store) -> None:
    names = [race(number) for number in range(30)]
    for name in names:
        log = await written(any_store, name, 1)
        if name != names[7]:
            await any_store.log.fold(name, log)
    await any_store.registry.rematch_reserve(names[7], race(99))
    found = [name async for name in any_store.log.folded()]
    assert sorted(found) == [name for name in names if name != names[7]]


# Faults.


async def test_a_lost_answer_is_no_loss(
    valkey: str, store: Store, tmp_path: Path
) -> None:
    log = await written(store, RACE, 3)
    async with Proxy(valkey, tmp_path) as proxy:
        far = await open_store(proxy.url, StoreSettings(read_timeout_s=0.4))
        proxy.to_lose = 1
        with pytest.raises(StoreUnavailable):
            await far.log.fold(RACE, log)
        assert await far.log.fold(RACE, log)
        assert await far.log.read(RACE, START) == log
        await far.aclose()


async def test_a_store_that_is_killed_has_one_or_the_other(tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path)
    store = await open_store(embedded.url)
    names = [race(number) for number in range(300)]
    written_now = await asyncio.gather(*(written(store, n, 3) for n in names))
    logs = dict(zip(names, written_now, strict=True))
    folding = [asyncio.create_task(store.log.fold(n, logs[n])) for n in names]
    await asyncio.wait(folding, return_when=asyncio.FIRST_COMPLETED)
    pid = embedded.pid
    os.kill(pid, signal.SIGKILL)
    await eventually(lambda: embedded.pid != pid, "another process")
    outcomes = await asyncio.gather(*folding, return_exceptions=True)
    for name, outcome in zip(names, outcomes, strict=True):
        assert await store.log.read(name, START) == logs[name]
        if outcome is True:
            assert await kind(store, name) == b"string"
        else:
            assert isinstance(outcome, StoreUnavailable)
    await store.aclose()
    await embedded.stop()


async def test_a_fold_that_no_replica_has_does_not_count(
    valkey: str, store: Store
) -> None:
    log = await written(store, RACE, 2)
    careful = await open_store(
        valkey, StoreSettings(wait_replicas=1, wait_replicas_ms=50)
    )
    with pytest.raises(LogUnavailable, match="replica"):
        await careful.log.fold(RACE, log)
    # Folded or not it says the same, so nothing was told too early.
    with pytest.raises(LogUnavailable, match="replica"):
        await careful.log.read(RACE, START)
    assert await store.log.read(RACE, START) == log
    await careful.aclose()


@needs_redis
async def test_a_fold_that_a_replica_has_counts(tmp_path: Path) -> None:
    master = RedisServer(tmp_path / "master")
    replica = RedisServer(
        tmp_path / "replica", "--replicaof", f"127.0.0.1 {master.port}"
    )
    with running(master) as url, running(replica):
        await eventually(
            lambda: (
                bool(master.call("SET", "x", 1)) and master.call("WAIT", 1, 100) == 1
            ),
            "the replica to follow",
        )
        store = await open_store(url, StoreSettings(wait_replicas=1))
        log = await written(store, RACE, 2)
        assert await store.log.fold(RACE, log)
        assert replica.call("TYPE", keys.log(RACE)) == "string"
        assert await store.log.read(RACE, START) == log
        await store.aclose()


@needs_redis
async def test_a_folded_log_is_read_while_its_slot_moves(
    redis_cluster: RedisCluster,
) -> None:
    store = await open_store(redis_cluster.url)
    await store.nodes.ask_all("FLUSHALL")
    key = keys.log(RACE)
    slot = redis_cluster.servers[0].call("CLUSTER", "KEYSLOT", key)
    assert isinstance(slot, int)
    port = store.nodes.of_key(key).address[1]
    source = next(one for one in redis_cluster.masters if one.port == port)
    target = next(one for one in redis_cluster.masters if one.port != port)
    log = await written(store, RACE, 3)
    assert await store.log.fold(RACE, log)

    async def moved(source: RedisServer, target: RedisServer) -> None:
        target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", redis_cluster.id(source))
        source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", redis_cluster.id(target))
        assert await store.log.read(RACE, START) == log
        source.call("MIGRATE", "127.0.0.1", target.port, key, 0, 1000)
        assert await store.log.read(RACE, START) == log
        assert await append(store, RACE, START, LATER) == Conflict()
        for server in (target, source, *redis_cluster.masters):
            server.call("CLUSTER", "SETSLOT", slot, "NODE", redis_cluster.id(target))
        assert await store.log.read(RACE, START) == log

    await moved(source, target)
    await moved(target, source)
    await store.aclose()

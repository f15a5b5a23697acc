"""What becomes of an append when the store, or the way to it, fails."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.helpers.compiled import interpreted_only
from tests.helpers.logs import append, appended, events, race
from tests.helpers.proxy import Proxy
from tests.helpers.redis_servers import RedisServer, eventually, running
from tests.server.store.conftest import needs_redis

from samedeal_server.store import (
    START,
    Append,
    Appended,
    AppendResult,
    Doubtful,
    EmbeddedStore,
    LogUnavailable,
    Store,
    StoreSettings,
    StoreUnavailable,
    appends,
    open_store,
    start_embedded,
)
from samedeal_server.store.link import Link


RACE = race(0)
# What a busy machine may add.
SLACK_S = 1.0
HASTY = StoreSettings(
    append_timeout_s=0.4,
    read_timeout_s=0.4,
    wait_replicas_ms=100,
    connect_timeout_s=0.3,
)


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[EmbeddedStore]:
    """A store of the test's own, to be treated badly."""
    embedded = await start_embedded(tmp_path / "data")
    yield embedded
    await embedded.stop()


@pytest.fixture
async def proxy(valkey: str, store: Store, tmp_path: Path) -> AsyncIterator[Proxy]:
    """A way to the store that can be cut."""
    async with Proxy(valkey, tmp_path) as proxy:
        yield proxy


@pytest.fixture
async def far(proxy: Proxy) -> AsyncIterator[Store]:
    """The same store, by the way that can be cut."""
    store = await open_store(proxy.url, HASTY)
    yield store
    await store.aclose()


async def test_a_lost_answer_is_doubtful_and_read_exactly_once(
    proxy: Proxy, far: Store
) -> None:
    first = await appended(far, RACE, START, b"a")
    proxy.to_lose = 1
    result = await append(far, RACE, first.position, b"b", b"c")
    assert isinstance(result, Doubtful)
    assert proxy.answers_lost == 1
    tail = await far.log.read(RACE, first.position)
    assert [entry.event for entry in tail.entries] == [b"b", b"c"]
    await appended(far, RACE, tail.position, b"d")


async def test_of_a_batch_whose_answer_is_lost_all_are_doubtful(
    proxy: Proxy, far: Store
) -> None:
    await appended(far, RACE, START, b"a")
    proxy.to_lose = 1
    results = await asyncio.gather(
        *(append(far, race(number), START, b"a") for number in range(1, 20))
    )
    assert {type(result) for result in results} == {Doubtful}
    assert proxy.answers_lost == 1
    for number in range(1, 20):
        assert await events(far, race(number)) == [b"a"]


@pytest.mark.parametrize(
    "nonsense",
    [b"+PONG\r\n", b":5\r\n", b"*0\r\n", b"*5\r\n:1\r\n:0\r\n:0\r\n:0\r\n:0\r\n"],
)
async def test_an_answer_to_something_else_is_doubtful_and_the_last(
    proxy: Proxy, far: Store, nonsense: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    first = await appended(far, RACE, START, b"a")
    epoch = far.log.contact.epoch
    proxy.instead = [nonsense]
    result = await append(far, RACE, first.position, b"b")
    assert isinstance(result, Doubtful)
    assert "something else" in result.reason
    assert far.log.contact.epoch == epoch + 1
    assert await events(far, RACE) == [b"a", b"b"]
    await appended(far, race(1), START, b"a")
    assert caplog.records == []


async def test_a_script_sent_in_full_is_not_sent_again(
    proxy: Proxy, far: Store
) -> None:
    first = await appended(far, RACE, START, b"a")
    proxy.instead = [b"-NOSCRIPT no such script\r\n"] * 2
    result = await append(far, RACE, first.position, b"b")
    assert isinstance(result, Doubtful)
    assert "no such script" in result.reason
    assert await events(far, RACE) == [b"a", b"b"]


async def test_a_lost_answer_to_a_question_is_asked_for_again(
    proxy: Proxy, far: Store
) -> None:
    done = await appended(far, RACE, START, b"a")
    proxy.to_lose = 1
    assert (await far.log.read(RACE, START)).position == done.position
    proxy.to_lose = 1
    assert await far.log.exists(RACE)
    assert proxy.answers_lost == 2
    # Not so for what may change something.
    proxy.to_lose = 1
    with pytest.raises(StoreUnavailable, match="was lost"):
        await far.registry.reserve_code(RACE)


async def test_what_was_not_sent_is_sent_when_the_store_is_back(
    proxy: Proxy, far: Store
) -> None:
    first = await appended(far, RACE, START, b"a")
    epoch = far.log.contact.epoch
    proxy.close()
    # Both of its connections, so that what follows goes out on neither.
    await eventually(
        lambda: far.log.contact.epoch == epoch + 2, "the loss to be noticed"
    )
    task = asyncio.create_task(append(far, RACE, first.position, b"b"))
    await asyncio.sleep(0.1)
    assert not task.done()
    await proxy.open()
    assert isinstance(await task, Appended)
    assert await events(far, RACE) == [b"a", b"b"]


async def test_waiting_for_a_store_that_is_away_is_bounded(
    proxy: Proxy, far: Store
) -> None:
    proxy.close()
    began = time.monotonic()
    results = await asyncio.gather(
        *(append(far, race(number), START, b"a") for number in range(3))
    )
    assert {type(result) for result in results} == {Doubtful}
    with pytest.raises(LogUnavailable, match="cannot be reached|lost|did not"):
        await far.log.read(RACE, START)
    with pytest.raises(StoreUnavailable):
        await far.registry.race_by_code("ABCDEF")
    assert time.monotonic() - began < 3 * 0.4 + SLACK_S


async def test_a_paused_store_is_doubtful_in_time_and_then_goes_on(
    embedded: EmbeddedStore,
) -> None:
    store = await open_store(embedded.url, HASTY)
    first = await appended(store, RACE, START, b"a")
    os.kill(embedded.pid, signal.SIGSTOP)
    began = time.monotonic()
    waiting = [append(store, RACE, first.position, b"b")]
    waiting += [append(store, race(number), START, b"a") for number in range(1, 5)]
    tasks = [asyncio.create_task(one) for one in waiting]
    await asyncio.sleep(0.2)
    # In flight, waiting behind what is in flight, and the reading: each has its time.
    late = asyncio.create_task(append(store, race(9), START, b"a"))
    assert {type(result) for result in await asyncio.gather(*tasks)} == {Doubtful}
    assert time.monotonic() - began < 0.4 + SLACK_S
    assert isinstance(await late, Doubtful)
    assert time.monotonic() - began < 0.2 + 0.4 + SLACK_S
    with pytest.raises(LogUnavailable):
        await store.log.read(RACE, START)
    os.kill(embedded.pid, signal.SIGCONT)
    # What was sent may have happened by now, once; the late one was never sent.
    tail = await store.log.read(RACE, START)
    assert [entry.event for entry in tail.entries] in ([b"a"], [b"a", b"b"])
    await appended(store, RACE, tail.position, b"c")
    await store.aclose()


async def test_a_late_answer_meets_nobody(embedded: EmbeddedStore) -> None:
    store = await open_store(embedded.url, HASTY)
    first = await appended(store, RACE, START, b"a")
    os.kill(embedded.pid, signal.SIGSTOP)
    assert isinstance(await append(store, RACE, first.position, b"b"), Doubtful)
    os.kill(embedded.pid, signal.SIGCONT)
    # These get their own answers, not the one that comes late.
    for number in range(1, 4):
        await appended(store, race(number), START, b"x")
        assert await events(store, race(number)) == [b"x"]
    await store.aclose()


@interpreted_only
async def test_even_a_fault_of_ours_is_doubtful_in_time(
    store: Store,
    valkey: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hasty = await open_store(valkey, HASTY)

    async def fail(self: Link, commands: object, deadline: float) -> list[object]:
        raise RuntimeError("nobody expects this")

    with monkeypatch.context() as patch:
        patch.setattr(Link, "call", fail)
        result = await append(hasty, RACE, START, b"a")
    assert isinstance(result, Doubtful)
    assert "nobody expects this" in caplog.text
    await appended(hasty, RACE, START, b"a")
    await hasty.aclose()


async def test_what_waits_at_the_same_moment_is_one_call(
    store: Store, valkey: str
) -> None:
    small = await open_store(valkey, StoreSettings(batch=20))
    await appended(small, race(99), START, b"a")
    await store.nodes.ask_all("CONFIG", "RESETSTAT")
    for node, calls in ((store, 1), (small, 3)):
        await asyncio.gather(
            *(append(node, race(number), START, b"a") for number in range(50))
        )
        [info] = (await store.nodes.ask_all("INFO", "commandstats")).values()
        assert f"cmdstat_evalsha:calls={calls}," in info.decode()
        await store.nodes.ask_all("CONFIG", "RESETSTAT")
    await small.aclose()


async def test_what_a_large_batch_came_to_is_told_with_turns_for_others(
    store: Store,
) -> None:
    loop, told = asyncio.get_running_loop(), 0
    told_by_then: list[int] = []
    everybody: asyncio.Future[None] = loop.create_future()

    def done(_: AppendResult) -> None:
        nonlocal told
        told += 1
        if told == 1:
            loop.call_soon(lambda: told_by_then.append(told))
        elif told == 300:
            everybody.set_result(None)

    for number in range(300):
        store.log.append(Append(race(number), START, [b"a"], done))
    await everybody
    assert told_by_then[0] < 300


async def test_what_comes_soon_after_a_batch_is_one_call(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appends, "_GATHER_S", 0.2)
    await store.nodes.ask_all("CONFIG", "RESETSTAT")
    await appended(store, race(99), START, b"a")
    coming: list[asyncio.Future[Appended]] = []
    for number in range(10):
        coming.append(asyncio.ensure_future(appended(store, race(number), START, b"a")))
        await asyncio.sleep(0.001)  # In a turn of the loop of its own.
    await asyncio.gather(*coming)
    [info] = (await store.nodes.ask_all("INFO", "commandstats")).values()
    assert "cmdstat_evalsha:calls=2," in info.decode()


async def test_a_killed_store_is_made_up_for(embedded: EmbeddedStore) -> None:
    store = await open_store(embedded.url)
    position, model, doubts = START, list[bytes](), 0
    for turn in range(60):
        if turn in (20, 40):
            os.kill(embedded.pid, signal.SIGKILL)
        result = await append(store, RACE, position, b"%d" % turn)
        if isinstance(result, Appended):
            model.append(b"%d" % turn)
            position = result.position
            continue
        assert isinstance(result, Doubtful)
        doubts += 1
        tail = await store.log.read(RACE, position)
        assert [e.event for e in tail.entries] in ([], [b"%d" % turn])
        assert not tail.whole
        model += [e.event for e in tail.entries]
        position = tail.position
    assert doubts <= 2
    assert await events(store, RACE) == model
    await store.aclose()


async def test_closing_ends_what_is_under_way(embedded: EmbeddedStore) -> None:
    store = await open_store(embedded.url)
    os.kill(embedded.pid, signal.SIGSTOP)
    results: list[AppendResult] = []
    for number in range(3):
        store.log.append(Append(race(number), START, [b"a"], results.append))
    await asyncio.sleep(0.05)
    store.log.append(Append(race(9), START, [b"a"], results.append))
    await store.aclose()
    assert [type(result) for result in results] == [Doubtful] * 4
    store.log.append(Append(race(10), START, [b"a"], results.append))
    await asyncio.sleep(0.01)
    assert results[4:] == [Doubtful("The store has been closed.")]
    os.kill(embedded.pid, signal.SIGCONT)


async def test_a_store_that_is_full_or_read_only_is_doubtful(
    embedded: EmbeddedStore,
) -> None:
    store = await open_store(embedded.url, HASTY)
    await store.nodes.ask_all("CONFIG", "SET", "maxmemory", "1")
    result = await append(store, RACE, START, b"a")
    assert isinstance(result, Doubtful)
    assert "OOM" in result.reason
    await store.nodes.ask_all("CONFIG", "SET", "maxmemory", "0")
    await store.nodes.ask_all("REPLICAOF", "127.0.0.1", "1")
    result = await append(store, RACE, START, b"a")
    assert isinstance(result, Doubtful)
    assert "READONLY" in result.reason
    with pytest.raises(StoreUnavailable, match="refused"):
        await store.registry.lobby_add(RACE, 1)
    await store.nodes.ask_all("REPLICAOF", "NO", "ONE")
    await appended(store, RACE, START, b"a")
    await store.aclose()


async def test_the_epoch_tells_of_lost_connections(valkey: str, store: Store) -> None:
    await appended(store, RACE, START, b"a")
    epoch = store.log.contact.epoch
    other = await open_store(valkey)
    await other.nodes.ask_all("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    # Though nothing is asked of the store meanwhile.
    await eventually(lambda: store.log.contact.epoch > epoch, "the loss to be noticed")
    await other.aclose()
    assert await events(store, RACE) == [b"a"]


# Replicas.


async def test_an_append_that_no_replica_has_is_doubtful(
    valkey: str, store: Store
) -> None:
    careful = await open_store(
        valkey,
        StoreSettings(wait_replicas=1, wait_replicas_ms=50),
    )
    result = await append(careful, RACE, START, b"a")
    assert isinstance(result, Doubtful)
    assert "replica" in result.reason
    # It is there, but may be lost, so it is not told to anybody.
    with pytest.raises(LogUnavailable, match="replica"):
        await careful.log.read(RACE, START)
    assert await events(store, RACE) == [b"a"]
    await careful.aclose()


@needs_redis
async def test_an_append_that_a_replica_has_counts(tmp_path: Path) -> None:
    master = RedisServer(tmp_path / "master")
    replica = RedisServer(
        tmp_path / "replica", "--replicaof", f"127.0.0.1 {master.port}"
    )
    with running(master) as url, running(replica):
        store = await open_store(url, StoreSettings(wait_replicas=1))
        hasty = await open_store(
            url, StoreSettings(wait_replicas=1, wait_replicas_ms=100)
        )
        await eventually(
            lambda: (
                bool(master.call("SET", "x", 1)) and master.call("WAIT", 1, 100) == 1
            ),
            "the replica to follow",
        )
        first = await appended(store, RACE, START, b"a")
        assert await events(store, RACE) == [b"a"]
        os.kill(replica.process.pid, signal.SIGSTOP)
        second = await append(hasty, RACE, first.position, b"b")
        os.kill(replica.process.pid, signal.SIGCONT)
        assert isinstance(second, Doubtful)
        assert await events(store, RACE) == [b"a", b"b"]
        await store.aclose()
        await hasty.aclose()

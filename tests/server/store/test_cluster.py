"""What only a Redis Cluster does: its slots move, and its masters change."""

import asyncio

from redis.crc import key_slot
from tests.helpers.logs import append, appended, events, race
from tests.helpers.redis_servers import RedisCluster, RedisServer, eventually
from tests.server.store.conftest import needs_redis

from samedeal_server.store import (
    START,
    Appended,
    Doubtful,
    Position,
    Store,
    StoreSettings,
    keys,
    open_store,
)


pytestmark = needs_redis


def _slot(race: str) -> int:
    return key_slot(keys.log(race).encode())


def _owner(cluster: RedisCluster, slot: int) -> RedisServer:
    share = -(-16384 // 3)
    return cluster.masters[slot // share]


async def _open(cluster: RedisCluster) -> Store:
    store = await open_store(cluster.url)
    await store.nodes.ask_all("FLUSHALL")
    return store


async def test_races_spread_over_the_masters(redis_cluster: RedisCluster) -> None:
    store = await _open(redis_cluster)
    assert len(store.nodes.masters()) == 3
    results = await asyncio.gather(
        *(append(store, race(number), START, b"a") for number in range(60))
    )
    assert all(isinstance(result, Appended) for result in results)
    sizes = [server.call("DBSIZE") for server in redis_cluster.masters]
    assert sum(int(str(size)) for size in sizes) == 60
    assert 0 not in sizes
    await store.aclose()


async def test_all_keys_of_a_race_share_a_slot() -> None:
    names = [f(race(0)) for f in (keys.log, keys.barrier, keys.rematch, keys.lease)]
    assert len({key_slot(name.encode()) for name in names}) == 1


async def test_appends_follow_a_slot_that_moves(redis_cluster: RedisCluster) -> None:
    store = await _open(redis_cluster)
    name = race(7)
    slot, key = _slot(name), keys.log(name)
    source = _owner(redis_cluster, slot)
    target = next(server for server in redis_cluster.masters if server is not source)
    epoch = store.log.contact.epoch

    # While the slot moves: what the source has not, it sends elsewhere (ASK).
    target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", redis_cluster.id(source))
    source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", redis_cluster.id(target))
    first = await appended(store, name, START, b"a", b"b")
    tail = await store.log.read(name, Position(1, first.position.last[:-1] + "0"))
    assert [entry.event for entry in tail.entries] == [b"b"]
    assert target.call("CLUSTER", "COUNTKEYSINSLOT", slot) == 1
    assert source.call("CLUSTER", "COUNTKEYSINSLOT", slot) == 0
    assert await store.registry.lease(name, "node", 1000)

    # Once it has moved (MOVED).
    for server in (target, source, *redis_cluster.masters):
        server.call("CLUSTER", "SETSLOT", slot, "NODE", redis_cluster.id(target))
    second = await appended(store, name, first.position, b"c")
    assert await events(store, name) == [b"a", b"b", b"c"]
    assert store.log.contact.epoch > epoch

    # And back, as others use this cluster.
    source.call("CLUSTER", "SETSLOT", slot, "IMPORTING", redis_cluster.id(target))
    target.call("CLUSTER", "SETSLOT", slot, "MIGRATING", redis_cluster.id(source))
    target.call(
        *("MIGRATE", "127.0.0.1", source.port, "", 0, 1000),
        *("KEYS", key, keys.lease(name)),
    )
    for server in (source, target, *redis_cluster.masters):
        server.call("CLUSTER", "SETSLOT", slot, "NODE", redis_cluster.id(source))
    await appended(store, name, second.position, b"d")
    assert await events(store, name) == [b"a", b"b", b"c", b"d"]
    await store.aclose()


async def test_races_go_on_when_a_replica_takes_over(
    redis_cluster: RedisCluster,
) -> None:
    store = await _open(redis_cluster)
    old, new = redis_cluster.masters[0], redis_cluster.replica
    names = [race(number) for number in range(40)]
    names = [name for name in names if _owner(redis_cluster, _slot(name)) is old]
    assert names
    positions = dict.fromkeys(names, START)
    counts = dict.fromkeys(names, 0)

    async def play(name: str, turns: int) -> None:
        for _ in range(turns):
            result = await append(store, name, positions[name], b"x")
            if isinstance(result, Doubtful):
                positions[name] = (await store.log.read(name, START)).position
                counts[name] = positions[name].length
                continue
            assert isinstance(result, Appended), result
            positions[name] = result.position
            counts[name] += 1

    await asyncio.gather(*(play(name, 5) for name in names))
    during = asyncio.gather(*(play(name, 30) for name in names))
    await redis_cluster.fail_over(new)
    await during
    await asyncio.gather(*(play(name, 5) for name in names))
    for name in names:
        assert await store.log.length(name) == counts[name] > 5
    # And back, as others use this cluster.
    await redis_cluster.fail_over(old)
    await asyncio.gather(*(play(name, 5) for name in names))
    await store.aclose()


async def test_a_master_that_is_gone_holds_up_nobody_else(
    redis_cluster: RedisCluster,
) -> None:
    store = await open_store(
        redis_cluster.url, StoreSettings(append_timeout_s=0.5, wait_replicas_ms=100)
    )
    await store.nodes.ask_all("FLUSHALL")
    gone = redis_cluster.masters[1]
    names = [race(number) for number in range(20)]
    gone.stop()
    results = await asyncio.gather(*(append(store, n, START, b"a") for n in names))
    for name, result in zip(names, results, strict=True):
        is_gone = _owner(redis_cluster, _slot(name)) is gone
        assert isinstance(result, Doubtful if is_gone else Appended)
    gone.start()
    await eventually(
        lambda: "cluster_state:ok" in str(gone.call("CLUSTER", "INFO")),
        "the master to be back",
    )
    for name in names:
        tail = await store.log.read(name, START)
        await appended(store, name, tail.position, b"b")
    await store.aclose()

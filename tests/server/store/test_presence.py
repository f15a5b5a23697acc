import pytest
from tests.helpers.redis_servers import RedisCluster, eventually
from tests.server.store.conftest import needs_redis

from samedeal_server.store import (
    Presence,
    Store,
    StoreSettings,
    StoreUnavailable,
    keys,
    open_store,
)


ANNE, BERT = "anne000000000000", "bert000000000000"
HERE = Presence(connected=True, since_ms=0)


async def _expire(store: Store, player: str) -> int:
    """As if the player had not been refreshed for longer than the window."""
    key, ended = keys.presence(player), store.log.now_ms() - 7000
    await store.nodes.call(key, "HSET", key, "until", ended)
    return ended


async def _tick(store: Store, ms: int) -> None:
    """Returns when the log's clock is past `ms`."""
    await eventually(lambda: store.log.now_ms() > ms, "time to pass", 0.001)


async def test_who_connects_is_there_until_disconnected(any_store: Store) -> None:
    registry = any_store.registry
    anne = await registry.connect(ANNE, "1")
    await registry.connect(BERT, "2")
    assert await registry.presence([ANNE, BERT]) == {ANNE: HERE, BERT: HERE}
    before = any_store.log.now_ms()
    await registry.disconnect(ANNE, anne)
    found = await registry.presence([ANNE, BERT])
    assert found[BERT] == HERE
    assert not found[ANNE].connected
    assert before <= found[ANNE].since_ms
    # It stays so: the minute after which a seat is freed runs from here.
    await _tick(any_store, found[ANNE].since_ms)
    assert await registry.presence([ANNE, BERT]) == found
    await registry.connect(ANNE, "3")
    assert await registry.presence([ANNE]) == {ANNE: HERE}


async def test_the_newest_connection_counts(any_store: Store) -> None:
    registry = any_store.registry
    old = await registry.connect(ANNE, "1")
    new = await registry.connect(ANNE, "2")
    assert new > old
    assert await registry.connect(ANNE, "2") == new
    bert = await registry.connect(BERT, "3")
    assert await registry.refresh([(ANNE, old), (BERT, bert)]) == {ANNE}
    assert await registry.refresh([(ANNE, new), (BERT, bert)]) == set()
    await registry.disconnect(ANNE, old)
    assert await registry.presence([ANNE]) == {ANNE: HERE}


async def test_generations_go_up_even_when_they_are_forgotten(
    any_store: Store,
) -> None:
    registry, key = any_store.registry, keys.presence(ANNE)
    generations = [await registry.connect(ANNE, str(n)) for n in range(5)]
    await any_store.nodes.call(key, "DEL", key)
    # Lost keys are made anew by whoever is there.
    assert await registry.refresh([(ANNE, generations[-1])]) == set()
    assert await registry.presence([ANNE]) == {ANNE: HERE}
    generations.append(await registry.connect(ANNE, "new"))
    assert sorted(set(generations)) == generations


async def test_after_a_loss_the_newest_connection_counts_again(
    any_store: Store,
) -> None:
    registry, key = any_store.registry, keys.presence(ANNE)
    old = await registry.connect(ANNE, "1")
    new = await registry.connect(ANNE, "2")
    await any_store.nodes.call(key, "DEL", key)
    assert await registry.refresh([(ANNE, old)]) == set()
    assert await registry.refresh([(ANNE, new)]) == set()
    assert await registry.refresh([(ANNE, old)]) == {ANNE}


async def test_who_is_not_refreshed_is_gone_since_then(any_store: Store) -> None:
    registry = any_store.registry
    anne = await registry.connect(ANNE, "1")
    ended = await _expire(any_store, ANNE)
    assert await registry.presence([ANNE]) == {ANNE: Presence(False, ended)}
    assert await registry.refresh([(ANNE, anne)]) == set()
    assert await registry.presence([ANNE]) == {ANNE: HERE}


async def test_who_was_never_heard_of_is_gone_from_now_on(any_store: Store) -> None:
    registry, before = any_store.registry, any_store.log.now_ms()
    first = await registry.presence([ANNE])
    assert not first[ANNE].connected
    assert before <= first[ANNE].since_ms
    await _tick(any_store, first[ANNE].since_ms)
    assert await registry.presence([ANNE]) == first
    assert await registry.presence([]) == {}


async def test_many_at_once_are_each_told_apart(any_store: Store) -> None:
    """The newest, replaced ones, forgotten ones and one whose window is over."""
    registry, now = any_store.registry, any_store.log.now_ms()
    players = [f"player{number:010}" for number in range(60)]
    first = {player: await registry.connect(player, "1") for player in players}
    replaced = set(players[::3])
    newest = {player: await registry.connect(player, "2") for player in replaced}
    for player in players[1::6]:
        await any_store.nodes.call(keys.presence(player), "DEL", keys.presence(player))
    ended = await _expire(any_store, players[2])
    found = await registry.presence(players)
    for number, player in enumerate(players):
        if number % 6 == 1:
            assert found[player].since_ms >= now
        else:
            assert found[player] == (HERE if number != 2 else Presence(False, ended))
    assert await registry.refresh(first.items()) == replaced
    assert await registry.presence(players) == dict.fromkeys(players, HERE)
    assert await registry.refresh((first | newest).items()) == set()
    # Who was replaced was left alone, down to the generation.
    for player in players:
        key, latest = keys.presence(player), (first | newest)[player]
        known = await any_store.nodes.call(key, "HGET", key, "generation")
        assert int(known) == latest
        assert await any_store.nodes.call(key, "TTL", key) > 86_000
    assert await registry.refresh([]) == set()


async def test_many_are_refreshed_by_one_call(store: Store) -> None:
    async def calls() -> int:
        [said] = (await store.nodes.ask_all("INFO", "commandstats")).values()
        [line] = [x for x in said.split() if x.startswith(b"cmdstat_evalsha:")]
        return int(line.partition(b"calls=")[2].partition(b",")[0])

    registry = store.registry
    players = [f"player{number:010}" for number in range(100)]
    alive = [(player, await registry.connect(player, "1")) for player in players]
    for many in (registry.refresh(alive), registry.presence(players)):
        before = await calls()
        await many
        # Sent in full where the store does not know it yet, which is no such call.
        assert await calls() - before <= 1


@needs_redis
async def test_one_process_that_is_away_keeps_nobody_else_from_being_refreshed(
    redis_cluster: RedisCluster,
) -> None:
    store = await open_store(redis_cluster.url, StoreSettings(read_timeout_s=0.3))
    await store.nodes.ask_all("FLUSHALL")
    registry = store.registry
    players = [f"player{number:010}" for number in range(30)]
    alive = [(player, await registry.connect(player, "1")) for player in players]
    away = redis_cluster.masters[0]
    there = [
        player
        for player in players
        if store.nodes.of_key(keys.presence(player)).address[1] != away.port
    ]
    assert 0 < len(there) < len(players)
    for player in players:
        await _expire(store, player)
    away.call("CLIENT", "PAUSE", 600, "ALL")
    with pytest.raises(StoreUnavailable):
        await registry.refresh(alive)
    assert await registry.presence(there) == dict.fromkeys(there, HERE)
    await store.aclose()

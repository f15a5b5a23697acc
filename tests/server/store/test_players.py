import asyncio

from tests.helpers.logs import race

from samedeal_server.store import Store, keys


PLAYER = "player0000000000"
DAYS_90 = 90 * 86_400


async def test_a_token_brings_back_its_player(any_store: Store) -> None:
    registry = any_store.registry
    await registry.token_store("hash", PLAYER, "Änne  mit Leer")
    assert await registry.token_load("hash") == (PLAYER, "Änne  mit Leer")
    await registry.token_store("hash", PLAYER, "Anne")
    assert await registry.token_load("hash") == (PLAYER, "Anne")
    assert await registry.token_load("other") is None


async def test_using_a_token_renews_it(any_store: Store) -> None:
    registry, key = any_store.registry, keys.token("hash")
    await registry.token_store("hash", PLAYER, "Anne")
    await any_store.nodes.call(key, "EXPIRE", key, 60)
    await registry.token_load("hash")
    assert DAYS_90 - 5 < await any_store.nodes.call(key, "TTL", key) <= DAYS_90


async def test_a_player_has_unfinished_races(any_store: Store) -> None:
    registry = any_store.registry
    assert await registry.races_list(PLAYER) == []
    for number in (2, 1, 2):
        await registry.races_add(PLAYER, race(number))
    assert await registry.races_list(PLAYER) == [race(1), race(2)]
    await registry.races_remove(PLAYER, race(1))
    assert await registry.races_list(PLAYER) == [race(2)]


async def test_what_is_asked_for_twice_is_made_once(any_store: Store) -> None:
    registry, key = any_store.registry, keys.created(PLAYER, "s:1")
    assert await registry.created_earlier(PLAYER, "s:1") is None
    reserved = await asyncio.gather(
        *(registry.created_reserve(PLAYER, "s:1", race(n)) for n in range(10))
    )
    assert len(set(reserved)) == 1
    assert await registry.created_earlier(PLAYER, "s:1") == reserved[0]
    assert await registry.created_reserve(PLAYER, "i:1", race(20)) == race(20)
    assert await registry.created_reserve("another", "s:1", race(21)) == race(21)
    assert 0 < await any_store.nodes.call(key, "TTL", key) <= 60


async def test_a_race_has_one_rematch(any_store: Store) -> None:
    registry = any_store.registry
    assert await registry.rematch_get(race(1)) is None
    reserved = await asyncio.gather(
        *(registry.rematch_reserve(race(1), race(n)) for n in range(10, 20))
    )
    assert len(set(reserved)) == 1
    assert await registry.rematch_get(race(1)) == reserved[0]


async def test_a_rematch_that_came_to_nothing_is_replaced_once(
    any_store: Store,
) -> None:
    registry = any_store.registry
    await registry.rematch_reserve(race(1), race(2))
    reserved = await asyncio.gather(
        *(
            registry.rematch_reserve(race(1), race(n), instead_of=race(2))
            for n in range(10, 20)
        )
    )
    assert len(set(reserved)) == 1
    assert reserved[0] != race(2)
    again = await registry.rematch_reserve(race(1), race(3), instead_of=race(2))
    assert again == reserved[0]

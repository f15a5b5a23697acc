import asyncio

from tests.helpers.logs import race

from samedeal_server.store import Store, open_store


async def test_the_lobby_lists_the_newest_first(any_store: Store) -> None:
    registry = any_store.registry
    assert await registry.lobby_list() == []
    for number in (3, 1, 2):
        await registry.lobby_add(race(number), 1000 + number)
    assert await registry.lobby_list() == [race(3), race(2), race(1)]
    assert await registry.lobby_list(limit=2) == [race(3), race(2)]
    await registry.lobby_remove(race(2))
    assert await registry.lobby_list() == [race(3), race(1)]


async def test_of_many_who_want_a_quick_race_one_proposes(
    any_store: Store, any_url: str
) -> None:
    nodes = [await open_store(any_url) for _ in range(3)]
    picks = await asyncio.gather(
        *(
            node.registry.quick_pick("juvenile", "one-deck", race(10 * n + number))
            for n, node in enumerate(nodes)
            for number in range(10)
        )
    )
    [[proposed]] = {tuple(pick) for pick in picks}
    assert picks.count([proposed]) == 30
    for node in nodes:
        await node.aclose()


async def test_a_quick_race_that_is_gone_makes_room(any_store: Store) -> None:
    registry = any_store.registry
    game = ("juvenile", "one-deck")
    assert await registry.quick_pick(*game, race(1)) == [race(1)]
    assert await registry.quick_pick(*game, race(2)) == [race(1)]
    assert await registry.quick_pick("juvenile", "two-decks", race(9)) == [race(9)]
    await registry.quick_add(*game, race(3))
    assert await registry.quick_pick(*game, race(4)) == [race(1), race(3)]
    await registry.quick_remove(*game, race(1))
    assert await registry.quick_pick(*game, race(4)) == [race(3)]
    await registry.quick_remove(*game, race(3))
    assert await registry.quick_pick(*game, race(5)) == [race(5)]


async def test_seats_of_an_address_are_counted_by_race(any_store: Store) -> None:
    registry = any_store.registry
    counts = [await registry.quick_from(race(1), "192.0.2.1") for _ in range(3)]
    assert counts == [1, 2, 3]
    assert await registry.quick_from(race(1), "2001:db8::1") == 1
    assert await registry.quick_from(race(2), "192.0.2.1") == 1


async def test_quick_candidates_are_the_oldest(any_store: Store) -> None:
    key = "samedeal:quick:juvenile/one-deck"
    for number in range(40):
        await any_store.nodes.call(key, "ZADD", key, 1000 - number, race(number))
    picked = await any_store.registry.quick_pick("juvenile", "one-deck", race(99))
    assert picked == [race(39 - number) for number in range(32)]

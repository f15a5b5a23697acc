"""Races that have ended leave every list, together and as often as one likes."""

from tests.helpers.logs import appended, race

from samedeal_server.store import START, Ending, Store, keys


GAME = ("doublets", "reserve")


async def test_several_races_are_put_away_together(any_store: Store) -> None:
    registry, call = any_store.registry, any_store.nodes.call
    endings: list[Ending] = []
    for number in range(3):
        name = race(number)
        await appended(any_store, name, START, b"a")
        await registry.lobby_add(name, 1)
        await registry.due_set(name, 1)
        await registry.quick_add(*GAME, name)
        for player in ("p1", "p2"):
            await registry.races_add(player, name)
        code = await registry.reserve_code(name)
        queue = GAME if number else None
        endings.append(Ending(name, code, ("p1", "p2"), queue, 5 + number))
    kept = race(0)
    for _ in range(2):
        await registry.put_away(endings, 100)
        assert await registry.lobby_list() == []
        assert await call(keys.DUE, "ZCARD", keys.DUE) == 0
        assert await registry.races_list("p1") == await registry.races_list("p2") == []
        assert await registry.ended_list() == [race(0), race(1), race(2)]
        quick = keys.quick(*GAME)
        assert await call(quick, "ZRANGE", quick, 0, -1) == [kept.encode()]
        for ending in endings:
            for key in (keys.log(ending.race), keys.code(ending.code)):
                assert 98 <= await call(key, "TTL", key) <= 100


async def test_none_are_put_away(any_store: Store) -> None:
    await any_store.registry.put_away([], 100)

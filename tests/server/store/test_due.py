import asyncio

from tests.helpers.logs import race

from samedeal_server.store import Store


HOUR_MS = 3_600_000


async def test_what_is_due_is_claimed_once(any_store: Store) -> None:
    registry, now = any_store.registry, any_store.log.now_ms()
    await registry.due_set(race(1), now - 1000)
    await registry.due_set(race(2), now - 3000)
    await registry.due_set(race(3), now + HOUR_MS)
    claims = await asyncio.gather(*(registry.due_claim(10, HOUR_MS) for _ in range(5)))
    assert [claim for claim in claims if claim] == [[race(2), race(1)]]


async def test_what_is_claimed_comes_due_again(any_store: Store) -> None:
    registry, now = any_store.registry, any_store.log.now_ms()
    await registry.due_set(race(1), now - 1000)
    # Held for no time: as if the node that claimed it died long ago.
    assert await registry.due_claim(10, 0) == [race(1)]
    assert await registry.due_claim(10, HOUR_MS) == [race(1)]
    assert await registry.due_claim(10, HOUR_MS) == []


async def test_a_claim_is_limited(any_store: Store) -> None:
    registry, now = any_store.registry, any_store.log.now_ms()
    for number in range(5):
        await registry.due_set(race(number), now - 1000 + number)
    assert await registry.due_claim(3, HOUR_MS) == [race(n) for n in range(3)]
    assert await registry.due_claim(3, HOUR_MS) == [race(3), race(4)]


async def test_due_at_most_only_brings_forward(any_store: Store) -> None:
    registry, now = any_store.registry, any_store.log.now_ms()
    await registry.due_at_most(race(1), now + HOUR_MS)
    assert await registry.due_claim(10, HOUR_MS) == []
    await registry.due_at_most(race(1), now - 1)
    await registry.due_at_most(race(1), now + HOUR_MS)
    assert await registry.due_claim(10, 0) == [race(1)]
    await registry.due_set(race(1), now + HOUR_MS)
    assert await registry.due_claim(10, HOUR_MS) == []
    await registry.due_set(race(1), now - 1)
    await registry.due_remove(race(1))
    assert await registry.due_claim(10, HOUR_MS) == []


async def test_one_node_at_a_time_has_the_lease(any_store: Store) -> None:
    registry, name = any_store.registry, race(1)
    assert await registry.lease(name, "one", HOUR_MS)
    assert not await registry.lease(name, "two", HOUR_MS)
    assert await registry.lease(name, "one", HOUR_MS)
    await registry.lease_drop(name, "two")
    assert not await registry.lease(name, "two", HOUR_MS)
    await registry.lease_drop(name, "one")
    assert await registry.lease(name, "two", 1)
    async with asyncio.timeout(2):
        while not await registry.lease(name, "one", HOUR_MS):
            pass

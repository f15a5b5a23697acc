"""Players who are connected stay so for every node, however many there are."""

import asyncio

import pytest
from tests.conftest import Serve
from tests.server.conftest import Connect

from samedeal_server.service import people
from samedeal_server.store import Store, keys


async def _refreshed(store: Store, player: str) -> None:
    """Wait until a node says again that the player is connected."""
    key = keys.presence(player)
    await store.nodes.call(key, "HSET", key, "until", 0)
    async with asyncio.timeout(10):
        while await store.nodes.call(key, "HGET", key, "until") == b"0":
            pass  # It has asked, and so waited, meanwhile.


async def _is_connected(store: Store, player: str) -> bool:
    return (await store.registry.presence([player]))[player].connected


async def test_all_who_are_connected_are_refreshed(
    serve: Serve, connect: Connect, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "_AT_ONCE", 2)
    monkeypatch.setattr(people, "_REFRESH_S", 0.2)
    app = await serve()
    clients = [await connect(app) for _ in range(7)]
    gone, *there = [(await client.hello())["player"] for client in clients]
    for player in (gone, *there):
        await _refreshed(store, player)
    await clients[0].close()
    async with asyncio.timeout(10):
        while await _is_connected(store, gone):
            pass  # It has asked, and so waited, meanwhile.
    for player in there:
        await _refreshed(store, player)
    assert not await _is_connected(store, gone)

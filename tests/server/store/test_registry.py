import pytest

from samedeal_server.store import Store, StoreUnavailable, keys


async def test_ping(any_store: Store) -> None:
    await any_store.registry.ping()


async def test_a_refusal_says_who_refused(any_store: Store) -> None:
    await any_store.nodes.call(keys.LOBBY, "SET", keys.LOBBY, "not a list")
    with pytest.raises(StoreUnavailable, match="refused: WRONGTYPE"):
        await any_store.registry.lobby_list()

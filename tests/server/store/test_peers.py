from samedeal_server.store import Store, keys


async def test_nodes_that_show_themselves_are_counted(any_store: Store) -> None:
    registry = any_store.registry
    assert await registry.beat("one") == 1
    assert await registry.beat("two") == 2
    assert await registry.beat("one") == 2
    # The other has not been seen for too long.
    gone = any_store.log.now_ms() - 1
    await any_store.nodes.call(keys.NODES, "ZADD", keys.NODES, gone, "two")
    assert await registry.beat("one") == 1

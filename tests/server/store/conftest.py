"""Every kind of store that the product runs on, and what tests do with a log."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import uvloop
from tests.helpers.redis_servers import SERVER, RedisCluster, RedisServer, running

from samedeal_server.store import Store, StoreSettings, open_store


needs_redis = pytest.mark.skipif(SERVER is None, reason="redis-server is not on PATH")


def pytest_asyncio_loop_factories(
    item: pytest.Item,
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """What has to do with an event loop's transports is tested on both loops."""
    loops: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
        "asyncio": asyncio.new_event_loop
    }
    if item.path.stem in ("test_link", "test_pipe"):
        loops["uvloop"] = uvloop.new_event_loop
    return loops


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(RedisServer(tmp_path_factory.mktemp("redis"))) as url:
        yield url


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    cluster = RedisCluster(tmp_path_factory.mktemp("cluster"))
    with running(cluster):
        yield cluster


@pytest.fixture(
    params=[
        "embedded",
        pytest.param("redis", marks=needs_redis),
        pytest.param("cluster", marks=needs_redis),
    ]
)
def any_url(request: pytest.FixtureRequest) -> str:
    """The URL of each kind of store in turn."""
    match request.param:
        case "embedded":
            url = request.getfixturevalue("valkey")
        case "redis":
            url = request.getfixturevalue("redis_server")
        case _:
            url = request.getfixturevalue("redis_cluster").url
    assert isinstance(url, str)
    return url


@pytest.fixture
async def any_store(any_url: str) -> AsyncIterator[Store]:
    """An empty store of each kind in turn."""
    store = await open_store(any_url, StoreSettings(page=4))
    await store.nodes.ask_all("FLUSHALL")
    yield store
    await store.aclose()

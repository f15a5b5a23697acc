"""Real parts for tests: an embedded Valkey, emptied for each, and servers on it."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings as hypothesis_settings

from samedeal_server.app import App, running
from samedeal_server.settings import Limits, Settings
from samedeal_server.store import Store, open_store, start_embedded


# Laws are about results; how long a case takes depends on who else is at work.
hypothesis_settings.register_profile(
    "samedeal", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("samedeal")


# Servers in processes of their own, too, leave the processors to the tests.
os.environ["SAMEDEAL_POOL"] = "0"


def pytest_configure(config: pytest.Config) -> None:
    """Where several processes test: neighbours in one of them, as they share what
    takes long to start; whoever is done first takes over from the others."""
    if config.getoption("dist", "no") == "load":
        config.option.dist = "worksteal"


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an embedded Valkey that lives as long as the test run."""
    # A loop of its own, as those of the tests come and go.
    with asyncio.Runner() as runner:
        embedded = runner.run(start_embedded(tmp_path_factory.mktemp("valkey")))
        yield embedded.url
        runner.run(embedded.stop())


@pytest.fixture
async def store(valkey: str) -> AsyncIterator[Store]:
    """An empty store."""
    async with emptied(valkey) as store:
        yield store


@contextlib.asynccontextmanager
async def emptied(url: str) -> AsyncIterator[Store]:
    """The store there, with nothing in it."""
    store = await open_store(url)
    await store.nodes.ask_all("FLUSHALL")
    yield store
    await store.aclose()


Serve = Callable[..., Awaitable[App]]


@pytest.fixture
async def serve(valkey: str, store: Store) -> AsyncIterator[Serve]:
    """Starts servers on the empty store: `await serve(bot_pace_ms=(0, 0), …)`.

    On a free port, with limits off and bots that do not think, unless told
    otherwise; all are closed at the end. Several are several nodes.
    """
    async with serving(valkey) as start:
        yield start


@contextlib.asynccontextmanager
async def serving(url: str) -> AsyncIterator[Serve]:
    """What `serve` gives, on the store there."""
    async with contextlib.AsyncExitStack() as stack:

        async def start(**settings: Any) -> App:
            given = {
                "limits": Limits.off(),
                "bot_pace_ms": (0, 0),
                "pool": 0,
                **settings,
            }
            chosen = Settings(port=0, redis=url, **given)
            return await stack.enter_async_context(running(chosen))

        yield start


@pytest.fixture
async def server(serve: Serve) -> App:
    """One such server; `server.url` is its http:// address."""
    return await serve()

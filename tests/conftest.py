"""The store that tests use: one embedded Valkey for the whole run, emptied for each."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from samedeal_server.store import Store, open_store, start_embedded


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
    store = await open_store(valkey)
    await store.nodes.ask_all("FLUSHALL")
    yield store
    await store.aclose()

"""Browsers for tests of the page; a page with an error in its console fails.

All on one event loop, since what drives the browser takes most of a second to
start and belongs to its loop.
"""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pytest_asyncio import is_async_test
from tests.conftest import Serve, emptied, serving
from tests.helpers.pages import Player, chromium, driven

from samedeal_server.app import App
from samedeal_server.store import Store


NewPlayer = Callable[..., Awaitable[Player]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def store(valkey: str) -> AsyncIterator[Store]:
    async with emptied(valkey) as store:
        yield store


@pytest_asyncio.fixture(loop_scope="session")
async def serve(valkey: str, store: Store) -> AsyncIterator[Serve]:
    async with serving(valkey) as start:
        yield start


@pytest_asyncio.fixture(loop_scope="session")
async def server(serve: Serve) -> App:
    return await serve()


@pytest.fixture(scope="session")
def chromium_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chromium(tmp_path_factory.mktemp("chromium")) as url:
        yield url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium_url: str) -> AsyncIterator[Any]:
    async with driven(chromium_url) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def new_player(browser: Any, server: App) -> AsyncIterator[NewPlayer]:
    """Opens a browser of its own for a person: `await new_player(oneTap=False)`.

    Keyword arguments are preferences; `context` holds options of the browser.
    """
    faults: list[str] = []
    async with contextlib.AsyncExitStack() as stack:

        async def start(
            context: dict[str, Any] | None = None, **preferences: Any
        ) -> Player:
            options = {"viewport": {"width": 1200, "height": 800}, **(context or {})}
            made = await stack.enter_async_context(await browser.new_context(**options))
            page = await made.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            await page.add_init_script(_REMEMBER_SOCKETS)
            if preferences:
                await page.add_init_script(
                    "localStorage.setItem('samedeal.preferences', "
                    f"JSON.stringify({_script(preferences)}))"
                )
            return Player(page, server.url)

        yield start
    assert not faults, faults


# So that a test can take a connection away.
_REMEMBER_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    window.sockets.push(this);
  }
};
"""


def _script(preferences: dict[str, Any]) -> str:
    words = {True: "true", False: "false"}
    pairs = (f"{k}: {words.get(v, repr(v))}" for k, v in preferences.items())
    return "{" + ", ".join(pairs) + "}"

"""Clients for tests of the server: each test in JSON and in MessagePack."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from tests.helpers import raw
from tests.helpers.raw import Raw

from samedeal_server.app import App


Connect = Callable[..., Awaitable[Raw]]
Arrive = Callable[..., Awaitable[Raw]]


@pytest.fixture(params=[raw.JSON, raw.MSGPACK], ids=["json", "msgpack"])
def subprotocol(request: pytest.FixtureRequest) -> str:
    """Each of the two in turn."""
    return str(request.param)


@pytest.fixture
async def connect(subprotocol: str) -> AsyncIterator[Connect]:
    """Connects to a server: `await connect(app, name="Ada")`.

    With any field of `hello` it says hello, too. All are closed at the end.
    """
    async with contextlib.AsyncExitStack() as stack:

        async def start(app: App, **hello: Any) -> Raw:
            client = await raw.connect(app.url, subprotocol)
            stack.push_async_callback(client.close)
            if hello:
                await client.hello(**hello)
            return client

        yield start


@pytest.fixture
async def arrive(connect: Connect, server: App) -> Arrive:
    """Connects to the one server and says hello: `await arrive("Ada")`."""

    async def start(name: str = "Player", **hello: Any) -> Raw:
        return await connect(server, name=name, **hello)

    return start

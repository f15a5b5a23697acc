"""A client and the test itself as its server, and a client of a real one."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.clients.python.peer import Line, Peer

import samedeal
from samedeal_server.app import App


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    async with Peer() as peer:
        yield peer


@pytest.fixture
async def met(peer: Peer) -> AsyncIterator[tuple[samedeal.Client, Line]]:
    """A client that is connected, and the server's end of its connection."""
    connecting = asyncio.ensure_future(begin(peer))
    line = await peer.accept()
    await line.greet()
    async with await connecting as client:
        yield client, line


@pytest.fixture
async def playing(
    met: tuple[samedeal.Client, Line],
) -> tuple[samedeal.Race, Line]:
    """A race in which play has begun, and the server's end of the connection."""
    client, line = met
    creating = asyncio.ensure_future(client.create("juvenile"))
    await line.seat()
    race = await creating
    await race.started()
    return race, line


async def begin(peer: Peer) -> samedeal.Client:
    return await samedeal.connect(peer.url, name="Ada", timeout=5, ping_timeout=2)


@pytest.fixture
async def client(server: App) -> AsyncIterator[samedeal.Client]:
    """A player on a real server."""
    async with samedeal.connect(server.url, name="Ada", timeout=10) as client:
        yield client


@pytest.fixture
async def other(server: App) -> AsyncIterator[samedeal.Client]:
    """Another one."""
    async with samedeal.connect(
        server.url, name="Bo", codec="msgpack", timeout=10
    ) as other:
        yield other

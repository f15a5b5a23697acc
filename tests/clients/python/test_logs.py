"""Fetching logs, from a real server."""

import asyncio

import pytest
from tests.clients.python.peer import Peer

import samedeal
from samedeal_server.app import App


async def test_a_race_that_is_not_over_has_no_log(
    server: App, client: samedeal.Client
) -> None:
    race = await client.create("juvenile")
    with pytest.raises(samedeal.NotEnded) as caught:
        await samedeal.fetch_log(server.url, race.id)
    assert caught.value.race == race.id


@pytest.mark.parametrize("race", ["z" * 16, "", "nonsense/../../healthz"])
async def test_a_race_that_is_not_there_has_no_log(server: App, race: str) -> None:
    with pytest.raises(samedeal.UnknownRace):
        await samedeal.fetch_log(server.url, race)


async def test_where_no_server_is_there_is_no_log() -> None:
    async with Peer() as gone:
        pass
    with pytest.raises(samedeal.CannotConnect):
        await samedeal.fetch_log(gone.url, "z" * 16)


async def test_another_answer_is_told_by_its_number() -> None:
    async def answer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(samedeal.CannotConnect, match="HTTP 503"):
            await samedeal.fetch_log(f"http://127.0.0.1:{port}", "z" * 16)


async def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a server's address"):
        await samedeal.fetch_log("nowhere", "z" * 16)

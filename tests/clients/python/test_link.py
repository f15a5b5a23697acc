"""When a client connects again, and when it does not."""

import asyncio
import time

import pytest
from msgspec import UNSET
from tests.clients.python.peer import Line, Peer
from tests.helpers.cuts import Cuts
from websockets.exceptions import ConnectionClosed

import samedeal
from samedeal_protocol import commands
from samedeal_protocol.updates import Closing


Met = tuple[samedeal.Client, Line]


@pytest.mark.parametrize("code", [1000, 1001, 1011, 4001])
async def test_after_a_close_the_client_comes_back_as_the_same_player(
    met: Met, peer: Peer, code: int
) -> None:
    client, line = met
    await line.close(code)
    hello = await (await peer.accept()).greet()
    assert hello.token == client.token == "secret"


async def test_after_a_cut_too(met: Met, peer: Peer) -> None:
    _, line = met
    line.cut()
    assert (await (await peer.accept()).greet()).token == "secret"


async def test_a_replaced_client_does_not_come_back(met: Met) -> None:
    client, line = met
    asking = asyncio.ensure_future(client.lobby())
    await line.next(commands.Lobby)
    await line.close(4000)
    with pytest.raises(samedeal.Replaced):
        await asking
    with pytest.raises(samedeal.Replaced):
        await client.lobby()
    assert not client.connected


async def test_a_closing_server_says_when_to_come_back(met: Met, peer: Peer) -> None:
    _, line = met
    then = time.monotonic()
    await line.tell(Closing(reason="deploy", retry_after_ms=150))
    await line.close(1001)
    await (await peer.accept()).greet()
    assert 0.15 <= time.monotonic() - then < 2


async def test_what_is_asked_of_a_closing_server_waits_for_the_next(
    met: Met, peer: Peer
) -> None:
    client, line = met
    watching = asyncio.ensure_future(client.watch("a" * 16))
    in_flight = await line.next(commands.Watch)
    await line.tell(Closing(reason="deploy", retry_after_ms=0))
    await line.refuse(in_flight, "unknown_race")
    with pytest.raises(samedeal.UnknownRace):
        await watching
    asking = asyncio.ensure_future(client.lobby())
    await asyncio.sleep(0)
    await line.close(1001)
    with pytest.raises(ConnectionClosed):
        await line.socket.recv()
    line = await peer.accept()
    await line.greet()
    await line.answer_lobby()
    assert list(await asking) == []


async def test_a_silent_server_is_left(peer: Peer) -> None:
    connecting = asyncio.ensure_future(
        samedeal.connect(peer.url, timeout=5, ping_timeout=0.2)
    )
    line = await peer.accept()
    await line.greet(heartbeat_ms=20)
    async with await connecting:
        await line.next(commands.Ping)
        await (await peer.accept()).greet()


async def test_without_reconnecting_the_first_cut_is_the_end(peer: Peer) -> None:
    connecting = asyncio.ensure_future(
        samedeal.connect(peer.url, reconnect=False, timeout=5)
    )
    line = await peer.accept()
    await line.greet()
    async with await connecting as client:
        asking = asyncio.ensure_future(client.lobby())
        await line.next(commands.Lobby)
        await line.close(1001)
        with pytest.raises(samedeal.CannotConnect, match="connection is gone"):
            await asking


async def test_a_server_that_stays_away_is_given_up(peer: Peer) -> None:
    async with Cuts(peer.url) as cuts:
        connecting = asyncio.ensure_future(
            samedeal.connect(cuts.url, timeout=5, give_up=0.3)
        )
        await (await peer.accept()).greet()
        async with await connecting as client:
            race_gone = asyncio.ensure_future(client.lobby())
            cuts.refusing = True
            cuts.cut()
            with pytest.raises(samedeal.CannotConnect, match="connection is gone"):
                await race_gone


async def test_a_first_connection_that_is_cut_is_tried_again(peer: Peer) -> None:
    connecting = asyncio.ensure_future(samedeal.connect(peer.url, timeout=5))
    line = await peer.accept()
    await line.next(commands.Hello)
    line.cut()
    hello = await (await peer.accept()).greet()
    assert hello.token is UNSET
    await (await connecting).close()


async def test_a_first_connection_to_nobody_fails_at_once() -> None:
    async with Peer() as gone:
        pass
    with pytest.raises(samedeal.CannotConnect, match="cannot be made: no server"):
        await samedeal.connect(gone.url)


async def test_of_several_addresses_the_next_is_taken(peer: Peer) -> None:
    async with Peer() as gone:
        pass
    connecting = asyncio.ensure_future(
        samedeal.connect([gone.url, peer.url], timeout=5)
    )
    line = await peer.accept()
    await line.greet()
    async with await connecting:
        line.cut()
        await (await peer.accept()).greet()


async def test_a_greeting_that_is_refused_is_not_repeated(peer: Peer) -> None:
    connecting = asyncio.ensure_future(samedeal.connect(peer.url, token="x", timeout=5))
    line = await peer.accept()
    await line.refuse(await line.next(commands.Hello), "bad_token")
    with pytest.raises(samedeal.BadToken):
        await connecting


async def test_a_greeting_that_cannot_be_taken_now_is_repeated(peer: Peer) -> None:
    connecting = asyncio.ensure_future(samedeal.connect(peer.url, timeout=5))
    line = await peer.accept()
    await line.refuse(await line.next(commands.Hello), "unavailable")
    await (await peer.accept()).greet()
    await (await connecting).close()


async def test_commands_keep_to_the_rate_of_the_server(peer: Peer) -> None:
    connecting = asyncio.ensure_future(samedeal.connect(peer.url, timeout=5))
    line = await peer.accept()
    await line.greet(rate=20)
    async with await connecting as client:
        then = time.monotonic()
        asking = [asyncio.ensure_future(client.lobby()) for _ in range(29)]
        for _ in asking:
            await line.answer_lobby()
        await asyncio.gather(*asking)
        # 20 at once, the greeting among them; ten more take half a second.
        assert 0.45 < time.monotonic() - then < 3

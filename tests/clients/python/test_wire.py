"""One connection: what it takes for alive, and what for the end."""

import asyncio

import pytest
from tests.clients.python.peer import Peer
from websockets.asyncio.server import serve

from samedeal.wire import Cut, Wire
from samedeal_protocol.codec import JSON, MSGPACK
from samedeal_protocol.commands import Lobby, Ping
from samedeal_protocol.updates import LobbyList, Pong


def address(peer: Peer) -> str:
    return peer.url.replace("http", "ws")


async def opened(peer: Peer, timeout: float = 2) -> Wire:
    return await Wire.open(address(peer), JSON, timeout=timeout)


async def test_commands_go_and_updates_come(peer: Peer) -> None:
    wire = await opened(peer)
    line = await peer.accept()
    await wire.send(wire.encode(Lobby(id=7)))
    command = await line.next(Lobby)
    await line.tell(LobbyList(races=[]), command)
    assert await wire.receive(10) == LobbyList(re=7, races=[])
    await wire.close()


async def test_types_of_later_versions_are_passed_over(peer: Peer) -> None:
    wire = await opened(peer)
    line = await peer.accept()
    await line.socket.send('{"type":"fireworks","colour":"green"}')
    await line.tell(Pong(now_ms=1))
    assert await wire.receive(10) == Pong(now_ms=1)
    await wire.close()


async def test_what_is_no_update_ends_the_connection(peer: Peer) -> None:
    wire = await opened(peer)
    line = await peer.accept()
    await line.socket.send('{"type":"pong"}')
    with pytest.raises(Cut, match="now_ms") as caught:
        await wire.receive(10)
    assert caught.value.code == 1002
    await line.socket.wait_closed()
    assert line.socket.close_code == 1002


async def test_silence_is_answered_by_a_ping(peer: Peer) -> None:
    wire = await opened(peer)
    line = await peer.accept()
    receiving = asyncio.ensure_future(wire.receive(0.01))
    await line.next(Ping)
    await line.tell(Pong(now_ms=1))
    assert await receiving == Pong(now_ms=1)
    await wire.close()


async def test_silence_after_a_ping_is_death(peer: Peer) -> None:
    wire = await opened(peer, timeout=0.1)
    line = await peer.accept()
    with pytest.raises(Cut, match="no sign of life"):
        await wire.receive(0.01)
    await line.next(Ping)
    await wire.close()


async def test_a_close_says_its_code_and_reason(peer: Peer) -> None:
    wire = await opened(peer)
    line = await peer.accept()
    await line.socket.close(4001, "too slow")
    with pytest.raises(Cut, match="code 4001, too slow") as caught:
        await wire.receive(10)
    assert caught.value.code == 4001
    with pytest.raises(Cut):
        await wire.send(b"{}")
    await wire.close()


async def test_nobody_there_is_hopeless() -> None:
    async with Peer() as gone:
        pass
    with pytest.raises(Cut, match="no server is there") as caught:
        await opened(gone)
    assert caught.value.hopeless


async def test_a_server_of_something_else_is_hopeless() -> None:
    async with serve(lambda socket: socket.wait_closed(), "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(Cut, match="not a samedeal server") as caught:
            await Wire.open(f"ws://127.0.0.1:{port}/ws", JSON, timeout=2)
    assert caught.value.hopeless


async def test_a_refusal_says_what_it_means(peer: Peer) -> None:
    with pytest.raises(Cut, match="HTTP 400: it does not speak this version") as caught:
        await Wire.open(address(peer), MSGPACK, timeout=2)
    assert caught.value.hopeless


async def test_a_connection_cut_while_opening_is_worth_another_try() -> None:
    def cut(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    async with await asyncio.start_server(cut, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(Cut) as caught:
            await Wire.open(f"ws://127.0.0.1:{port}/ws", JSON, timeout=2)
    assert not caught.value.hopeless


async def test_a_server_that_does_not_answer_is_given_up_in_time() -> None:
    kept: list[asyncio.StreamWriter] = []

    def keep(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        kept.append(writer)

    async with await asyncio.start_server(keep, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(Cut, match="timed out"):
            await Wire.open(f"ws://127.0.0.1:{port}/ws", JSON, timeout=0.1)
        for writer in kept:
            writer.transport.abort()

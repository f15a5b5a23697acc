"""Handshakes, frames and close codes, down to the bytes where need be."""

import asyncio
import base64
import os
import select
from typing import Any

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.raw import JSON, MSGPACK, Raw
from tests.helpers.redis_servers import eventually
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import WINNING, opened, play, seat_of, started
from websockets.exceptions import InvalidHandshake, InvalidStatus
from websockets.frames import Frame, Opcode

from samedeal_server.app import App
from samedeal_server.net import server as net_server
from samedeal_server.store.link import Link


Headers = list[tuple[str, str]]


async def handshake(app: App, url: str = "", **given: Any) -> int | str | None:
    """The status of a refused handshake, else the subprotocol agreed on."""
    try:
        client = await raw.connect(url or app.url, **given)
    except InvalidStatus as refusal:
        return refusal.response.status_code
    agreed = client.socket.subprotocol
    await client.close()
    return agreed


# Subprotocols.


async def test_subprotocols(server: App) -> None:
    known: list[tuple[list[str] | None, int | str | None]] = [
        ([JSON], JSON),
        ([MSGPACK], MSGPACK),
        ([JSON, MSGPACK], JSON),
        ([MSGPACK, JSON], MSGPACK),
        (["chat", MSGPACK], MSGPACK),
        (["samedeal.v2+json", JSON, MSGPACK], JSON),
        (["chat"], 400),
        (["samedeal.v1", "samedeal.v1+JSON"], 400),
        (None, None),
    ]
    for offered, agreed in known:
        assert await handshake(server, subprotocols=offered) == agreed


async def test_none_offered_means_json(server: App) -> None:
    client = await raw.connect(server.url, None)
    await client.hello(name="Ada")
    assert all(isinstance(frame, str) for frame in client.frames)
    await client.close()


# Origins.


async def test_the_server_s_own_pages_may_connect(server: App) -> None:
    host = server.url.removeprefix("http://")
    for origin in (server.url, f"https://{host}", server.url.upper()):
        assert await handshake(server, origin=origin) == JSON
    assert await handshake(server) == JSON


async def test_other_pages_may_not(server: App) -> None:
    for origin in (
        *("null", "", "https://example.com", "http://127.0.0.1", "http://127.0.0.1:1"),
        *("http://localhost", "file://", "127.0.0.1", "http://127.0.0.1.example.com"),
        "http://example.com@127.0.0.1",
    ):
        headers: Headers = [("Origin", origin)]
        assert await handshake(server, additional_headers=headers) == 403


async def test_pages_on_the_list_may(serve: Serve) -> None:
    app = await serve(allow_origins=("https://samedeal.example", "null"))
    assert await handshake(app, origin="https://samedeal.example") == JSON
    assert await handshake(app, origin="null") == JSON
    assert await handshake(app, origin="https://samedeal.example:444") == 403
    assert await handshake(app, origin="http://samedeal.example") == 403


async def test_the_host_that_the_page_came_from_is_what_counts(server: App) -> None:
    """As behind a proxy: the host and port that the browser asked for."""
    port = server.url.rpartition(":")[2]
    asked = f"http://race.example:{port}"
    for origin, agreed in (
        (asked, JSON),
        ("http://race.example", 403),
        (server.url, 403),
    ):
        assert await handshake(server, asked, host="127.0.0.1", origin=origin) == agreed


# Frames of the wrong kind.


async def test_a_frame_of_the_wrong_kind(connect: Connect, server: App) -> None:
    client = await connect(server, name="Ada")
    await client.socket.send("{}" if client.binary else b"\x80")
    assert await client.closed() == 1003


async def test_text_that_is_not_utf_8(server: App) -> None:
    for broken in (b"\xff", b'{"type":"ping","t":"\xc3"}', b"\xed\xa0\x80"):
        client = await raw.connect(server.url)
        await client.hello()
        client.socket.protocol.send_text(broken)
        client.socket.send_data()
        assert await client.closed() == 1007


async def test_a_message_may_have_8192_bytes(connect: Connect, server: App) -> None:
    client = await connect(server, name="Ada")
    # Text of this length has a longer head in MessagePack than an empty one.
    head = len(client.encode({"type": "ping", "id": 1, "x": ""}))
    padding = "x" * (8192 - head - (2 if client.binary else 0))
    largest = {"type": "ping", "id": 1, "x": padding}
    assert len(client.encode(largest)) == 8192
    await client.send_object(largest)
    assert (await client.answer(1))["type"] == "pong"
    await client.send_object({**largest, "x": padding + "x"})
    assert await client.closed() == 1009


async def test_fragments_are_one_message(connect: Connect, server: App) -> None:
    client = await connect(server, name="Ada")
    whole = client.encode({"type": "ping", "id": "fragmented", "t": "é" * 20})
    parts = [whole[at : at + 3] for at in range(0, len(whole), 3)]
    await client.socket.send(fragments(parts, client), text=not client.binary)
    pong = await client.answer("fragmented")
    assert pong["t"] == "é" * 20


async def test_fragments_together_have_the_same_bound(
    connect: Connect, server: App
) -> None:
    client = await connect(server, name="Ada")
    parts = [b"x" * 1000 for _ in range(9)]
    await client.socket.send(fragments(parts, client), text=not client.binary)
    assert await client.closed() == 1009


def fragments(parts: list[bytes], client: Raw) -> Any:
    async def one_by_one() -> Any:
        for part in parts:
            yield part

    return one_by_one()


async def test_a_websocket_ping_is_answered(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    await (await ada.socket.ping())


async def test_broken_frames(server: App) -> None:
    for frame in (
        b"\xf1\x80\0\0\0\0",  # Reserved bits set.
        b"\x83\x80\0\0\0\0",  # An opcode that there is not.
        b"\x81\x02{}",  # Not masked.
        b"\x09\x80\0\0\0\0",  # A ping in fragments.
        b"\x80\x80\0\0\0\0",  # Goes on, though nothing has begun.
        b"\x89\xfe\x00\x7e\0\0\0\0" + b"x" * 126,  # A ping with too much in it.
        b"\x81\xfe\x00\x02\0\0\0\0{}",  # A length in more bytes than it needs,
        b"\x89\xfe\x00\x02\0\0\0\0{}",
        b"\x81\xff\0\0\0\0\0\0\0\x02\0\0\0\0{}",  # in even more,
        b"\x81\xff\x80\0\0\0\0\x01\0\0\0\0\0\0",  # or beyond what there may be.
    ):
        client = await raw.connect(server.url)
        await client.hello()
        client.socket.transport.write(frame)
        assert await client.closed() == 1002, frame


async def test_a_frame_that_says_at_once_that_it_is_too_long(server: App) -> None:
    for length in (8193, 65_535):
        client = await raw.connect(server.url)
        await client.hello()
        client.socket.transport.write(b"\x81\xfe" + length.to_bytes(2, "big"))
        client.socket.transport.write(b"\0\0\0\0")
        assert await client.closed() == 1009, length
    for length in (65_536, 2**63 - 1):
        client = await raw.connect(server.url)
        await client.hello()
        head = b"\x81\xff" + length.to_bytes(8, "big")
        client.socket.transport.write(head[:5])
        client.socket.transport.write(head[5:])
        assert await client.closed() == 1009, length


# Peers that have died.


class Silent:
    """A peer that shakes hands and then does not even answer pings."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.reader = reader
        self.writer = writer

    async def frame(self) -> tuple[int, bytes] | None:
        """The next frame of the server: its opcode and data; None at the end."""
        try:
            first, length = await self.reader.readexactly(2)
            if length == 126:
                length = int.from_bytes(await self.reader.readexactly(2), "big")
            return first & 15, await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    def send(self, opcode: int, data: bytes) -> None:
        """Send a short frame, masked with zeros."""
        self.writer.write(bytes([128 | opcode, 128 | len(data)]) + bytes(4) + data)


async def shake_hands(app: App) -> Silent:
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{app.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        f"Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101")
    return Silent(reader, writer)


async def test_a_dead_peer_is_dropped(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After `dead_peer_s` (20), pinged before; whoever answers stays."""
    monkeypatch.setattr(net_server, "_LOOK_S", 0.05)
    monkeypatch.setattr(net_server, "_AT_ONCE", 1)
    app = await serve(dead_peer_s=0.6)
    watcher = await raw.connect(app.url)
    await watcher.hello(name="Wes")
    race = await opened(watcher)
    loop = asyncio.get_running_loop()
    dead, alive = await shake_hands(app), await shake_hands(app)
    began = loop.time()
    for peer in (dead, alive):
        peer.send(Opcode.TEXT, b'{"type":"hello","name":"Peer"}')
        assert (await peer.frame() or (0, b""))[0] == Opcode.TEXT
        peer.send(Opcode.TEXT, b'{"type":"join","race":"%s"}' % race.encode())

    async def pongs() -> None:
        while (frame := await alive.frame()) is not None:
            if frame[0] == Opcode.PING:
                alive.send(Opcode.PONG, frame[1])

    answering = asyncio.create_task(pongs())
    opcodes: list[int] = []
    async with asyncio.timeout(raw.PATIENCE_S):
        while (frame := await dead.frame()) is not None:
            opcodes.append(frame[0])
        assert loop.time() - began > 0.6
        assert Opcode.PING in opcodes
        info = await watcher.ask("sync", race=race)
        while seat_of(info, 1)["connected"]:
            info = await watcher.until("race")
    # It shows as gone; the other, silent but for its pongs, as there.
    assert seat_of(info, 2)["connected"] is True
    assert not answering.done()
    answering.cancel()
    for peer in (dead, alive):
        peer.writer.close()
    await watcher.close()


# Idle connections.


async def test_an_idle_connection_has_no_task(serve: Serve) -> None:
    app = await serve()
    here = asyncio.all_tasks()
    clients = [await shake_hands(app) for _ in range(20)]
    for client in clients:
        client.send(Opcode.TEXT, b'{"type":"hello","name":"Peer"}')
        assert (await client.frame() or (0, b""))[0] == Opcode.TEXT
    # What it had to do with them has come to its end.
    await eventually(lambda: asyncio.all_tasks() <= here, "no task for them")
    for client in clients:
        client.writer.close()


# Orderly ends.


async def test_an_orderly_close(connect: Connect, server: App) -> None:
    ada, bob = await connect(server, name="Ada"), await connect(server)
    await server.close()
    for client in (ada, bob):
        assert await client.closed() == 1001
        last = client.received[-1]
        assert set(last) == {"type", "reason", "retry_after_ms"}
        assert last["type"] == "closing"
        assert last["reason"] and last["retry_after_ms"] >= 0
    with pytest.raises((InvalidHandshake, OSError)):
        await connect(server)


async def test_who_hangs_up_as_the_log_answers_leaves_the_race_in_order(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The end is read in the same turn of the event loop as the log's answer."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    call = Link.call

    async def call_and_hang_up(link: Link, *arguments: Any) -> list[object]:
        def hang_up() -> None:
            assert link._writer is not None
            select.select([link._writer.get_extra_info("socket")], [], [])
            ada.socket.transport.write_eof()

        monkeypatch.setattr(Link, "call", call)
        asyncio.get_running_loop().call_soon(hang_up)
        return await call(link, *arguments)

    monkeypatch.setattr(Link, "call", call_and_hang_up)
    await ada.send("move", race=race, turn=0, moves=WINNING.moves[:1])
    progress = await bob.until("progress", race=race)
    assert (progress["seat"], progress["turn"]) == (0, 1)
    assert (await play(bob, race, WINNING.moves[:2]))["turn"] == 2
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_what_is_in_flight_is_answered_before_the_close(
    connect: Connect, server: App
) -> None:
    ada = await connect(server, name="Ada")
    race = await opened(ada)
    for number in range(20):
        await ada.send("ready", id=number, race=race, ready=number % 2 == 0)
    await ada.send("ping", id="last")
    await ada.answer("last")
    await server.close()
    assert await ada.closed() == 1001
    answers = [m["type"] for m in ada.received if isinstance(m.get("re"), int)]
    assert answers == ["race"] * 20
    assert ada.received[-1]["type"] == "closing"


async def test_nothing_of_a_server_outlives_it(serve: Serve, connect: Connect) -> None:
    """Closed in the middle of races, with bots that move as fast as they can."""
    for _ in range(5):
        before = asyncio.all_tasks()
        app = await serve()
        clients = [await connect(app, name="Ada") for _ in range(4)]
        for client in clients:
            race = await opened(client, game="private-lane", bots=["random"] * 5)
            await client.ask("start", race=race)
            await client.ask("leave", race=await opened(client))
        await app.close()
        for client in clients:
            assert await client.closed() == 1001
        left = asyncio.all_tasks() - before
        assert {task.get_name() for task in left} == set()


@pytest.mark.parametrize("cut", [0, 1, 3, 5])
async def test_what_comes_with_the_request_waits_for_the_answer(
    server: App, cut: int
) -> None:
    """A ping and hello in one packet with the request, or with its last bytes."""
    hello = b'{"type":"hello","id":"1","name":"Early"}'
    frames = Frame(Opcode.PING, b"z").serialize(mask=True)
    frames += Frame(Opcode.TEXT, hello).serialize(mask=True)
    request = (
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"Sec-WebSocket-Version: 13\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request[: len(request) - cut])
    await writer.drain()
    if cut:
        await asyncio.sleep(0)
    writer.write(request[len(request) - cut :] + frames)
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101")
    assert await reader.readexactly(3) == b"\x8a\x01z"
    opening = await reader.readexactly(2)
    assert opening[0] == 0x81
    writer.write(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
    rest = await reader.read()
    assert b'"type":"welcome"' in rest
    assert rest.endswith(b"\x88\x02\x03\xe8")
    writer.close()
    await writer.wait_closed()

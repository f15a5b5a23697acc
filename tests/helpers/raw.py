"""A client written from the protocol page alone: WebSocket, JSON and MessagePack.

It knows no type, no rule and no default of the server's. Every frame that
comes is kept; tests wait for messages, never for time to pass.
"""

import asyncio
import itertools
import json
from typing import Any

import msgspec.msgpack
from websockets.asyncio.client import ClientConnection, connect as open_socket
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol


Message = dict[str, Any]

JSON = "samedeal.v1+json"
MSGPACK = "samedeal.v1+msgpack"

PATIENCE_S = 10.0


class Raw:
    """One connection.

    What has come waits in the inbox until a test takes it. A message is taken
    by `answer`, `until` or `rest`; `received` keeps all of them for ever.

    Attributes:
        frames: every frame received, as it came.
        received: every message received, in order.
        player, token: as the last `welcome` said.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.binary = socket.subprotocol == MSGPACK
        self.frames: list[str | bytes] = []
        self.received: list[Message] = []
        self.player = ""
        self.token = ""
        self._inbox: list[Message] = []
        self._came = asyncio.Condition()
        self._ids = itertools.count(1)
        self._reader = asyncio.create_task(self._read())

    # Sending.

    async def send(self, type: str, **fields: Any) -> None:
        """Send a command with exactly these fields."""
        await self.send_object({"type": type, **fields})

    async def send_object(self, message: Any) -> None:
        """Send anything as a message, in the connection's own encoding."""
        frame = self.encode(message)
        await self.socket.send(frame if self.binary else frame.decode())

    def encode(self, message: Any) -> bytes:
        """The bytes of a message, in the connection's own encoding."""
        if self.binary:
            return msgspec.msgpack.encode(message)
        return json.dumps(message, ensure_ascii=False).encode()

    async def ask(self, type: str, **fields: Any) -> Message:
        """Send a command under a fresh id; returns the first message that answers."""
        command_id = fields.pop("id", f"{type}-{next(self._ids)}")
        await self.send(type, id=command_id, **fields)
        return await self.answer(command_id)

    async def refused(self, type: str, **fields: Any) -> str:
        """Send a command that must be refused; returns the error's code."""
        message = await self.ask(type, **fields)
        assert message["type"] == "error", message
        assert 0 < len(message["message"]) <= 400
        if "race" in fields and message["code"] not in ("bad_message", "hello_first"):
            assert message.get("race", fields["race"]) == fields["race"]
        return str(message["code"])

    async def hello(self, **fields: Any) -> Message:
        """Say hello; returns the welcome."""
        welcome = await self.ask("hello", **fields)
        assert welcome["type"] == "welcome", welcome
        self.player, self.token = welcome["player"], welcome["token"]
        return welcome

    # Receiving.

    async def answer(self, command_id: str | int) -> Message:
        """The first message that answers the command of this id."""
        return await self._take({"re": command_id})

    async def until(self, type: str, **match: Any) -> Message:
        """The first message of a type whose fields have these values."""
        return await self._take({"type": type, **match})

    async def next(self) -> Message:
        """The next message, whatever it is."""
        return await self._take({})

    async def rest(self) -> list[Message]:
        """All that came before the answer to a `ping` sent now, and is not taken."""
        pong = await self.ask("ping")
        assert pong["type"] == "pong"
        rest, self._inbox = self._inbox, []
        return rest

    async def types(self) -> list[str]:
        """The types of the rest."""
        return [message["type"] for message in await self.rest()]

    async def closed(self) -> int:
        """Wait until the server has closed the connection; returns the close code."""
        async with asyncio.timeout(PATIENCE_S):
            await self.socket.wait_closed()
            await self._reader
        assert self.socket.close_code is not None
        return self.socket.close_code

    async def close(self) -> None:
        """Say goodbye properly."""
        await self.socket.close()
        await self._reader

    async def vanish(self) -> None:
        """Be gone without a word, as a client whose network fails."""
        self.socket.transport.abort()
        await self._reader

    # Private methods.

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                self.frames.append(frame)
                message = _decode(frame)
                self.received.append(message)
                self._inbox.append(message)
                await self._wake()
        except ConnectionClosed:
            pass
        await self._wake()

    async def _wake(self) -> None:
        async with self._came:
            self._came.notify_all()

    async def _take(self, wanted: Message) -> Message:
        try:
            async with asyncio.timeout(PATIENCE_S), self._came:
                while True:
                    for index, message in enumerate(self._inbox):
                        if wanted.items() <= message.items():
                            return self._inbox.pop(index)
                    if self._reader.done():
                        raise AssertionError(
                            f"Closed while waiting for {wanted!s:.500}."
                        )
                    await self._came.wait()
        except TimeoutError:
            raise AssertionError(
                f"Nothing like {wanted!s:.500} came; there is {self._inbox!s:.2000}."
            ) from None


async def connect(url: str, subprotocol: str | None = JSON, **handshake: Any) -> Raw:
    """Connect to the server at this http:// address; None offers no subprotocol.

    Args:
        handshake: further arguments of the library's `connect`.

    Raises:
        InvalidStatus: the server refuses; `response.status_code` says why.
    """
    offered = [] if subprotocol is None else [Subprotocol(subprotocol)]
    options: dict[str, Any] = {
        "subprotocols": offered or None,
        "compression": None,
        "proxy": None,
        **handshake,
    }
    address = f"ws{url.removeprefix('http')}/ws"
    socket = await open_socket(address, **options)
    return Raw(socket)


def _decode(frame: str | bytes) -> Message:
    message: Message
    if isinstance(frame, bytes):
        message = msgspec.msgpack.decode(frame)
    else:
        message = json.loads(frame)
    assert isinstance(message, dict) and isinstance(message["type"], str)
    return message

"""A WebSocket client that costs next to nothing, so that the load is not the limit.

It does what the bench needs and no more: whole frames, no fragments, and a mask
of zeros, which a server has to accept and which leaves the payload as it is.
"""

import asyncio
import base64
import os
from collections import deque
from collections.abc import Callable
from typing import cast


_TEXT, _BINARY, _CLOSE, _PING, _PONG = 0x1, 0x2, 0x8, 0x9, 0xA


class WireError(Exception):
    """The server said something that the bench did not expect."""


class Wire(asyncio.Protocol):
    """One connection; `on_message` is called with each message's payload."""

    def __init__(self, path: str, host: str, subprotocol: str) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.on_message: Callable[[bytes], None] = self._keep
        self._opcode = _TEXT if subprotocol.endswith("json") else _BINARY
        self._kept: deque[bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._loop = loop
        self._buffer = bytearray()
        self._is_open = False
        key = base64.b64encode(os.urandom(16)).decode()
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {subprotocol}\r\n\r\n"
        ).encode()
        self.transport: asyncio.Transport

    @classmethod
    async def connect(
        cls, port: int, subprotocol: str, source: str | None = None
    ) -> "Wire":
        """Open a connection to a server on this machine, from `source` if given."""
        loop = asyncio.get_running_loop()
        _, wire = await loop.create_connection(
            lambda: cls("/ws", f"127.0.0.1:{port}", subprotocol),
            "127.0.0.1",
            port,
            local_addr=None if source is None else (source, 0),
        )
        await wire.opened
        return wire

    def send(self, payload: bytes) -> None:
        """Send one message of at most 64 KiB."""
        size = len(payload)
        if size < 126:
            head = bytes((0x80 | self._opcode, 0x80 | size))
        else:
            head = bytes((0x80 | self._opcode, 0x80 | 126)) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + payload)

    async def receive(self) -> bytes:
        """The next message, while `on_message` has not been set."""
        while not self._kept:
            self._waiter = self._loop.create_future()
            await self._waiter
        return self._kept.popleft()

    def close(self) -> None:
        self.transport.close()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self._is_open and not self._open():
            return
        start, size = 0, len(buffer)
        while size - start >= 2:
            opcode, length = buffer[start] & 0x0F, buffer[start + 1]
            head = 2
            if length == 126:
                head, length = 4, int.from_bytes(buffer[start + 2 : start + 4], "big")
            elif length == 127:
                head, length = 10, int.from_bytes(buffer[start + 2 : start + 10], "big")
            end = start + head + length
            if size < start + head or size < end:
                break
            self._frame(opcode, bytes(buffer[start + head : end]))
            start = end
        del buffer[:start]

    def connection_lost(self, exc: Exception | None) -> None:
        error = WireError("The server has closed the connection.")
        for future in (self.opened, self._waiter):
            if future is not None and not future.done():
                future.set_exception(error)

    # Private methods.

    def _open(self) -> bool:
        head, found, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        if not found:
            return False
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise WireError(head.decode(errors="replace"))
        self._buffer[:] = rest
        self._is_open = True
        self.opened.set_result(None)
        return True

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode in (_TEXT, _BINARY):
            self.on_message(payload)
        elif opcode == _PING:
            size = len(payload)
            head = bytes((0x80 | _PONG, 0x80 | size))
            self.transport.write(head + b"\0\0\0\0" + payload)
        elif opcode == _CLOSE:
            self.transport.close()

    def _keep(self, payload: bytes) -> None:
        self._kept.append(payload)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

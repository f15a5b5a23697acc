"""One connection to a server: open, send, receive, notice that it is dead."""

import asyncio
import logging
import socket
import ssl
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidMessage,
    InvalidStatus,
    WebSocketException,
)
from websockets.typing import Subprotocol

from samedeal_protocol.codec import BadMessage, Codec
from samedeal_protocol.commands import Command, Ping
from samedeal_protocol.names import CloseCode
from samedeal_protocol.updates import Update


logger = logging.getLogger(__name__)

MAX_UPDATE_BYTES = 4 * 1024 * 1024
_CLOSE_TIMEOUT = 2.0


class Cut(Exception):
    """A connection ended, or did not come about; `str()` says why.

    Attributes:
        code: how it was closed, None where it never was open.
        hopeless: trying again at once would come to the same.
    """

    def __init__(self, reason: str, code: int | None = None, hopeless: bool = False):
        super().__init__(reason)
        self.code = code
        self.hopeless = hopeless


class Wire:
    """An open connection. Every method raises `Cut` once it is closed."""

    def __init__(self, socket_: ClientConnection, codec: Codec, timeout: float):
        self._socket = socket_
        self._codec = codec
        self._timeout = timeout

    @classmethod
    async def open(cls, url: str, codec: Codec, *, timeout: float) -> Self:
        """Connect to the WebSocket at `url`.

        Args:
            timeout: seconds for the connection to open, and later for the
                server to give a sign of life when asked for one.

        Raises:
            Cut: that did not work.
        """
        try:
            socket_ = await connect(
                url,
                subprotocols=[Subprotocol(codec.subprotocol)],
                compression=None,
                open_timeout=timeout,
                close_timeout=_CLOSE_TIMEOUT,
                ping_interval=None,
                max_size=MAX_UPDATE_BYTES,
            )
        except InvalidStatus as error:
            raise Cut(_refusal(error), hopeless=True) from None
        except (InvalidMessage, EOFError):
            raise Cut("the connection was cut before it was open") from None
        except (ConnectionRefusedError, socket.gaierror) as error:
            reason = error.strerror or str(error)
            raise Cut(f"no server is there ({reason})", hopeless=True) from None
        except (WebSocketException, ssl.SSLError) as error:
            raise Cut(str(error), hopeless=True) from None
        except OSError as error:
            raise Cut(str(error) or type(error).__name__) from None
        if socket_.subprotocol != codec.subprotocol:
            await socket_.close(CloseCode.PROTOCOL_ERROR)
            raise Cut("what answers there is not a samedeal server", hopeless=True)
        return cls(socket_, codec, timeout)

    async def send(self, frame: bytes) -> None:
        """Send an encoded command."""
        try:
            await self._socket.send(frame, text=self._codec.text)
        except ConnectionClosed:
            raise self._cut() from None

    async def receive(self, heartbeat: float) -> Update:
        """The next update; types that this version does not know are passed over.

        After `heartbeat` seconds of silence the server is asked for a sign of
        life; if none comes within the timeout, it is taken for dead.
        """
        while True:
            frame = await self._frame(heartbeat)
            try:
                update = self._codec.decode_update(frame)
            except BadMessage as error:
                logger.warning("The server sent what cannot be read: %s", error)
                await self._socket.close(CloseCode.PROTOCOL_ERROR)
                raise Cut(str(error), CloseCode.PROTOCOL_ERROR) from None
            if update is not None:
                return update

    async def close(self) -> None:
        """Close in good order, or within two seconds in any."""
        await self._socket.close()

    def abort(self) -> None:
        """Be gone at once, without a word."""
        self._socket.transport.abort()

    def encode(self, command: Command) -> bytes:
        """The frame of a command."""
        return self._codec.encode_command(command)

    async def _frame(self, heartbeat: float) -> bytes:
        try:
            try:
                async with asyncio.timeout(heartbeat):
                    return await self._socket.recv(decode=False)
            except TimeoutError:
                async with asyncio.timeout(self._timeout):
                    await self.send(self.encode(Ping()))
                    return await self._socket.recv(decode=False)
        except ConnectionClosed:
            raise self._cut() from None
        except TimeoutError:
            self.abort()
            raise Cut("the server gave no sign of life") from None

    def _cut(self) -> Cut:
        code, reason = self._socket.close_code, self._socket.close_reason
        said = f"code {code}{f', {reason}' if reason else ''}"
        return Cut(f"the connection was closed ({said})", code)


def _refusal(error: InvalidStatus) -> str:
    status = error.response.status_code
    meaning = {
        400: "it does not speak this version of the protocol",
        403: "it does not let this program in",
        404: "there is no samedeal server at this address",
        429: "too many connections come from here",
    }.get(status, "it cannot serve now")
    return f"the server answered HTTP {status}: {meaning}"

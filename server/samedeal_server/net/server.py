"""The WebSocket server: connections in, sessions on top of them."""

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable, Sequence

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from samedeal_protocol.codec import CODECS, JSON, Codec
from samedeal_protocol.names import CloseCode
from samedeal_protocol.updates import Closing
from samedeal_server.net.connection import Connection
from samedeal_server.net.http import Pages
from samedeal_server.net.inbox import Inbox
from samedeal_server.net.outbox import Outbox
from samedeal_server.net.services import Services
from samedeal_server.net.session import Session
from samedeal_server.spread import spread


logger = logging.getLogger(__name__)

# Every connection is looked at so often, so many of them in one step.
_LOOK_S = 1.0
_AT_ONCE = 50
_CLOSE_S = 2.0
_COUNTED = 32 * 1024


class WebServer:
    """Listens, and looks after what is connected."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._settings = services.settings
        self._server: Server | None = None
        self._sessions: dict[Connection, Session] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._keeper: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()

    async def start(self) -> int:
        """Listen; returns the port.

        Raises:
            OSError: the address cannot be had.
        """
        server = await serve(
            self._handle,
            self._settings.host,
            self._settings.port,
            create_connection=Connection,
            process_request=self._process_request(Pages(self._services)),
            select_subprotocol=_select_subprotocol,
            compression=None,
            ping_interval=None,
            max_size=self._settings.message_bytes,
            max_queue=16,
            # Above it a connection's writes are counted; see `Wire.write`.
            write_limit=min(_COUNTED, self._settings.send_queue_bytes),
            close_timeout=_CLOSE_S,
            open_timeout=10,
            server_header=None,
            reuse_port=self._settings.workers > 1,
        )
        self._server = server
        self._keeper = asyncio.create_task(self._keep(), name="connections")
        return int(next(iter(server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """Say that the server goes away, and close every connection."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        farewell = Closing(reason="The server is going away.", retry_after_ms=0)
        for connection, session in list(self._sessions.items()):
            session.outbox.send(farewell)
            self._close_soon(connection, CloseCode.GOING_AWAY, "going away")
        if self._closing:
            await asyncio.wait(self._closing)
        if self._server is not None:
            await self._server.wait_closed()

    def stop_accepting(self) -> None:
        """Take no new connections; those there are stay."""
        if self._server is not None:
            self._server.close(close_connections=False)

    # Private methods.

    def _process_request(
        self, pages: Pages
    ) -> Callable[[ServerConnection, Request], Awaitable[Response | None]]:
        async def process(
            connection: ServerConnection, request: Request
        ) -> Response | None:
            assert isinstance(connection, Connection)
            response = await pages.answer(request, _address(connection))
            if response is None and not self._count(connection):
                return pages.too_many()
            return response

        return process

    def _count(self, connection: Connection) -> bool:
        """Whether the connection's address may have one more."""
        address = _address(connection)
        if not self._services.addresses.enter(address):
            return False
        connection.on_lost = functools.partial(self._services.addresses.exit, address)
        return True

    async def _handle(self, connection: ServerConnection) -> None:
        """Put a session on top of a connection that has just opened."""
        assert isinstance(connection, Connection)
        codec = CODECS[connection.subprotocol] if connection.subprotocol else JSON
        wire = connection.wire(text=codec.text)
        outbox = Outbox(
            codec,
            wire.write,
            wire.waiting,
            most_bytes=self._settings.send_queue_bytes,
            most_s=self._settings.send_queue_s,
        )
        session = Session(
            self._services,
            outbox,
            _address(connection),
            functools.partial(self._close_soon, connection),
        )
        inbox = Inbox(
            session.receive,
            functools.partial(self._failed, connection),
            connection.pause_reading,
            connection.resume_reading,
        )
        self._sessions[connection] = session
        connection.on_lost = functools.partial(self._lost, connection, inbox)
        logger.info("%s connected.", session.address)
        wrong = functools.partial(self._wrong_kind, connection, codec)
        connection.hand_on(inbox, wrong=wrong, other=session.count_frame)

    def _lost(self, connection: Connection, inbox: Inbox) -> None:
        session = self._sessions.pop(connection)
        self._services.addresses.exit(session.address)
        inbox.close()
        session.end()
        logger.info("%s is gone.", session.address)

    def _wrong_kind(self, connection: Connection, codec: Codec) -> None:
        kind = "text" if codec.text else "binary"
        reason = f"this subprotocol uses {kind} frames"
        self._close_soon(connection, CloseCode.WRONG_FRAME, reason)

    def _failed(self, connection: Connection, error: BaseException) -> None:
        logger.error("A session failed.", exc_info=error)
        reason = "our fault; it has been logged"
        self._close_soon(connection, CloseCode.INTERNAL, reason)

    def _close_soon(self, connection: Connection, code: int, reason: str) -> None:
        session = self._sessions.get(connection)
        if session is None or session.outbox.closed:
            return
        session.outbox.close()
        connection.stop_hearing()
        task = self._loop.create_task(self._close(connection, code, reason))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _close(self, connection: Connection, code: int, reason: str) -> None:
        try:
            # The handshake has a timeout of its own, but first it waits for room
            # to write, which a peer that does not read never makes.
            async with asyncio.timeout(_CLOSE_S):
                await connection.close(code, reason)
        except TimeoutError:
            connection.transport.abort()
            await connection.wait_closed()

    async def _keep(self) -> None:
        """Find peers that are dead or too slow: one task for all of them, which looks
        at a few at a time, or thousands would keep everybody waiting."""
        while True:
            async for connections in spread(self._sessions, _AT_ONCE, _LOOK_S):
                self._look_at(connections)

    def _look_at(self, connections: Sequence[Connection]) -> None:
        now, dead_s = self._loop.time(), self._settings.dead_peer_s
        for connection in connections:
            session = self._sessions.get(connection)
            if session is None:
                continue  # It has ended since.
            quiet_s = now - connection.heard_s
            if quiet_s > dead_s:
                logger.info("%s is not heard of any more.", session.address)
                connection.transport.abort()
            elif quiet_s > dead_s / 3:
                connection.ping_now()
            if session.outbox.is_too_slow(now):
                reason = "too slow to take its own patches"
                self._close_soon(connection, CloseCode.TOO_SLOW, reason)


def _address(connection: ServerConnection) -> str:
    remote = connection.remote_address
    return str(remote[0]) if isinstance(remote, tuple) and remote else "unknown"


def _select_subprotocol(
    connection: ServerConnection, offered: Sequence[Subprotocol]
) -> Subprotocol | None:
    """The first one known, in the client's order; JSON where none was offered."""
    for subprotocol in offered:
        if subprotocol in CODECS:
            return subprotocol
    if offered:
        raise NegotiationError(f"offer one of {', '.join(CODECS)}, or none")
    return None

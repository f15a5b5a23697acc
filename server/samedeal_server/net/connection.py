"""A WebSocket connection that hands messages on as they come in.

What `websockets` knows of it: the handshake, and whatever is not the frame that
nearly all are. That one never comes here; see `Wire`.
"""

import math
from collections.abc import Callable
from types import TracebackType
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from samedeal_server.net.inbox import Inbox
from samedeal_server.net.wire import Wire


_FIN = 0x80
_END = b"\r\n\r\n"
"""How a request ends: it has no body."""


class Connection(ServerConnection):
    """One client.

    It costs little while it is idle: once `hand_on` was called it has no task, no
    timer, and nothing left of the handshake.

    Attributes:
        on_lost: called once when the connection is gone.
    """

    # The library's own attributes are just few enough for Python to keep them in
    # the object itself; with these in there, too, each would have a large dict.
    __slots__ = (
        "_early",
        "_head",
        "_on_other",
        "_on_wrong_kind",
        "_opcode",
        "_parts",
        "_text",
        "_wire",
        "on_lost",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.on_lost: Callable[[], None] | None = None
        self._wire: Wire | None = None
        self._on_wrong_kind: Callable[[], None] = _nothing
        self._on_other: Callable[[], None] = _nothing
        self._head: bytes | None = b""
        """The end of what came of the request; None once all of it is there."""
        self._early = b""
        """What followed the request before the session was there to take it."""
        self._opcode = Opcode.TEXT
        self._parts = bytearray()
        self._text = True

    # What the session uses.

    @property
    def heard_s(self) -> float:
        """When anything was last heard, pongs included, by the loop's clock; never
        long ago once the connection is lost."""
        return math.inf if self._wire is None else self._wire.heard_s

    def wire(self, *, text: bool) -> Wire:
        """What messages of the agreed kind are written to; then call `hand_on`."""
        self._text = text
        self._wire = Wire(
            self,
            self.transport,
            _FIN | (Opcode.TEXT if text else Opcode.BINARY),
            self.protocol.max_message_size or 65_535,
            self.loop.time,
        )
        return self._wire

    def hand_on(
        self, inbox: Inbox, *, wrong: Callable[[], None], other: Callable[[], None]
    ) -> None:
        """From now on, give every message to `inbox`, those that came early first.

        Args:
            wrong: called instead for one that is not of the kind agreed on.
            other: called for each frame that does not end a message: pings and
                fragments take the server's time, too.
        """
        assert self._wire is not None
        self._on_wrong_kind, self._on_other = wrong, other
        # Two sets of headers: several KiB. The library's parser holds the one, too.
        if self.request is not None:
            self.request.headers.clear()
        self.request = self.response = None
        early, self._early = self._early, b""
        if early:
            self.resume_reading()
        self._wire.begin(inbox, early)

    def stop_hearing(self) -> None:
        """What the peer still says does not count, as the connection is being closed."""
        if self._wire is not None:
            self._wire.close()

    def ping_now(self) -> None:
        """Ask for a sign of life without waiting for it."""
        if self.protocol.state is State.OPEN:
            self.protocol.send_ping(b"")
            self.send_data()

    def pause_reading(self) -> None:
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    # What `websockets` and the event loop call.

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the connection open when the library's handler of it has returned.

        That one has a task, which would do nothing but wait for the end.
        """
        if kind is not None:
            await super().__aexit__(kind, error, trace)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        # A queue that nothing is put into and nobody reads from.
        self.recv_messages = _NO_MESSAGES

    def data_received(self, data: bytes) -> None:
        """Called until the session is there; then all comes by `Wire`. The library is
        shown the request alone: it would answer frames before it answers that."""
        if self._head is None:
            self._keep(data)
            return
        seen = self._head + data
        end = seen.find(_END)
        if end < 0:
            self._head = seen[-len(_END) + 1 :]
            super().data_received(data)
            return
        rest = end + len(_END) - len(self._head)
        self._head = None
        super().data_received(data[:rest])
        if rest < len(data):
            self._keep(data[rest:])

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # What it knows knows it; see `Wire.connection_lost`.
        self._wire = None
        self._on_wrong_kind = self._on_other = _nothing
        self.protocol.parser.close()
        if self.protocol.parser_exc is not None:
            # It was raised inside the protocol, which keeps it.
            self.protocol.parser_exc.__traceback__ = None
        vars(self.protocol).pop("select_subprotocol", None)
        on_lost, self.on_lost = self.on_lost, None
        if on_lost is not None:
            on_lost()

    def send_data(self) -> None:
        """Called whenever the library has something to say, which may be the last."""
        if self._wire is not None:
            self._wire.look()
        super().send_data()

    def process_event(self, event: Any) -> None:
        if not isinstance(event, Frame):
            super().process_event(event)
            return
        if event.opcode in _DATA:
            self._take(event)
        if event.opcode not in _DATA or not event.fin:
            self._on_other()

    # What the wire leaves to the library.

    @property
    def is_plain(self) -> bool:
        """Whether it is open, and in the middle of no message."""
        return self.protocol.state is State.OPEN and self.protocol.current_size is None

    def read(self, data: bytes) -> None:
        """Take bytes from the network."""
        super().data_received(data)

    def send_message(self, data: bytes) -> None:
        """Send a message of any length; nothing where the connection closes."""
        if self.protocol.state is not State.OPEN:
            return
        if self._text:
            self.protocol.send_text(data)
        else:
            self.protocol.send_binary(data)
        self.send_data()

    def fail(self, code: int, reason: str) -> None:
        """End a connection that does not follow the standard."""
        self.protocol.fail(code, reason)
        self.send_data()

    # Private methods.

    def _keep(self, data: bytes) -> None:
        """Nobody sends so much before an answer that it would have to be taken whole."""
        self._early += data
        self.pause_reading()

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.CONT:
            self._parts += frame.data
            if frame.fin:
                data, self._parts = bytes(self._parts), bytearray()
                self._whole(self._opcode, data)
        elif frame.fin:
            self._whole(frame.opcode, frame.data)
        else:
            self._opcode = frame.opcode
            self._parts += frame.data

    def _whole(self, opcode: Opcode, data: Any) -> None:
        if (opcode is Opcode.TEXT) is not self._text:
            self._on_wrong_kind()
        elif self._wire is not None:
            self._wire.message(bytes(data))


def _nothing() -> None:
    """Stands in for whom there is nobody to tell."""


class _NoMessages:
    """Stands in for the library's queue of messages, which goes unused here."""

    def close(self) -> None:
        pass


_NO_MESSAGES: Any = _NoMessages()
_DATA = frozenset((Opcode.TEXT, Opcode.BINARY, Opcode.CONT))

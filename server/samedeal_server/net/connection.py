"""A WebSocket connection that hands messages on as they come in.

`websockets` keeps the protocol: handshake, fragments, control frames, whatever
breaks the rules. Only the frame that nearly all are is taken and made here, with
the checks it needs and no more: one whole message, short, of the agreed kind
(RFC 6455, section 5.2). The library would spend more on it than all the rest of
the server does on a move; so would its queue with a task at the other end.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame as WireFrame, Opcode
from websockets.protocol import State
from websockets.speedups import apply_mask

from samedeal_protocol.codec import Frame
from samedeal_protocol.names import CloseCode
from samedeal_server.net.frames import INCOMPLETE, OTHER, WRONG, framed, span


_FIN = 0x80


class Connection(ServerConnection):
    """One client.

    It costs little while it is idle: once `hand_on` was called it has no task, no
    timer, and nothing left of the handshake.

    Attributes:
        heard_s: when anything was last heard, pongs included, by the loop's clock.
        on_lost: called once when the connection is gone.
    """

    # The library's own attributes are just few enough for Python to keep them in
    # the object itself; with these in there, too, each would have a large dict.
    __slots__ = (
        "_early",
        "_hasty",
        "_held",
        "_longest",
        "_now_s",
        "_on_other",
        "_on_wrong_kind",
        "_opcode",
        "_parts",
        "_put",
        "_text",
        "_usual",
        "heard_s",
        "on_lost",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.heard_s = 0.0
        self.on_lost: Callable[[], None] | None = None
        self._put: Callable[[Frame], None] | None = None
        self._on_wrong_kind: Callable[[], None] = _nothing
        self._on_other: Callable[[], None] = _nothing
        self._early: list[WireFrame] = []
        self._opcode = Opcode.TEXT
        self._parts = bytearray()
        self._text = True
        self._usual = 0
        """First byte of the frames taken here; 0 while the library takes all."""
        self._held = b""
        """The beginning of a frame whose rest is still to come."""
        self._hasty = False
        """Bytes followed the request before it was answered; the library has them."""
        self._longest = self.protocol.max_message_size or 65_535
        self._now_s = self.loop.time

    # What the session uses.

    def hand_on(
        self,
        put: Callable[[Frame], None],
        *,
        text: bool,
        wrong: Callable[[], None],
        other: Callable[[], None],
    ) -> None:
        """From now on, give every message to `put`, those waiting first.

        Args:
            text: the kind of message agreed on.
            wrong: called instead for one of the other kind.
            other: called for each frame that does not end a message: pings and
                fragments take the server's time, too.
        """
        self._put, self._text = put, text
        self._on_wrong_kind, self._on_other = wrong, other
        # Two sets of headers: several KiB. The library's parser holds the one, too.
        if self.request is not None:
            self.request.headers.clear()
        self.request = self.response = None
        early, self._early = self._early, []
        for frame in early:
            self._take(frame)
        if not self._hasty:
            self._usual = _FIN | (Opcode.TEXT if text else Opcode.BINARY)

    def write(self, data: bytes) -> int:
        """Send one message of the agreed kind without waiting; nothing where the
        connection closes. Returns how many bytes the transport holds by then, or 0
        where that is less than the limit above which it has writing paused."""
        protocol = self.protocol
        if protocol.state is not State.OPEN:
            return 0
        first = self._usual
        whole = framed(first, data) if first else None
        if whole is not None:
            self.transport.write(whole)
        elif self._text:
            protocol.send_text(data)
            self.send_data()
        else:
            protocol.send_binary(data)
            self.send_data()
        return self.transport.get_write_buffer_size() if self.paused else 0

    def waiting(self) -> int:
        """Bytes that the transport still holds."""
        return self.transport.get_write_buffer_size()

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
        self.heard_s = self._now_s()
        if not self._usual:
            self._leave_to_library(data)
            return
        if self._held:
            data, self._held = self._held + data, b""
        while data:
            start, end = span(data, self._longest)
            if end == INCOMPLETE:
                self._held = data
                return
            if end == WRONG:
                self._break("a length in more bytes than it needs, or none at all")
                return
            if end == OTHER:
                # Not masked, or too long: the library says so, and closes.
                self._usual = 0
                self._leave_to_library(data)
                return
            protocol = self.protocol
            if (
                data[0] == self._usual
                and protocol.current_size is None  # No fragments are open.
                and protocol.state is State.OPEN
            ):
                self._message(apply_mask(data[start:end], data[start - 4 : start]))
            else:
                super().data_received(data[:end])
            data = data[end:]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # What it knows knows it: let go of here, all of it is freed at once, and not
        # when a search for garbage comes to it.
        self._put = None
        self._on_wrong_kind = self._on_other = _nothing
        self.protocol.parser.close()
        vars(self.protocol).pop("select_subprotocol", None)
        on_lost, self.on_lost = self.on_lost, None
        if on_lost is not None:
            on_lost()

    def process_event(self, event: Any) -> None:
        if not isinstance(event, WireFrame):
            super().process_event(event)
            return
        if event.opcode in _DATA:
            self._take(event)
        if event.opcode not in _DATA or not event.fin:
            self._on_other()

    # Private methods.

    def _break(self, reason: str) -> None:
        """End a connection whose frames do not follow the standard."""
        self._usual = 0
        self.protocol.fail(CloseCode.PROTOCOL_ERROR, reason)
        self.send_data()

    def _leave_to_library(self, data: bytes) -> None:
        asked = self.request is not None
        super().data_received(data)
        if self.protocol.state is State.CONNECTING and self.request is not None:
            self._hasty = self._hasty or asked or not data.endswith(b"\r\n\r\n")

    def _take(self, frame: WireFrame) -> None:
        if self._put is None:
            # The handshake is over, but the session is not there yet.
            self._early.append(frame)
        elif frame.opcode is Opcode.CONT:
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
        if (opcode is Opcode.TEXT) is self._text:
            self._message(bytes(data))
        else:
            self._on_wrong_kind()

    def _message(self, data: bytes) -> None:
        assert self._put is not None
        if not self._text:
            self._put(data)
            return
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            self.protocol.fail(CloseCode.NOT_UTF8, "text is not UTF-8")
            self.send_data()
            return
        self._put(text)


def _nothing() -> None:
    """Stands in for whom there is nobody to tell."""


class _NoMessages:
    """Stands in for the library's queue of messages, which goes unused here."""

    def close(self) -> None:
        pass


_NO_MESSAGES: Any = _NoMessages()
_DATA = frozenset((Opcode.TEXT, Opcode.BINARY, Opcode.CONT))

"""A WebSocket connection that hands frames on as they come in.

`websockets` keeps the protocol; its queue of messages with a task waiting at
the other end is left out, as that would cost more than most commands do.
"""

from collections.abc import Callable
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame as WireFrame, Opcode
from websockets.protocol import State

from samedeal_protocol.codec import Frame
from samedeal_protocol.names import CloseCode


class Connection(ServerConnection):
    """One client.

    Attributes:
        heard_s: when anything was last heard, pongs included, by the loop's clock.
        on_lost: called once when the connection is gone.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.heard_s = 0.0
        self.on_lost: Callable[[], None] | None = None
        self._put: Callable[[Frame], None] | None = None
        self._early: list[WireFrame] = []
        self._opcode = Opcode.TEXT
        self._parts = bytearray()

    # What the session uses.

    def hand_on(self, put: Callable[[Frame], None]) -> None:
        """From now on, give every message to `put`, those waiting first."""
        self._put = put
        early, self._early = self._early, []
        for frame in early:
            self._take(frame)

    def write(self, data: bytes, *, text: bool) -> None:
        """Send one message without waiting; nothing where the connection closes."""
        if self.protocol.state is not State.OPEN:
            return
        if text:
            self.protocol.send_text(data)
        else:
            self.protocol.send_binary(data)
        self.send_data()

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

    # What `websockets` calls.

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()

    def process_event(self, event: Any) -> None:
        self.heard_s = self.loop.time()
        if not isinstance(event, WireFrame):
            super().process_event(event)
        elif event.opcode in _DATA:
            self._take(event)

    # Private methods.

    def _take(self, frame: WireFrame) -> None:
        if self._put is None:
            # The handshake is over, but the session is not there yet.
            self._early.append(frame)
        elif frame.fin and frame.opcode is not Opcode.CONT:
            self._message(frame.opcode, frame.data)
        else:
            self._assemble(frame)

    def _assemble(self, frame: WireFrame) -> None:
        if frame.opcode is not Opcode.CONT:
            self._opcode = frame.opcode
        self._parts += frame.data
        if frame.fin:
            data, self._parts = self._parts, bytearray()
            self._message(self._opcode, data)

    def _message(self, opcode: Opcode, data: Any) -> None:
        assert self._put is not None
        if opcode is Opcode.BINARY:
            self._put(bytes(data))
            return
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            self.protocol.fail(CloseCode.NOT_UTF8, "text is not UTF-8")
            self.send_data()
            return
        self._put(text)


_DATA = frozenset((Opcode.TEXT, Opcode.BINARY, Opcode.CONT))

"""What the event loop talks to once a session is there: frames in, frames out.

`websockets` keeps the protocol: handshake, fragments, control frames, whatever
breaks the rules. Only the frame that nearly all are is taken and made here, with
the checks it needs and no more: one whole message, short, of the agreed kind
(RFC 6455, section 5.2). The library would spend more on it than all the rest of
the server does on a move; so would its queue with a task at the other end.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

from websockets.speedups import apply_mask

from samedeal_protocol.names import CloseCode
from samedeal_server.net.frames import INCOMPLETE, OTHER, WRONG, framed, span
from samedeal_server.net.inbox import Inbox


_unmasked: Final = apply_mask
_CLOSE: Final = 0x88
"""The first byte of a Close frame."""


class Library(Protocol):
    """The connection as `websockets` knows it."""

    @property
    def is_plain(self) -> bool:
        """Whether it is open, and in the middle of no message."""

    def read(self, data: bytes) -> None:
        """Take bytes from the network: whole frames, as long as it is plain."""

    def send_message(self, data: bytes) -> None:
        """Send a message of any length; nothing where the connection closes."""

    def fail(self, code: int, reason: str) -> None:
        """End a connection that does not follow the standard."""

    def connection_lost(self, exc: Exception | None) -> None: ...

    def eof_received(self) -> None: ...

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...


class Wire:
    """An `asyncio.Protocol` in all but name: compiled, it can have no such base.

    Args:
        first: the first byte of the frames that are made and taken here.
        longest: bytes of payload in one that is taken.
        clock: the time (s).

    Attributes:
        heard_s: when anything was last heard, pongs included, by that clock.
    """

    def __init__(
        self,
        library: Library,
        transport: Any,
        first: int,
        longest: int,
        clock: Callable[[], float],
    ) -> None:
        self.heard_s = clock()
        self._library = library
        self._transport = transport
        self._send: Callable[[bytes], None] = transport.write
        self._inbox: Inbox | None = None
        self._first = first
        self._is_text = first & 1 == 1
        self._longest = longest
        self._clock = clock
        self._plain = library.is_plain
        """Neither closing nor within a message of several frames."""
        self._given_up = False
        """The library has all that comes: the connection is to end."""
        self._closing = False
        self._paused = False
        self._held = b""
        """The beginning of a frame whose rest is still to come."""

    def begin(self, inbox: Inbox, early: bytes) -> None:
        """Be what the transport talks to; messages go to `inbox`.

        Args:
            early: what has come already.
        """
        self._inbox = inbox
        self._transport.set_protocol(self)
        if early:
            self.data_received(early)

    def look(self) -> None:
        """See whether the library still has the connection open: after its own Close,
        or the end of what the peer sends, nothing may be written any more."""
        self._plain = self._library.is_plain and not self._given_up

    def close(self) -> None:
        """The connection is being closed: nothing that comes counts any more, but
        for the peer's own Close. Reading a flood to its end would take seconds."""
        self._closing = True

    def message(self, data: bytes) -> None:
        """Hand on one message of the agreed kind."""
        inbox = self._inbox
        if inbox is None:
            return
        if not self._is_text:
            inbox.put(data)
            return
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            self._give_up()
            self._library.fail(CloseCode.NOT_UTF8, "text is not UTF-8")
            return
        inbox.put(text)

    def write(self, data: bytes) -> int:
        """Send one message of the agreed kind without waiting; nothing where the
        connection closes. Returns how many bytes the transport holds by then, or 0
        where that is less than the limit above which it has writing paused."""
        whole = framed(self._first, data) if self._plain else None
        if whole is not None:
            self._send(whole)
        else:
            self._library.send_message(data)
        return self.waiting() if self._paused else 0

    def waiting(self) -> int:
        """Bytes that the transport still holds."""
        size: int = self._transport.get_write_buffer_size()
        return size

    # What the event loop calls.

    def data_received(self, data: bytes) -> None:
        self.heard_s = self._clock()
        if self._given_up:
            self._library.read(data)
            return
        if self._held:
            data = self._held + data
            self._held = b""
        at, size = 0, len(data)
        while at < size:
            start, end = span(data, self._longest, at)
            if end == INCOMPLETE:
                self._held = data[at:]
                return
            if end == WRONG:
                self._give_up()
                reason = "a length in more bytes than it needs, or none at all"
                self._library.fail(CloseCode.PROTOCOL_ERROR, reason)
                return
            if end == OTHER:
                # Not masked, or too long: the library says so, and closes.
                self._give_up()
                self._library.read(data[at:])
                return
            first, begun, at = data[at], at, end
            if self._closing and first != _CLOSE:
                continue
            if self._plain and first == self._first:
                self.message(_unmasked(data[start:end], data[start - 4 : start]))
            else:
                self._library.read(data[begun:end])
                self.look()
            if self._given_up:
                self._library.read(data[end:])
                return

    def connection_lost(self, exc: Exception | None) -> None:
        self._give_up()
        # What it knows knows this: let go of here, all of it is freed at once, and
        # not when a search for garbage comes to it.
        self._inbox = None
        self._library.connection_lost(exc)

    def eof_received(self) -> None:
        self._library.eof_received()

    def pause_writing(self) -> None:
        self._paused = True
        self._library.pause_writing()

    def resume_writing(self) -> None:
        self._paused = False
        self._library.resume_writing()

    # Private methods.

    def _give_up(self) -> None:
        self._given_up = True
        self._plain = False

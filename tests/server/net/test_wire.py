"""What comes over the wire: which frames are messages, and when nothing counts."""

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st
from websockets.frames import CloseCode, Frame, Opcode

from samedeal_protocol.codec import Frame as Message
from samedeal_server.net.inbox import Inbox
from samedeal_server.net.wire import Wire


def sent(opcode: Opcode, data: bytes) -> bytes:
    """A frame of a client's, as the library makes it."""
    return Frame(opcode, data).serialize(mask=True)


class Recorder:
    """Stands in for the network on the one side and the library on the other: these
    are the ends of what is tested."""

    def __init__(self, on_read: Callable[[], None] = lambda: None) -> None:
        self.is_plain = True
        self.reads: list[bytes] = []
        self.failed: list[int] = []
        self.messages: list[Message] = []
        self.left_to_it: list[bytes] = []
        self.written: list[bytes] = []
        self._on_read = on_read

    # The library.

    def read(self, data: bytes) -> None:
        self.reads.append(data)
        self._on_read()

    def send_message(self, data: bytes) -> None:
        self.left_to_it.append(data)

    def fail(self, code: int, reason: str) -> None:
        self.failed.append(code)

    def connection_lost(self, exc: Exception | None) -> None: ...

    def eof_received(self) -> None: ...

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    # The transport.

    def set_protocol(self, protocol: object) -> None: ...

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return 0


def wired(recorder: Recorder, early: bytes = b"") -> Wire:
    def receive(message: Message) -> None:
        recorder.messages.append(message)

    def failed(error: BaseException) -> None:
        raise error

    wire = Wire(recorder, recorder, 0x81, 8192, lambda: 0.0)
    wire.begin(Inbox(receive, failed, lambda: None, lambda: None), early)
    return wire


@given(st.lists(st.text(max_size=200), max_size=8), st.data())
def test_messages_arrive_whole_however_they_are_cut(
    texts: list[str], data: st.DataObject
) -> None:
    recorder = Recorder()
    stream = b"".join(sent(Opcode.TEXT, text.encode()) for text in texts)
    early = data.draw(st.integers(0, len(stream)))
    wire, at = wired(recorder, stream[:early]), early
    while at < len(stream):
        size = data.draw(st.integers(1, len(stream) - at))
        wire.data_received(stream[at : at + size])
        at += size
    assert recorder.messages == texts
    assert not recorder.reads


def test_what_follows_our_close_is_not_read() -> None:
    recorder = Recorder(lambda: wire.close() if len(recorder.reads) == 3 else None)
    wire = wired(recorder)
    pong, close = sent(Opcode.PONG, b""), sent(Opcode.CLOSE, b"\x03\xe8")
    text = sent(Opcode.TEXT, b"{}")
    wire.data_received((pong + text) * 20_000 + close)
    assert len(recorder.messages) == 3 - 1
    assert len(recorder.reads) == 4
    assert recorder.reads[-1][:1] == close[:1]


def test_nothing_is_written_past_the_library_once_it_closes() -> None:
    recorder = Recorder()
    wire = wired(recorder)
    wire.write(b"before")
    recorder.is_plain = False
    wire.look()
    wire.write(b"after")
    assert recorder.written == [b"\x81\x06before"]
    assert recorder.left_to_it == [b"after"]


def test_nothing_is_taken_after_a_text_that_is_none() -> None:
    recorder = Recorder()
    wire = wired(recorder)
    more = sent(Opcode.TEXT, b"{}")
    wire.data_received(sent(Opcode.TEXT, b"\xff") + more)
    assert recorder.failed == [CloseCode.INVALID_DATA]
    assert recorder.messages == []
    assert recorder.reads == [more]  # To be thrown away there.


def test_bytes_that_are_lost_with_the_connection() -> None:
    recorder = Recorder()
    wire = wired(recorder)
    whole = sent(Opcode.TEXT, b"{}")
    wire.data_received(whole[:3])
    wire.connection_lost(None)
    wire.data_received(whole[3:])
    assert recorder.messages == []


@pytest.mark.parametrize("head", [b"\x81\xfe\x00\x01", b"\x81\xff" + bytes(8)])
def test_a_length_in_too_many_bytes_ends_it(head: bytes) -> None:
    recorder = Recorder()
    wired(recorder, head + bytes(5))
    assert recorder.failed == [CloseCode.PROTOCOL_ERROR]

"""What the event loop brings, and when: answers, nonsense, ends and deadlines."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.exceptions import OutOfMemoryError, ResponseError

from samedeal_server.store.errors import Unanswered
from samedeal_server.store.pipe import Pipe


PING = b"*1\r\n$4\r\nPING\r\n"
# More than the system takes from who writes to somebody that does not read.
MUCH = 30_000_000
PATIENCE_S = 5.0


class Peer:
    """A pipe, and the other end of it."""

    def __init__(
        self,
        transport: asyncio.Transport,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.losses: list[str] = []
        self.pipe = Pipe("the store", transport, self._lost)
        self.reader = reader
        self.writer = writer

    def _lost(self, pipe: Pipe, reason: str) -> None:
        self.losses.append(reason)
        pipe.close(reason)

    def ask(
        self, expected: int = 1, packed: bytes = PING, within_s: float = PATIENCE_S
    ) -> asyncio.Future[list[object]]:
        deadline = asyncio.get_running_loop().time() + within_s
        return self.pipe.send(packed, expected, deadline)


@pytest.fixture
async def peer(tmp_path: Path) -> AsyncIterator[Peer]:
    accepted: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    accepted = asyncio.Queue()
    server = await asyncio.start_unix_server(
        lambda *streams: accepted.put_nowait(streams), tmp_path / "peer"
    )
    transport, _ = await asyncio.get_running_loop().create_unix_connection(
        asyncio.Protocol, str(tmp_path / "peer")
    )
    peer = Peer(transport, *await accepted.get())
    yield peer
    peer.pipe.close("the test is over")
    peer.writer.transport.abort()
    await peer.pipe.gone
    server.close()


async def test_answers_may_come_in_any_pieces(peer: Peer) -> None:
    said = b"$5\r\nhello\r\n*3\r\n:1\r\n-ERR no\r\n*1\r\n$-1\r\n-OOM no\r\n+OK\r\n"
    for at in range(len(said) + 1):
        first, second = peer.ask(3), peer.ask()
        for piece in (said[:at], said[at:]):
            peer.pipe.data_received(piece)
        [hello, several, oom] = first.result()
        assert hello == b"hello"
        assert isinstance(several, list)
        assert isinstance(several.pop(1), ResponseError)
        assert several == [1, [None]]
        assert isinstance(oom, OutOfMemoryError)
        assert second.result() == [b"OK"]
    assert peer.losses == []


@pytest.mark.parametrize(
    "nonsense",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"*-2\r\n",
        b"*4294967295\r\n",
        b"%1\r\n*0\r\n:1\r\n",
        b"-MOVED nowhere\r\n",
        b"*1\r\n-ASK 1 nowhere\r\n",
        b"-ERR max number of clients reached\r\n",
    ],
)
async def test_nonsense_ends_the_connection_and_nothing_else(
    peer: Peer, nonsense: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    first, second, third = peer.ask(), peer.ask(2), peer.ask()
    peer.writer.write(b"+mine\r\n+half\r\n" + nonsense + b"+late\r\n")
    assert await first == [b"mine"]
    for call in (second, third):
        with pytest.raises(Unanswered, match="lost"):
            await call
    await peer.pipe.gone
    assert len(peer.losses) == 1
    assert caplog.records == []


async def test_what_nobody_asked_for_ends_the_connection(peer: Peer) -> None:
    call = peer.ask()
    peer.writer.write(b"+mine\r\n+whose\r\n")
    assert await call == [b"mine"]
    assert not peer.pipe.is_open
    assert peer.losses == ["it answered what nobody asked"]


async def test_each_call_has_its_deadline_in_whatever_order(peer: Peer) -> None:
    patient, hasty = peer.ask(), peer.ask(within_s=0.05)
    with pytest.raises(Unanswered, match="the store did not answer in time"):
        await hasty
    with pytest.raises(Unanswered, match="lost: no answer came in time"):
        await patient
    assert not peer.pipe.is_open


async def test_a_deadline_holds_after_that_of_a_call_that_was_answered(
    peer: Peer,
) -> None:
    answered, call = peer.ask(within_s=0.05), peer.ask(within_s=0.06)
    peer.writer.write(b"+OK\r\n")
    assert await answered == [b"OK"]
    with pytest.raises(Unanswered, match="the store did not answer in time"):
        await asyncio.wait_for(call, PATIENCE_S)


async def test_whoever_hangs_up_without_reading_is_not_waited_for(peer: Peer) -> None:
    peer.writer.transport.pause_reading()  # type: ignore[attr-defined]
    call = peer.ask(packed=bytes(MUCH))
    peer.writer.write_eof()
    with pytest.raises(Unanswered, match="Connection closed by server"):
        await call
    assert len(peer.losses) == 1


async def test_what_was_not_sent_when_the_pipe_was_closed_never_is(peer: Peer) -> None:
    transport = peer.writer.transport
    transport.pause_reading()  # type: ignore[attr-defined]
    call = peer.ask(packed=bytes(MUCH))
    peer.pipe.close("of this test")
    with pytest.raises(Unanswered, match="lost: of this test"):
        await call
    transport.resume_reading()  # type: ignore[attr-defined]
    read = 0
    with contextlib.suppress(ConnectionResetError):
        while some := await peer.reader.read(1 << 20):
            read += len(some)
    assert read < MUCH

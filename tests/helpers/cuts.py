"""A proxy that cuts, splits and holds up what passes, at chosen bytes."""

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one connection.

    Attributes:
        up: it is cut once so many bytes have come from the client …
        down: … or so many from the server; None for never.
        split: at most so many bytes pass at a time.
    """

    up: int | None = None
    down: int | None = None
    split: int = 65536


SOUND = Fault()


class Cuts:
    """Passes bytes between clients and the server at an http:// address.

    Each connection takes the next of `faults`; after the last, all are sound.

    Attributes:
        url: the address to connect to instead.
        connections: how many there have been.
        cuts: how many of them were cut by their fault.
        refusing: connections are closed as soon as they are made.
    """

    def __init__(self, target: str, faults: Iterable[Fault] = ()) -> None:
        parts = urlsplit(target)
        assert parts.hostname is not None and parts.port is not None
        self._target = (parts.hostname, parts.port)
        self._faults = iter(faults)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._passing = asyncio.Event()
        self._passing.set()
        self.url = ""
        self.connections = 0
        self.cuts = 0
        self.refusing = False

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """End all connections of this moment without a word."""
        for writer in self._writers:
            writer.transport.abort()

    def freeze(self) -> None:
        """Let nothing pass any more, and leave all connections open."""
        self._passing.clear()

    def thaw(self) -> None:
        """Let bytes pass again."""
        self._passing.set()

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if self.refusing:
            writer.transport.abort()
            return
        self.connections += 1
        fault = next(self._faults, SOUND)
        far_reader, far_writer = await asyncio.open_connection(*self._target)
        both = (writer, far_writer)
        self._writers.update(both)
        for source, sink, last in (
            (reader, far_writer, fault.up),
            (far_reader, writer, fault.down),
        ):
            task = asyncio.create_task(self._pass(source, sink, last, fault, both))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        last: int | None,
        fault: Fault,
        both: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
    ) -> None:
        """Pass bytes until the end, or until `last` have passed."""
        passed = 0
        with contextlib.suppress(OSError):
            while last is None or passed < last:
                wanted = (
                    fault.split if last is None else min(fault.split, last - passed)
                )
                data = await source.read(wanted)
                await self._passing.wait()
                if not data:
                    break
                sink.write(data)
                await sink.drain()
                passed += len(data)
            else:
                self.cuts += 1
        # What was passed arrives; then both sides see the end.
        for writer in both:
            writer.close()
            self._writers.discard(writer)

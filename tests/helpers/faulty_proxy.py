"""A proxy as bad as a network can be: splits, delays and cuts at any byte."""

import asyncio
import contextlib
from random import Random
from typing import Self
from urllib.parse import urlsplit


class FaultyProxy:
    """Passes bytes to the server at an http:// address, until it does not.

    Args:
        target: the server's address.
        chance: decides where to split, how long to wait and when to cut.
        cuts: how many connections to cut; those after them live.
        mean_bytes: how much a connection passes on average before it is cut.
        delay_s: the longest that a piece is held up.

    Attributes:
        cut: how many have been cut so far.
        all_cut: set once that is enough.
    """

    def __init__(
        self,
        target: str,
        chance: Random,
        cuts: int,
        mean_bytes: int = 5000,
        delay_s: float = 0.005,
    ) -> None:
        where = urlsplit(target)
        assert where.hostname is not None and where.port is not None
        self._target = where.hostname, where.port
        self._chance = chance
        self._cuts = cuts
        self._mean_bytes = mean_bytes
        self._delay_s = delay_s
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.cut = 0
        self.all_cut = asyncio.Event()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Private methods.

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._join(reader, writer)
        except OSError:
            writer.transport.abort()
        finally:
            self._tasks.discard(task)

    async def _join(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        far_reader, far_writer = await asyncio.open_connection(*self._target)
        left = [int(self._chance.expovariate(1 / self._mean_bytes))]
        ways = [
            asyncio.create_task(self._pass(reader, far_writer, left)),
            asyncio.create_task(self._pass(far_reader, writer, left)),
        ]
        try:
            await asyncio.wait(ways, return_when="FIRST_COMPLETED")
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            writer.transport.abort()
            far_writer.transport.abort()

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        left: list[int],
    ) -> None:
        """Passes one way; `left` is what both ways may pass before the cut."""
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                while data:
                    piece = data[: self._chance.randint(1, len(data))]
                    is_cut = len(piece) > left[0] and self.cut < self._cuts
                    writer.write(piece[: left[0]] if is_cut else piece)
                    if is_cut:
                        await writer.drain()
                        self._count()
                        return
                    left[0] -= len(piece)
                    data = data[len(piece) :]
                    await asyncio.sleep(self._chance.uniform(0, self._delay_s))

    def _count(self) -> None:
        self.cut += 1
        if self.cut >= self._cuts:
            self.all_cut.set()

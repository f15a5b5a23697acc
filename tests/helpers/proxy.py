"""A proxy that loses what a network can lose."""

import asyncio
import contextlib
from pathlib import Path
from typing import Self


class Proxy:
    """Passes bytes between clients and the Unix socket or port of a server.

    `to_lose` answers of the server are lost, each with its connection, though what
    was asked has arrived; what stands in `instead` is passed on for the next ones.
    """

    def __init__(self, target: str, folder: Path) -> None:
        self._target = target
        self._path = folder / "proxy.sock"
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.to_lose = 0
        self.answers_lost = 0
        self.instead: list[bytes] = []

    @property
    def url(self) -> str:
        return f"unix://{self._path}"

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def open(self) -> None:
        """Accepts connections from now on."""
        self._server = await asyncio.start_unix_server(self._accept, self._path)

    def close(self) -> None:
        """Ends all connections, and refuses others until it is opened again."""
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)
        for writer in self._writers:
            writer.transport.abort()

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        far_reader, far_writer = await self._connect()
        self._writers |= {writer, far_writer}
        for task in (
            asyncio.create_task(self._pass(reader, far_writer, is_answer=False)),
            asyncio.create_task(self._pass(far_reader, writer, is_answer=True)),
        ):
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        kind, _, place = self._target.partition("://")
        if kind == "unix":
            return await asyncio.open_unix_connection(place)
        host, _, port = place.partition(":")
        return await asyncio.open_connection(host, int(port))

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        is_answer: bool,
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if is_answer and self.to_lose:
                    self.to_lose -= 1
                    self.answers_lost += 1
                    break
                if is_answer and self.instead:
                    data = self.instead.pop(0)
                writer.write(data)
        writer.transport.abort()

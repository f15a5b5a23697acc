"""The other end of a connection, played by the test itself.

Only for what a real server does not do on demand: to fall silent, to close
with a certain code, to lose an answer.
"""

import asyncio
from typing import Any, Self, TypeVar

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve

from samedeal_protocol import commands, updates
from samedeal_protocol.codec import JSON
from samedeal_protocol.settings import RaceSettings


RACE = "a" * 16
PLAYER = "p" * 16
PATIENCE_S = 10.0

PILES = {"t0": ["Kh", "6c"], "t1": ["8d", "Ac"], "t2": ["8s"], "t3": ["Ks"]}
"""A board of juvenile in which t0+t2 can be taken, and t1+t3."""

T = TypeVar("T")


class Line:
    """One connection, seen from the server's end."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def next(self, kind: type[T]) -> T:
        """The next command, which must be of this type."""
        async with asyncio.timeout(PATIENCE_S):
            command = JSON.decode_command(await self.socket.recv())
        assert isinstance(command, kind), command
        return command

    async def tell(self, update: updates.Update, re: Any = None) -> None:
        """Send an update, as the answer to a command or to its id."""
        if re is not None:
            re = getattr(re, "id", re)
            update = msgspec.structs.replace(update, re=re)
        await self.socket.send(JSON.encode(update), text=True)

    async def refuse(self, command: Any, code: Any, turn: int | None = None) -> None:
        """Answer a command with an error."""
        await self.tell(
            updates.Error(
                code=code,
                message="No.",
                race=getattr(command, "race", msgspec.UNSET),
                turn=msgspec.UNSET if turn is None else turn,
            ),
            command,
        )

    async def greet(self, *, heartbeat_ms: int = 10_000, rate: int = 0) -> Any:
        """Take the greeting and answer it; returns the `hello`."""
        hello = await self.next(commands.Hello)
        limits = updates.Limits(
            message_bytes=8192, moves=64, seats=16, races=16, messages_per_s=rate
        )
        await self.tell(
            updates.Welcome(
                player=PLAYER,
                name="Ada",
                token="secret",
                server="0",
                now_ms=0,
                heartbeat_ms=heartbeat_ms,
                limits=limits,
                races=[],
            ),
            hello,
        )
        return hello

    async def seat(self) -> None:
        """Answer a `create` with a race in which play has begun at turn 0."""
        command = await self.next(commands.Create)
        await self.tell(updates.Joined(race=RACE, code="ABCDEF", seat=0), command)
        await self.tell(race_info())
        await self.tell(view())

    async def answer_lobby(self) -> None:
        """Answer a `lobby` with an empty list."""
        command = await self.next(commands.Lobby)
        await self.tell(updates.LobbyList(races=[]), command)

    async def synced(self, turn: int = 0) -> commands.Sync:
        """Answer a `sync` with the board of `PILES` at some turn."""
        command = await self.next(commands.Sync)
        await self.tell(race_info(), command)
        await self.tell(view(turn=turn))
        return command

    async def close(self, code: int = 1000) -> None:
        await self.socket.close(code)

    def cut(self) -> None:
        self.socket.transport.abort()


class Peer:
    """A server that does nothing by itself: the test accepts and answers."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[Line] = asyncio.Queue()
        self._done = asyncio.Event()
        self._server: Server | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._handle,
            "127.0.0.1",
            0,
            subprotocols=[JSON.subprotocol],  # type: ignore[list-item]
            compression=None,
            close_timeout=0.5,
        )
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._done.set()
        self._server.close()
        await self._server.wait_closed()

    async def accept(self) -> Line:
        """The next connection."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._lines.get()

    async def _handle(self, socket: ServerConnection) -> None:
        self._lines.put_nowait(Line(socket))
        closed = asyncio.create_task(socket.wait_closed())
        done = asyncio.create_task(self._done.wait())
        await asyncio.wait([closed, done], return_when=asyncio.FIRST_COMPLETED)
        closed.cancel()
        done.cancel()


def race_info(phase: Any = "racing", **changed: Any) -> updates.RaceInfo:
    """A `race` update of `RACE`, with one seat, which is the client's."""
    given: dict[str, Any] = {
        "race": RACE,
        "code": "ABCDEF",
        "game": "juvenile",
        "variant": "one-deck",
        "settings": RaceSettings(),
        "chosen": False,
        "commitment": "0" * 64,
        "phase": phase,
        "host": 0,
        "seats": [seat_info()],
        "watchers": 0,
    }
    return updates.RaceInfo(**{**given, **changed})


def seat_info(seat: int = 0, player: str = PLAYER, **changed: Any) -> updates.SeatInfo:
    """A seat as it is at the start."""
    given: dict[str, Any] = {
        "seat": seat,
        "player": player,
        "name": "Ada",
        "ready": True,
        "connected": True,
        "left": 6,
        "turn": 0,
        "status": "playing",
        "elapsed_ms": 0,
    }
    return updates.SeatInfo(**{**given, **changed})


def view(turn: int = 0, seat: int = 0, **changed: Any) -> updates.View:
    """A `view` of the board of `PILES` (the eight piles of the game, most empty)."""
    given: dict[str, Any] = {
        "race": RACE,
        "seat": seat,
        "turn": turn,
        "piles": {**{f"t{n}": [] for n in range(8)}, **PILES},
        "left": 6,
        "status": "playing",
        "elapsed_ms": 0,
    }
    return updates.View(**{**given, **changed})


def patch(from_: int, turn: int, **changed: Any) -> updates.Patch:
    """A `patch` for the client's seat; by default a pile more is emptied by it."""
    given: dict[str, Any] = {
        "race": RACE,
        "seat": 0,
        "from_": from_,
        "turn": turn,
        "turns": [["t0+t2"]] * (turn - from_),
        "piles": {},
        "left": 6 - turn,
        "status": "playing",
        "elapsed_ms": turn,
    }
    return updates.Patch(**{**given, **changed})

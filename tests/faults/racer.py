"""A client that never gives up: reconnects anywhere, syncs, and sends again."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Self

from tests.faults.memory import Memory, Message
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from samedeal_games import legal_moves
from samedeal_protocol.patches import PatchError


# A command is answered within 5 s, `unavailable` included; a busy machine is slower.
_ANSWER_S = 10.0
# Nothing heard for so long is a fault; servers start slowly on a busy machine.
_NEWS_S = 90.0


class Lost(Exception):
    """The connection ended, or fell silent, before the answer came."""


class Racer:
    """One player, over as many connections as it takes.

    Args:
        addresses: the http:// addresses to connect to, asked for each connection.
        chance: decides where to connect and what to play.
        think_s: the longest time between two moves.

    Attributes:
        memories: by race.
        connections: how many it has had.
        stall_s: the longest that a command went unanswered, resends included.
        unavailable: how often it was told so.
        faults: what must never be, in words.
    """

    def __init__(
        self,
        addresses: Callable[[], Sequence[str]],
        chance: Random,
        think_s: float = 0.03,
    ) -> None:
        self.player = ""
        self.memories: dict[str, Memory] = {}
        self.connections = 0
        self.stall_s = 0.0
        self.unavailable = 0
        self.closings = 0
        self.close_codes: list[int | None] = []
        self.faults: list[str] = []
        self._addresses = addresses
        self._chance = chance
        self._think_s = think_s
        self._token = ""
        self._socket: ClientConnection | None = None
        self._online = asyncio.Event()
        self._news = asyncio.Event()
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._ids = itertools.count(1)
        self._keeper: asyncio.Task[None] | None = None
        self._silent: list[ClientConnection] = []
        self._leave = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._keeper = asyncio.create_task(self._stay_connected())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._keeper is not None
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)
        for socket in self._silent:
            socket.transport.abort()

    # Asking.

    async def ask(self, type: str, **fields: Any) -> Message:
        """The answer to a command, sent until one comes that is certain."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        fields.setdefault("id", f"{type}-{next(self._ids)}")
        while True:
            await self._online.wait()
            try:
                answer = await self._ask_once({"type": type, **fields})
            except Lost:
                # The reader, too, has to see that the connection is gone.
                await asyncio.sleep(0.001)
                continue
            finally:
                self.stall_s = max(self.stall_s, loop.time() - began)
            if answer["type"] != "error" or answer["code"] != "unavailable":
                return answer
            self.unavailable += 1
            await asyncio.sleep(self._chance.uniform(0.02, 0.2))

    def follow(self, joined: Message, may_go_back: bool = False) -> Memory:
        """Remember a race from now on."""
        race = joined["race"]
        if race not in self.memories:
            self.memories[race] = Memory(race, joined["seat"], may_go_back)
        return self.memories[race]

    async def play(self, memory: Memory) -> None:
        """Play a race until its end was told."""
        while not memory.ended:
            self._news.clear()
            if memory.lost_count:
                await self._look_again(memory)
            elif memory.open:
                await asyncio.sleep(self._chance.uniform(0, self._think_s))
                if memory.open:
                    await self._take_turn(memory)
            elif memory.may_go_back and memory.info.get("phase") == "lobby":
                # That it is ready may be among what was lost.
                await self.ask("ready", race=memory.race)
                await asyncio.sleep(0.1)
            else:
                await self._wait_for_news(memory)

    def cut(self) -> None:
        """Lose the connection."""
        if self._socket is not None:
            self._socket.transport.abort()

    def fall_silent(self) -> None:
        """Leave the connection open and unread, and come again on another."""
        if self._socket is not None:
            self._socket.transport.pause_reading()
            self._silent.append(self._socket)
            self._leave.set()

    # Private methods.

    async def _take_turn(self, memory: Memory) -> None:
        command, race, turn = self._choose(memory), memory.race, memory.turn
        if command == "resign":
            answer = await self.ask("resign", race=race)
        elif command == "undo":
            memory.sent[turn].append("undo")
            answer = await self.ask("undo", race=race, turn=turn)
        else:
            memory.sent[turn].append([command])
            answer = await self.ask("move", race=race, turn=turn, moves=[command])
        if answer["type"] == "patch":
            return
        self._refused(memory, command, answer)
        if memory.open:
            await self._look_again(memory)

    async def _look_again(self, memory: Memory) -> None:
        """Ask for the whole board."""
        answer = await self.ask("sync", race=memory.race)
        if answer["type"] == "error":
            self._refused(memory, "sync", answer)

    def _choose(self, memory: Memory) -> str:
        """A move, or `undo`, or `resign` where it could go on for ever."""
        moves = legal_moves(memory.board)
        undo = memory.info["settings"]["undo"] and memory.turn > 0
        if undo and self._chance.random() < 0.1:
            return "undo"
        if memory.turn >= 60 or not moves:
            return "resign"
        return str(self._chance.choice(moves))

    def _refused(self, memory: Memory, command: str, error: Message) -> None:
        match error["code"]:
            case "finished":
                memory.closed = True
            case "stale_turn" | "not_started":
                pass
            case "unknown_race" | "not_in_race" if memory.may_go_back:
                memory.gone = True
            case "illegal_move" if memory.may_go_back:
                pass  # It was chosen on a board that is none any more.
            case "undo_refused" | "nothing_to_undo" if command == "undo":
                pass
            case _:
                self.faults.append(
                    f"{memory.race} turn {memory.turn} {command}: {error}"
                )

    async def _wait_for_news(self, memory: Memory) -> None:
        try:
            async with asyncio.timeout(_NEWS_S):
                await self._news.wait()
        except TimeoutError:
            self.faults.append(
                f"{memory.race}: no news for {_NEWS_S:.0f} s, seat {memory.seat} is "
                f"{memory.status}, others {memory.others}, the race {memory.info}"
            )
            await self._look_again(memory)

    async def _ask_once(self, command: Message) -> Message:
        socket = self._socket
        if socket is None:
            raise Lost
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[command["id"]] = answer
        try:
            await socket.send(json.dumps(command))
            async with asyncio.timeout(_ANSWER_S):
                return await answer
        except TimeoutError:
            self.faults.append(f"no answer within {_ANSWER_S} s to {command}")
            socket.transport.abort()
            raise Lost from None
        except WebSocketException:
            raise Lost from None
        finally:
            self._answers.pop(command["id"], None)

    # The connection.

    async def _stay_connected(self) -> None:
        while True:
            url = self._chance.choice(self._addresses())
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                socket = await connect(
                    f"ws{url.removeprefix('http')}/ws",
                    compression=None,
                    proxy=None,
                    ping_interval=None,
                    open_timeout=5,
                    close_timeout=0.2,
                )
                try:
                    await self._converse(socket)
                finally:
                    if socket not in self._silent:
                        await socket.close()
            await asyncio.sleep(self._chance.uniform(0, 0.1))

    async def _converse(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.connections += 1
        self._leave.clear()
        introduction = asyncio.create_task(self._introduce())
        ends = {
            asyncio.create_task(self._read(socket)),
            asyncio.create_task(self._leave.wait()),
        }
        try:
            await asyncio.wait(ends, return_when="FIRST_COMPLETED")
        finally:
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
            self._socket = None
            self._online.clear()
            self.close_codes.append(socket.close_code)
            await self._end(introduction)
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(Lost())
                    answer.exception()

    async def _read(self, socket: ClientConnection) -> None:
        async for frame in socket:
            self._take(json.loads(frame))

    async def _introduce(self) -> None:
        """Say hello, and catch up on every race that is not over."""
        fields = {"token": self._token} if self._token else {"name": "Racer"}
        while True:
            command = {"type": "hello", "id": f"hello-{next(self._ids)}", **fields}
            answer = await self._ask_once(command)
            if answer["type"] == "welcome":
                break
            if answer["code"] != "unavailable":
                self.faults.append(f"hello: {answer}")
            await asyncio.sleep(self._chance.uniform(0.02, 0.2))
        if self.player not in ("", answer["player"]):
            self.faults.append(f"{self.player} is {answer['player']} now")
        self.player, self._token = answer["player"], answer["token"]
        for memory in list(self.memories.values()):
            if memory.ended:
                continue
            # Sometimes what was not answered is sent again before any sync.
            if self._chance.random() < 0.1:
                self._online.set()
            await self._sync(memory)
        self._online.set()

    async def _end(self, introduction: asyncio.Task[None]) -> None:
        introduction.cancel()
        [outcome] = await asyncio.gather(introduction, return_exceptions=True)
        if outcome is not None and not isinstance(
            outcome, (asyncio.CancelledError, Lost)
        ):
            self.faults.append(f"hello and sync failed: {outcome!r}")

    async def _sync(self, memory: Memory) -> None:
        fields: Message = {"race": memory.race}
        if memory.piles:
            fields["turn"] = memory.turn
        while True:
            command = {"type": "sync", "id": f"sync-{next(self._ids)}", **fields}
            answer = await self._ask_once(command)
            if answer["type"] == "race":
                return
            if answer["code"] != "unavailable":
                self._refused(memory, "sync", answer)
                return
            await asyncio.sleep(self._chance.uniform(0.02, 0.2))

    def _take(self, message: Message) -> None:
        if message["type"] == "closing":
            self.closings += 1
        memory = self.memories.get(message.get("race", ""))
        if memory is not None and message["type"] == "error" and "re" not in message:
            self._refused(memory, "(nothing asked)", message)
        elif memory is not None:
            try:
                memory.take(message)
            except PatchError as error:
                self.faults.append(f"{memory.race}: {error} {message}")
        if message["type"] == "error" and message["code"] == "internal":
            self.faults.append(f"internal: {message}")
        waiting = self._answers.get(message.get("re", ""))
        if waiting is not None and not waiting.done():
            waiting.set_result(message)
        self._news.set()

"""Doorbells between nodes: "something happened in this race, have a look".

A bell carries no truth and may be missed, which costs time and nothing else:
whoever hears it reads the log from where it stands.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import NamedTuple

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from . import keys
from .errors import StoreUnavailable
from .nodes import Nodes
from .talk import establish, hang_up, hear, send


log = logging.getLogger(__name__)

# Silence after which the other side is asked whether it is there.
_QUIET_S = 5.0
_RETRY_S = 0.1


class _Ears(NamedTuple):
    """Whom to call for what is heard."""

    on_race: Callable[[str], None]
    on_takeover: Callable[[str, int], None]
    on_gap: Callable[[], None]
    on_people: Callable[[str], None]


class Bells:
    """Rings for other nodes, and hears theirs; its own are not heard.

    One message is the node that rings and then, all parted by spaces, the races
    in which something happened, `race+` where people came or went, and
    `player:generation` for each takeover. A node that has just come says no more
    than its name, so that those who rang for nobody till then ring from now on.
    """

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._node = nodes.settings.node
        self._to_ring: dict[str, None] = {}
        self._ringing: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._closed = False
        self.ready = asyncio.Event()
        """Set once the bells of others are heard for the first time."""

    def found(self, others: int) -> None:
        """So many other nodes have shown themselves lately; none are rung for."""
        self._nodes.contact.alone = others == 0

    def ring(self, race: str) -> None:
        """Tells other nodes, if any, that `race` has new entries; returns at once."""
        if self._nodes.contact.alone or self._closed:
            return
        self._to_ring[race] = None
        if self._ringing is None:
            self._ringing = asyncio.create_task(self._ring(), name="ring bells")

    def ring_people(self, race: str) -> None:
        """Tells other nodes that somebody in `race` came or went."""
        self.ring(f"{race}+")

    def takeover(self, player: str, generation: int) -> None:
        """Tells other nodes that `player` has a newer connection."""
        self.ring(f"{player}:{generation}")

    def listen(
        self,
        on_race: Callable[[str], None],
        on_takeover: Callable[[str, int], None],
        on_gap: Callable[[], None],
        on_people: Callable[[str], None] = lambda race: None,
    ) -> None:
        """Calls back for each bell of other nodes, from now until `aclose`.

        `on_gap` says that bells may have been missed: every race that matters is
        to be read. Call this once.
        """
        assert self._listening is None, "the bells are listened to already"
        ears = _Ears(on_race, on_takeover, on_gap, on_people)
        self._listening = asyncio.create_task(self._listen(ears), name="hear bells")

    async def aclose(self) -> None:
        """Rings and hears no more."""
        self._closed = True
        tasks = [task for task in (self._ringing, self._listening) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Ringing.

    async def _ring(self) -> None:
        """Rings what has come together, and again after a pause while there is more."""
        try:
            while self._to_ring:
                bells = list(self._to_ring)
                self._to_ring.clear()
                await self._publish(*bells)
                await asyncio.sleep(self._nodes.settings.bell_interval_ms / 1000)
        finally:
            self._ringing = None

    async def _publish(self, *bells: str) -> None:
        message = " ".join([self._node, *bells])
        try:
            await self._nodes.tell_any("PUBLISH", keys.BELL, message)
        except StoreUnavailable as error:
            log.debug("Bells were not rung: %s", error)

    # Hearing.

    async def _listen(self, ears: _Ears) -> None:
        """Listens to whichever process lets us, and to another when it ends."""
        while True:
            for address in self._nodes.addresses():
                connection = self._nodes.connection(address)
                try:
                    await self._subscribe(connection)
                    if self.ready.is_set():
                        _call(ears.on_gap)
                    self.ready.set()
                    await self._publish()
                    await self._hear(connection, ears)
                except (RedisError, OSError, TimeoutError) as error:
                    log.debug("Bells are not heard: %s", error)
                finally:
                    await hang_up(connection)
                self._nodes.lost()
                await asyncio.sleep(_RETRY_S)

    async def _subscribe(self, connection: AbstractConnection) -> None:
        timeout_s = self._nodes.settings.connect_timeout_s
        await establish(connection, timeout_s)
        async with asyncio.timeout(timeout_s):
            await send(connection, "SUBSCRIBE", keys.BELL)
            await hear(connection)

    async def _hear(self, connection: AbstractConnection, ears: _Ears) -> None:
        """Hears bells until the connection ends, or stays silent when asked."""
        asked = False
        while True:
            message = await hear(connection, _QUIET_S)
            if message is not None:
                asked = False
                match message:
                    case [b"message", _, bytes(text)]:
                        self._heard(text.decode(errors="replace"), ears)
            elif asked:
                raise TimeoutError("it has fallen silent")
            else:
                await send(connection, "PING")
                asked = True

    def _heard(self, message: str, ears: _Ears) -> None:
        node, *bells = message.split(" ")
        if node == self._node:
            return
        self._nodes.contact.alone = False
        for bell in bells:
            name, colon, generation = bell.partition(":")
            if not colon and name.endswith("+"):
                _call(ears.on_people, name[:-1])
            elif not colon:
                _call(ears.on_race, name)
            elif generation.isdecimal():
                _call(ears.on_takeover, name, int(generation))


def _call(callback: Callable[..., None], *arguments: object) -> None:
    try:
        callback(*arguments)
    except Exception:
        log.exception("What follows a bell failed.")

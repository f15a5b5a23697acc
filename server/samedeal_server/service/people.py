"""Who is connected: to this node, and so to every node."""

import asyncio
import logging
import secrets
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from samedeal_server.hub.hub import Hub
from samedeal_server.race.model import AWAY_MS
from samedeal_server.spread import spread
from samedeal_server.store import Store, StoreUnavailable


logger = logging.getLogger(__name__)

_REFRESH_S = 10.0
# So many are refreshed in one step: by one call, but in a cluster by a call for each.
_AT_ONCE = 100
_AT_ONCE_IN_CLUSTER = 10
_MARGIN_MS = 200


class Connected(Protocol):
    """A connection that speaks for a player.

    `generation` orders the connections of one player, over all nodes.
    """

    generation: int

    @property
    def player(self) -> str: ...

    def replace(self) -> None:
        """Close: a newer connection of the same player has taken over."""


class People:
    """The players connected to this node."""

    def __init__(self, hub: Hub, store: Store) -> None:
        self._hub = hub
        self._store = store
        self._here: dict[str, Connected] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._refresher: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._refresher = asyncio.create_task(self._refresh(), name="presence")

    async def close(self) -> None:
        if self._refresher is not None:
            self._refresher.cancel()
        pending = [task for task in (self._refresher, *self._tasks) if task]
        await asyncio.gather(*pending, return_exceptions=True)

    def is_here(self, player: str) -> bool:
        return player in self._here

    async def arrive(self, session: Connected) -> None:
        """The session speaks for its player from now on, and no older one does.

        Raises:
            StoreUnavailable: other nodes cannot be told; nothing has changed.
        """
        connection = secrets.token_hex(8)
        registry = self._store.registry
        session.generation = await registry.connect(session.player, connection)
        older = self._here.get(session.player)
        self._here[session.player] = session
        if older is not None:
            older.replace()
        self._store.bells.takeover(session.player, session.generation)
        self._spawn(self._seen(session.player))

    def leave(self, session: Connected) -> None:
        """The session has ended."""
        if self._here.get(session.player) is not session:
            return
        del self._here[session.player]
        self._spawn(self._gone(session.player, session.generation))

    def taken_over(self, player: str, generation: int) -> None:
        """Some node has a connection of this player, of this generation."""
        session = self._here.get(player)
        if session is not None and session.generation < generation:
            del self._here[player]
            session.replace()

    # Private methods.

    async def _seen(self, player: str) -> None:
        for race_id in await self._store.registry.races_list(player):
            live = self._hub.at_hand(race_id)
            if live is not None:
                live.told.set_connected(live.state, live.now_ms(), player)
            self._store.bells.ring_people(race_id)

    async def _gone(self, player: str, generation: int) -> None:
        now = self._store.log.now_ms()
        races = await self._store.registry.races_list(player)
        for race_id in races:
            live = self._hub.at_hand(race_id)
            if live is not None and not self.is_here(player):
                away = {**live.told.away, player: now}
                live.told.set_away(live.state, live.now_ms(), away)
        await self._store.registry.disconnect(player, generation)
        for race_id in races:
            self._store.bells.ring_people(race_id)
            moment = now + AWAY_MS + _MARGIN_MS
            await self._store.registry.due_at_most(race_id, moment)

    async def _refresh(self) -> None:
        """Again and again: a few at a time, or thousands would keep all waiting."""
        at_once = _AT_ONCE_IN_CLUSTER if self._store.nodes.cluster else _AT_ONCE
        while True:
            async for players in spread(self._here, at_once, _REFRESH_S):
                await self._refresh_some(players)

    async def _refresh_some(self, players: Sequence[str]) -> None:
        generations = {
            player: self._here[player].generation
            for player in players
            if player in self._here
        }
        try:
            replaced = await self._store.registry.refresh(generations.items())
        except StoreUnavailable as error:
            logger.info("Presence has to wait: %s", error)
            return
        for player in replaced:
            self.taken_over(player, generations[player] + 1)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreUnavailable as error:
            # Presence runs out by itself, and the sweep looks again.
            logger.info("Presence was not told to others: %s", error)
        except Exception:
            logger.exception("Presence could not be told.")

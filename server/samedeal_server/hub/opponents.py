"""Built-in bots, playing as anyone does: commands in, their own view out.

A race's bots are driven by the node that holds its lease. Were two nodes to
drive the same bot, the log would take each turn once all the same.
"""

import asyncio
import logging
import random

from samedeal_games import from_view, opponent
from samedeal_protocol import commands
from samedeal_server.hub.live import LiveRace
from samedeal_server.race import told
from samedeal_server.race.decide import RaceCommand, decide
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat
from samedeal_server.settings import Settings
from samedeal_server.store import Store, StoreUnavailable


logger = logging.getLogger(__name__)

_LEASE_MS = 10_000
_RENEW_S = 3.0
_RETRY_S = 0.5
# Levels that choose at a glance.
_QUICK = frozenset(("random", "greedy"))


class Opponents:
    """The bots that this node drives."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._node = store.nodes.settings.node
        self._settings = settings
        self._random = random.Random()
        self._driven: dict[str, asyncio.Task[None]] = {}

    async def see_to(self, live: LiveRace) -> None:
        """Drive the race's bots here, if they need it and nobody else does."""
        if live.id in self._driven or live.state.start_ms is None:
            return
        if not _unfinished(live):
            return
        held = await self._store.registry.lease(live.id, self._node, _LEASE_MS)
        if held and live.id not in self._driven:
            live.kept = True
            task = asyncio.create_task(self._drive(live), name=f"bots {live.id}")
            self._driven[live.id] = task

    async def close(self) -> None:
        tasks = list(self._driven.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Private methods.

    async def _drive(self, live: LiveRace) -> None:
        players = [
            asyncio.create_task(self._play(live, seat.number, seat.bot or ""))
            for seat in _unfinished(live)
        ]
        try:
            while True:
                done, _ = await asyncio.wait(players, timeout=_RENEW_S)
                if len(done) == len(players):
                    for player in players:
                        player.result()
                    return
                if not await self._renewed(live):
                    return
        except Exception:
            logger.exception("The bots of race %s failed.", live.id)
        finally:
            for player in players:
                player.cancel()
            live.kept = False
            del self._driven[live.id]
            await self._drop(live)

    async def _renewed(self, live: LiveRace) -> bool:
        try:
            return await self._store.registry.lease(live.id, self._node, _LEASE_MS)
        except StoreUnavailable:
            # Whoever can reach the store takes over; until then this node goes on.
            return True

    async def _drop(self, live: LiveRace) -> None:
        try:
            await self._store.registry.lease_drop(live.id, self._node)
        except StoreUnavailable as error:
            logger.debug("The lease of %s runs out by itself: %s", live.id, error)

    async def _play(self, live: LiveRace, number: int, level: str) -> None:
        player = opponent(level, live.state.variant, self._random.randrange)
        while not live.state.has_started(live.now_ms()):
            start = live.state.start_ms
            if start is None or not live.usable:
                return  # The log went back to the lobby, or is gone.
            await asyncio.sleep(max(0.001, (start - live.now_ms()) / 1000))
        while True:
            await self._think()
            seat = live.state.seat(number)
            if seat is None or seat.is_done() or live.state.ended or not live.usable:
                return
            shown = told.seat_view(live.state, seat, live.now_ms())
            board = from_view(live.state.variant, shown.piles)
            try:
                if level in _QUICK:
                    move = player(board)
                else:
                    # Up to a tenth of a second or two that nobody else should wait.
                    move = await asyncio.to_thread(player, board)
            except Exception:
                # A fault of ours must not keep everybody waiting until the limit.
                logger.exception("Bot %s of %s gives up.", seat.name, live.id)
                move = None
            command: RaceCommand = commands.Resign(race=live.id)
            if move is not None:
                turn, moves = shown.turn, [str(move)]
                command = commands.Move(race=live.id, turn=turn, moves=moves)
            await self._ask(live, seat, command)

    async def _think(self) -> None:
        low, high = self._settings.bot_pace_ms
        await asyncio.sleep(self._random.uniform(low, high) / 1000)

    async def _ask(self, live: LiveRace, seat: Seat, command: RaceCommand) -> None:
        try:
            await live.ask(
                lambda race, now: decide(race, seat.player, command, now),
                self._settings.unavailable_s,
            )
        except Refusal as refusal:
            logger.debug("Bot %s of %s: %s", seat.name, live.id, refusal.message)
            await asyncio.sleep(_RETRY_S)


def _unfinished(live: LiveRace) -> list[Seat]:
    return [s for s in live.state.taken if s.built_in and not s.is_done()]

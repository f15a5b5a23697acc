"""Finding a race: made, joined, met by chance, or played again."""

import asyncio
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from samedeal_games import Variant
from samedeal_protocol import commands
from samedeal_protocol.names import CorrelationId, parse_code
from samedeal_protocol.settings import RaceSettings
from samedeal_protocol.updates import OpenRace
from samedeal_server.deals.drawing import Deals
from samedeal_server.hub.hub import Hub
from samedeal_server.hub.live import LiveRace
from samedeal_server.race import lobby
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.service import setup
from samedeal_server.service.identity import Player, new_id
from samedeal_server.settings import Settings
from samedeal_server.store import Store


# A race that was announced a moment ago may still be on its way to the log.
_ANNOUNCED_S: Final = 1.0
_GLANCE_S: Final = 0.05
_GRACE_MS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Guest:
    """Who asks, and from where."""

    player: Player
    is_bot: bool
    address: str


class Matching:
    """Every way into a race. All raise `Refusal`, or `StoreUnavailable`."""

    def __init__(
        self, hub: Hub, store: Store, deals: Deals, settings: Settings
    ) -> None:
        self._deals = deals
        self._hub = hub
        self._store = store
        self._settings = settings

    async def create(self, guest: Guest, command: commands.Create) -> LiveRace:
        """A new race with the guest as its host.

        The same command id from the same player within a minute gives the same
        race again, whatever else the command says.
        """
        race_id = new_id()
        if command.id is not UNSET:
            earlier = await self._store.registry.created_earlier(
                guest.player.id, _key(command.id)
            )
            if earlier is not None and await self._hub.find(earlier):
                return await self.join(guest, earlier)
        variant = setup.find(
            command.game, None if command.variant is UNSET else command.variant
        )
        settings = setup.resolve(command, winnable=self._deals.winnable)
        seed = setup.chosen_seed(command)
        await self._may_take_more(guest)
        if command.id is not UNSET:
            # Two of the same at the same moment: one id for both.
            race_id = await self._store.registry.created_reserve(
                guest.player.id, _key(command.id), race_id
            )
            if await self._hub.find(race_id):
                return await self.join(guest, race_id)
        await self._make(race_id, guest, variant, settings, seed)
        return await self.join(guest, race_id)

    async def join(self, guest: Guest, race_id: str) -> LiveRace:
        """A seat in a race; the same one again where the player has one."""
        live = await self._hub.get(race_id)
        if live.state.seat_of(guest.player.id) is None:
            await self._take_seat(guest, live)
        return live

    async def by_code(self, text: str) -> str:
        """The id of the race that people call by a code."""
        code = parse_code(text)
        race_id = None
        if code is not None:
            race_id = await self._store.registry.race_by_code(code)
        if race_id is None:
            raise Refusal("unknown_race", "No race has that code; check its letters.")
        return race_id

    async def quick(self, guest: Guest, game: str, variant: str | None) -> LiveRace:
        """A seat in a race with strangers, made if none waits for more."""
        found = setup.find(game, variant)
        again = await self._seated_in_quick(guest, found.game, found.name)
        if again is not None:
            return again
        await self._may_take_more(guest)
        proposed, registry = new_id(), self._store.registry
        names = found.game, found.name
        while True:
            barred = False
            for race_id in await registry.quick_pick(*names, proposed):
                if not await self._may_sit_from(guest, race_id):
                    barred = race_id != proposed
                    continue
                if race_id == proposed:
                    return await self._make_quick(guest, proposed, found)
                live = await self._try_quick(guest, race_id)
                if live is not None:
                    return live
                # Full, begun or never made: no candidate any more.
                await registry.quick_remove(*names, race_id)
            if barred:
                await registry.quick_add(*names, proposed)
                return await self._make_quick(guest, proposed, found)

    async def rematch(self, guest: Guest, race_id: str) -> LiveRace:
        """A seat in the race that follows one that the player is done with."""
        old = await self._hub.get(race_id)
        race, now = old.state, old.now_ms()
        seat = race.seat_of(guest.player.id)
        if seat is None:
            raise Refusal("not_in_race", "You have no seat in this race.")
        if not race.ended and not race.has_started(now) and seat.closed is None:
            raise Refusal("not_started", "This race has not been run yet.")
        if not race.ended and not seat.is_done():
            raise Refusal("race_started", "Finish or resign first.")
        live = await self._follow(guest, old)
        old.told.set_rematch(race, old.now_ms(), live.id)
        self._store.bells.ring_people(old.id)
        return live

    async def open_races(self) -> list[OpenRace]:
        """Open races in their lobby with a free seat, newest first."""
        listed: list[OpenRace] = []
        for race_id in await self._store.registry.lobby_list():
            try:
                live = await self._hub.get(race_id)
            except Refusal:
                continue
            race = live.state
            taken = len(race.taken)
            if race.in_lobby and race.settings.open and taken < len(race.seats):
                host = race.seat(race.host)
                listed.append(
                    OpenRace(
                        race=race.id,
                        code=race.code,
                        game=race.variant.game,
                        variant=race.variant.name,
                        host=host.name if host else "",
                        taken=taken,
                        seats=len(race.seats),
                    )
                )
        return listed

    async def unfinished(self, player: str) -> list[str]:
        """The races in which a player has a seat; stale entries are dropped."""
        races: list[str] = []
        for race_id in await self._store.registry.races_list(player):
            try:
                race = (await self._hub.get(race_id)).state
            except Refusal as refusal:
                if refusal.code == "unknown_race":
                    await self._store.registry.races_remove(player, race_id)
                continue
            if race.ended or race.seat_of(player) is None:
                await self._store.registry.races_remove(player, race_id)
            else:
                races.append(race_id)
        return races

    # Private methods.

    async def _make(
        self,
        race_id: str,
        guest: Guest,
        variant: Variant,
        settings: RaceSettings,
        seed: bytes | None = None,
        *,
        quick: bool = False,
    ) -> LiveRace:
        registry, cards = self._store.registry, seed
        if settings.deals == "winnable":
            cards = await self._deals.draw(variant, settings)
            if cards is None:
                settings = replace(settings, deals="any")
        first = setup.first_events(
            race=race_id,
            code=await registry.reserve_code(race_id),
            variant=variant,
            settings=settings,
            host=guest.player,
            is_bot=guest.is_bot,
            seed=cards,
            chosen=seed is not None,
            quick=quick,
        )
        # Before the log, so that a race is looked after from its first entry on.
        now = self._store.log.now_ms()
        await registry.due_at_most(race_id, now + _GRACE_MS)
        await registry.races_add(guest.player.id, race_id)
        live = await self._hub.create(race_id, first)
        if settings.open and seed is None:
            await registry.lobby_add(race_id, live.state.created_ms)
        return live

    async def _make_quick(
        self, guest: Guest, race_id: str, variant: Variant
    ) -> LiveRace:
        settings = RaceSettings(deals=self._deals.default)
        return await self._make(race_id, guest, variant, settings, quick=True)

    async def _take_seat(self, guest: Guest, live: LiveRace) -> None:
        player = guest.player
        await self._may_take_more(guest)
        await self._store.registry.races_add(player.id, live.id)

        def decide(race: Race, now: int) -> Decision:
            return lobby.join(race, player.id, player.name, guest.is_bot, now)

        try:
            await live.ask(decide, self._settings.unavailable_s)
        except Refusal as refusal:
            if refusal.code != "unavailable":
                await self._store.registry.races_remove(player.id, live.id)
            raise

    async def _may_take_more(self, guest: Guest) -> None:
        limit = self._settings.limits.races_per_player
        if not limit:
            return
        player = guest.player.id
        if len(await self._store.registry.races_list(player)) < limit:
            return
        if len(await self.unfinished(player)) >= limit:
            raise Refusal(
                "too_many_races",
                f"You are in {limit} unfinished races; finish or leave one first.",
            )

    async def _seated_in_quick(
        self, guest: Guest, game: str, variant: str
    ) -> LiveRace | None:
        for race_id in await self.unfinished(guest.player.id):
            live = await self._hub.get(race_id)
            race = live.state
            meant = race.variant.game == game and race.variant.name == variant
            if not race.quick or not meant or race.has_started(live.now_ms()):
                continue
            seat = race.seat_of(guest.player.id)
            if seat is not None and seat.closed is None:
                return live
        return None

    async def _try_quick(self, guest: Guest, race_id: str) -> LiveRace | None:
        deadline = asyncio.get_running_loop().time() + _ANNOUNCED_S
        while (live := await self._hub.find(race_id)) is None:
            if asyncio.get_running_loop().time() > deadline:
                return None
            await asyncio.sleep(_GLANCE_S)
        try:
            await self._take_seat(guest, live)
        except Refusal as refusal:
            if refusal.code in ("race_full", "race_started", "rate_limited"):
                return None
            raise
        return live

    async def _may_sit_from(self, guest: Guest, race_id: str) -> bool:
        """Whether the guest's address may have another seat in a quick race."""
        most = self._settings.limits.quick_seats_per_address
        if not most:
            return True
        return await self._store.registry.quick_from(race_id, guest.address) <= most

    async def _follow(self, guest: Guest, old: LiveRace) -> LiveRace:
        registry, race = self._store.registry, old.state
        new = await registry.rematch_reserve(old.id, new_id())
        for _ in range(2):
            live = await self._hub.find(new)
            if live is None:
                await self._may_take_more(guest)
                settings = race.settings
                if race.chosen:
                    # Whoever chose that deal said nothing of the next one's.
                    settings = replace(settings, deals=self._deals.default)
                live = await self._make(new, guest, race.variant, settings)
            if not (live.state.ended and live.state.start_ms is None):
                break
            # Everybody left that one before it began.
            new = await registry.rematch_reserve(old.id, new_id(), instead_of=new)
        return await self.join(guest, new)


def _key(command_id: CorrelationId) -> str:
    """An id as a key: the number 1 and the text "1" are different ids."""
    kind = "s" if isinstance(command_id, str) else "i"
    return f"{kind}{command_id}"

"""Commands that lead into a race, or that no race is needed for."""

import asyncio
import contextlib
import functools
from collections.abc import Generator
from typing import TYPE_CHECKING, assert_never

from msgspec import UNSET

import samedeal_server
from samedeal_games import GAMES
from samedeal_protocol import commands
from samedeal_protocol.names import MAX_MOVES, MAX_SEATS
from samedeal_protocol.updates import (
    GameInfo,
    Games,
    Joined,
    Limits,
    LobbyList,
    VariantInfo,
    Welcome,
)
from samedeal_server.hub.audience import Re, answer
from samedeal_server.hub.live import LiveRace
from samedeal_server.net.services import Services
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.service.identity import identify
from samedeal_server.service.matching import Guest


if TYPE_CHECKING:
    from samedeal_server.net.session import Session

EntryCommand = (
    commands.Hello
    | commands.ListGames
    | commands.Create
    | commands.Join
    | commands.Quick
    | commands.Lobby
    | commands.Watch
    | commands.Rematch
    | commands.Sync
    | commands.Hint
    | commands.Analyse
)

# How often a client may want to ping, to notice a dead server.
HEARTBEAT_MS = 10_000


class Entry:
    """Answers such commands. All raise `Refusal`, or `StoreUnavailable`."""

    def __init__(self) -> None:
        self.services: Services

    async def answer(self, session: "Session", command: EntryCommand) -> None:
        """Do what is asked and tell the session."""
        match command:
            case commands.Hello():
                await self._hello(session, command)
            case commands.ListGames():
                answer(session, catalogue(), command.id)
            case commands.Create():
                await self._create(session, command)
            case commands.Join():
                await self._join(session, command)
            case commands.Quick():
                variant = None if command.variant is UNSET else command.variant
                live = await self.services.matching.quick(
                    _guest(session), command.game, variant
                )
                await self._joined(session, live, command.id)
            case commands.Lobby():
                races = await self.services.matching.open_races()
                answer(session, LobbyList(races=races), command.id)
            case commands.Watch():
                await self._watch(session, command)
            case commands.Rematch():
                live = await self.services.matching.rematch(
                    _guest(session), command.race
                )
                await self._joined(session, live, command.id)
            case commands.Sync():
                await self._sync(session, command)
            case commands.Hint():
                live = await self.services.hub.get(command.race)
                answer(
                    session,
                    await self.services.advice.ask(live, session.player),
                    command.id,
                )
            case commands.Analyse():
                seat = None if command.seat is UNSET else command.seat
                found = await self.services.hindsight.ask(
                    command.race, session.address, seat
                )
                answer(session, found, command.id)
            case _:
                assert_never(command)

    # Private methods.

    async def _hello(self, session: "Session", command: commands.Hello) -> None:
        if session.guest is not None:
            raise Refusal("bad_message", "You have said hello already.")
        player = await identify(
            self.services.store,
            None if command.name is UNSET else command.name,
            None if command.token is UNSET else command.token,
        )
        races = []
        if command.token is not UNSET:
            races = await self.services.matching.unfinished(player.id)
        session.arrived(player, command.bot)
        try:
            await self.services.people.arrive(session)
        except BaseException:
            session.guest = None
            raise
        limits = self.services.settings.limits
        welcome = Welcome(
            player=player.id,
            name=player.name,
            token=player.token,
            server=samedeal_server.__version__,
            now_ms=self.services.now_ms(),
            heartbeat_ms=HEARTBEAT_MS,
            limits=Limits(
                message_bytes=self.services.settings.message_bytes,
                moves=MAX_MOVES,
                seats=MAX_SEATS,
                races=limits.races_per_player,
                messages_per_s=limits.messages_per_s,
            ),
            races=races,
        )
        answer(session, welcome, command.id)

    async def _create(self, session: "Session", command: commands.Create) -> None:
        live = await self.services.matching.create(_guest(session), command)
        await self._joined(session, live, command.id)

    async def _join(self, session: "Session", command: commands.Join) -> None:
        race = await self._named(session, command.race, command.code)
        with _about(race):
            live = await self.services.matching.join(_guest(session), race)
        await self.services.hub.get(live.id, fresh=True)
        await self._joined(session, live, command.id)

    async def _joined(self, session: "Session", live: LiveRace, re: Re) -> None:
        """Tell somebody of the seat, and everyone of the newcomer."""
        await self._in_turn(live)
        seat = live.state.seat_of(session.player)
        if seat is None:
            raise Refusal("not_in_race", "You were put out of this race.")
        now = live.now_ms()
        session.subscribe(live)
        session.tell(
            Joined(re=re, race=live.id, code=live.state.code, seat=seat.number)
        )
        live.told.show(live.state, now, session)

    async def _watch(self, session: "Session", command: commands.Watch) -> None:
        race_id = await self._named(session, command.race, command.code)
        live = await self.services.hub.get(race_id, fresh=True)
        race = live.state
        seated = race.seat_of(session.player) is not None
        if command.code is UNSET and not race.settings.open and not seated:
            raise Refusal("unknown_race", "That race is watched by its code only.")
        now = live.now_ms()
        session.subscribe(live)
        if race.ended and not seated:
            live.told.show(race, now, session, command.id)
        else:
            answer(session, live.told.info(race, now), command.id)

    async def _sync(self, session: "Session", command: commands.Sync) -> None:
        live = await self.services.hub.get(command.race, fresh=True)
        race = live.state
        if race.seat_of(session.player) is None:
            raise Refusal("not_in_race", "You have no seat in this race.")
        turn = None if command.turn is UNSET else command.turn
        session.subscribe(live)
        live.told.show(race, live.now_ms(), session, command.id, turn)

    async def _in_turn(self, live: LiveRace) -> None:
        """Wait for what is under way, so that answers come in order; after a gap
        that is reading the log's tail."""
        if not live.idle or live.needs_reading:
            await live.ask(_look, self.services.settings.unavailable_s)

    async def _named(self, session: "Session", race: Re, code: Re) -> str:
        """The id of a race named by either."""
        if isinstance(race, str):
            return race
        now_s = asyncio.get_running_loop().time()
        if not self.services.addresses.may_join(session.address, now_s):
            raise Refusal("rate_limited", "Too many codes tried; wait a minute.")
        return await self.services.matching.by_code(str(code))


@functools.cache
def catalogue() -> Games:
    """The games of this server, for the `games` command."""
    return Games(
        games=[
            GameInfo(
                game=game.name,
                title=game.title,
                rules=game.rules,
                default=game.default,
                variants=[
                    VariantInfo(
                        variant=variant.name,
                        title=variant.title,
                        about=variant.about,
                        hidden=variant.hidden,
                    )
                    for variant in game.variants
                ],
            )
            for game in GAMES.values()
        ]
    )


@contextlib.contextmanager
def _about(race: str) -> Generator[None, None, None]:
    """Refusals in the block say which race they are about."""
    try:
        yield
    except Refusal as refusal:
        refusal.race = race
        raise


def _guest(session: "Session") -> Guest:
    assert session.guest is not None
    return session.guest


def _look(race: Race, now: int) -> Decision:
    return NOTHING

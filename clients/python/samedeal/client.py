"""A player's connection to a server."""

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self, TypeVar, cast

from msgspec import UNSET, UnsetType

from samedeal.errors import Closed
from samedeal.race import Race, take_seat
from samedeal.requests import Answer
from samedeal.session import Session
from samedeal_protocol import commands
from samedeal_protocol.names import is_race_id
from samedeal_protocol.updates import GameInfo, Games, LobbyList, OpenRace, Welcome


T = TypeVar("T")


class Client:
    """One player on one server. Made by `connect`.

    Every method that asks something of the server raises a `SamedealError`
    where that is refused, or cannot be answered in the client's `timeout`.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    # Who and where.

    @property
    def player(self) -> str:
        """Your public id."""
        return self._welcome.player

    @property
    def name(self) -> str:
        """Your name, as races that you join from now on will show it."""
        return self._welcome.name

    @property
    def token(self) -> str:
        """Your secret: give it to `connect` to be the same player later."""
        return self._welcome.token

    @property
    def races(self) -> tuple[str, ...]:
        """Ids of the unfinished races you had a seat in when last connecting."""
        return tuple(self._welcome.races)

    @property
    def connected(self) -> bool:
        """Whether there is a connection at this moment."""
        return self._session.connected

    def __repr__(self) -> str:
        state = "connected" if self.connected else "not connected"
        return f"<Client {self.name} ({self.player}), {state}>"

    # Finding races.

    async def games(self) -> Sequence[GameInfo]:
        """The games and variants that the server offers, with their rules."""
        return await self._session.ask(commands.ListGames(), _read_games)

    async def lobby(self) -> Sequence[OpenRace]:
        """The open races that wait for players."""
        return await self._session.ask(commands.Lobby(), _read_lobby)

    # Taking part.

    async def create(
        self,
        game: str,
        variant: str | None = None,
        *,
        seats: int | None = None,
        bots: Sequence[str] = (),
        countdown_ms: int | None = None,
        time_limit_ms: int | None = None,
        undo: bool | None = None,
        open: bool | None = None,
        deals: str | None = None,
        seed: str | None = None,
        hints: bool | None = None,
    ) -> Race:
        """Set up a race and take its first seat; `Race.code` is for the others.

        What is not given is up to the server.

        Args:
            game: `juvenile`, `simple-pairs`, `doublets`, `private-lane` or
                `straight-fifteens`; see `games`.
            variant: a reading of its rules.
            seats: how many can race, 1 to 16.
            bots: levels of built-in opponents: `easy`, `medium`, `hard` or `expert`, or
                one of the simple ones, `random` and `greedy`.
            countdown_ms: from everyone being ready to the start, 0 to 60000.
            time_limit_ms: for the race, 10000 to 3600000.
            undo: whether moves can be taken back.
            open: whether it is listed in the lobby for everyone.
            deals: `any`, or `winnable` for a deal that can be cleared.
            seed: 32 hex digits, to play a certain deal; such a race never counts.
            hints: whether `Race.hint` is answered; such a race is practice.
        """
        return await take_seat(
            self._session,
            commands.Create(
                game=game,
                variant=_given(variant),
                seats=_given(seats),
                bots=list(bots) or UNSET,
                countdown_ms=_given(countdown_ms),
                time_limit_ms=_given(time_limit_ms),
                undo=_given(undo),
                open=_given(open),
                deals=_given(deals),
                seed=_given(seed),
                hints=_given(hints),
            ),
        )

    async def join(self, race: str) -> Race:
        """Take a seat in a race, or your own again, by its code or id."""
        if is_race_id(race):
            return await take_seat(self._session, commands.Join(race=race))
        return await take_seat(self._session, commands.Join(code=race))

    async def quick(self, game: str, variant: str | None = None) -> Race:
        """Race against whoever else asks for the same; it starts by itself."""
        command = commands.Quick(game=game, variant=_given(variant))
        return await take_seat(self._session, command)

    async def resume(self, race: str) -> Race:
        """Go on with a race that you have a seat in, by its id (see `races`)."""
        tracker = self._session.follow(race)
        tracker.revive()
        tracker.sync()
        await self._session.until(
            tracker, lambda mirror: mirror.info is not None and not mirror.behind
        )
        return Race(self._session, tracker)

    async def watch(self, race: str) -> Race:
        """Follow a race from outside, by its code or, if it is open, by its id."""
        if is_race_id(race):
            command = commands.Watch(race=race)
        else:
            command = commands.Watch(code=race)
        tracker = await self._session.ask(command, lambda answer: answer.tracker)
        assert tracker is not None, "What is watched is a race."
        return Race(self._session, tracker)

    # The connection.

    async def ping(self) -> float:
        """Seconds to the server and back; it also shows that both are alive."""
        clock = asyncio.get_running_loop().time
        then = clock()
        await self._session.ask(commands.Ping(), lambda answer: None, again=False)
        return clock() - then

    async def close(self) -> None:
        """Close the connection. Commands under way fail with `Closed`.

        Your seats stay yours: `connect` with the same token takes them up.
        """
        await self._session.close(Closed("The client was closed."))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def _welcome(self) -> Welcome:
        welcome = self._session.welcome
        assert welcome is not None, "A client is handed out once it is connected."
        return welcome


def _given(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


def _read_games(answer: Answer) -> Sequence[GameInfo]:
    return cast("Games", answer.update).games


def _read_lobby(answer: Answer) -> Sequence[OpenRace]:
    return cast("LobbyList", answer.update).races

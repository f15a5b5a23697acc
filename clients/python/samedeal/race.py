"""A race, as its player or watcher handles it."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from samedeal import advice
from samedeal.boards import Board
from samedeal.errors import Finished, NotInRace, NotStarted
from samedeal.feed import Updates
from samedeal.requests import Answer
from samedeal.session import Session
from samedeal.standings import Standing, standings
from samedeal.tracker import Tracker
from samedeal_games import Move
from samedeal_protocol import commands
from samedeal_protocol.names import ErrorCode
from samedeal_protocol.updates import Analysis, Hint, Progress, RaceInfo


class Race:
    """One race: what is known of it, kept current, and what can be done in it.

    Made by `Client.create`, `join`, `quick`, `watch` and `resume`. A race is
    followed for as long as it, or an iterator over its updates, is held.

    Every method that asks something of the server raises a `SamedealError`
    where that is refused, or cannot be answered in the client's `timeout`.
    """

    def __init__(self, session: Session, tracker: Tracker) -> None:
        self._session = session
        self._tracker = tracker

    # What is known.

    @property
    def id(self) -> str:
        """The race's id."""
        return self._tracker.mirror.race

    @property
    def code(self) -> str:
        """The six letters that others join by."""
        return self.info.code

    @property
    def info(self) -> RaceInfo:
        """The latest `race` update: settings, phase, seats."""
        info = self._tracker.mirror.info
        assert info is not None, "A race is handed out once its info is there."
        return info

    @property
    def seat(self) -> int | None:
        """Your seat, None when watching."""
        return self._tracker.mirror.seat

    @property
    def board(self) -> Board:
        """Your own board, as the server last confirmed it.

        Raises:
            NotStarted: nothing is to be seen before the start.
            NotInRace: you have no board here.
        """
        seat = self.seat
        if seat is None:
            raise NotInRace("You have no seat in this race.", race=self.id)
        board = self.boards.get(seat)
        if board is None:
            raise NotStarted(
                "There is no board before the start; await race.started().",
                race=self.id,
            )
        return board

    @property
    def boards(self) -> Mapping[int, Board]:
        """Boards by seat: your own from the start on, everyone's after the end."""
        return MappingProxyType(self._tracker.mirror.boards)

    @property
    def progress(self) -> Mapping[int, Progress]:
        """How far each taken seat is, by seat: turn, cards left, status, time."""
        return MappingProxyType(self._tracker.mirror.progress)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The standings, best first; empty until the race has ended."""
        return standings(self.info)

    @property
    def digest(self) -> str | None:
        """The digest of the race's log, once it has ended; see `fetch_log`."""
        return self._tracker.mirror.digest

    def __repr__(self) -> str:
        info = self.info
        return f"<Race {info.code}: {info.game} {info.variant}, {info.phase}>"

    # Waiting.

    async def started(self) -> None:
        """Wait for the start; your board is there then.

        Raises:
            NotInRace: your seat was freed.
            Finished: the race ended without a start.
        """
        await self._tracker.until(lambda mirror: mirror.started)
        if self.info.phase == "ended" and not self.standings:
            raise Finished("The race ended before it began.", race=self.id)

    async def ended(self) -> tuple[Standing, ...]:
        """Wait until the race has ended and every board was shown.

        Returns:
            The standings, best first; empty for a race that never began.

        Raises:
            NotInRace: your seat was freed.
        """
        await self._tracker.until(lambda mirror: mirror.complete)
        return self.standings

    def updates(self, *, limit: int = 1000) -> Updates:
        """Iterate over everything that is told about this race from now on.

        ```python
        async for update in race.updates():
            match update:
                case samedeal.Progress(seat=seat, left=left): ...
        ```

        Gives `RaceInfo`, `View`, `Patch` and `Progress` in the order they come,
        and ends when the race has ended and every board was shown (of a race
        that has, it gives what still comes, such as an offer of a rematch).

        Args:
            limit: how many unread updates are kept. Beyond that, of `RaceInfo`
                and of each other seat's `Progress` only the newest is; your
                board's own patches are never dropped: too many of those unread
                end the iteration with `FellBehind`.
        """
        return self._tracker.updates(limit)

    async def sync(self) -> None:
        """Ask the server for the present state.

        There is rarely a need: after a lost connection, or where an update does
        not fit, this happens by itself.
        """
        self._tracker.sync()
        await self._session.until(self._tracker, lambda mirror: not mirror.behind)

    # In the lobby.

    async def ready(self, ready: bool = True) -> None:
        """Say that you are ready (or not); when all are, the countdown begins."""
        command = commands.Ready(race=self.id, ready=ready)
        # Sent again after it was done, it may come when the countdown has begun.
        done_if = _STARTED if ready else _NEVER
        await self._session.ask(command, _nothing, done_if=done_if)

    async def start(self) -> None:
        """As host: begin the countdown now, whoever is ready."""
        await self._session.ask(commands.Start(race=self.id), _nothing)

    async def kick(self, seat: int) -> None:
        """As host: put another seat out of the lobby."""
        command = commands.Kick(race=self.id, seat=seat)
        # Sent again, it could meet whoever took the seat meanwhile.
        await self._session.ask(command, _nothing, again=False, retry=False)

    async def leave(self) -> None:
        """Free your seat in the lobby, resign later, or stop watching."""
        command = commands.Leave(race=self.id)
        await self._session.ask(command, _nothing, done_if=_GONE)
        if self.seat is None:
            left = NotInRace("You have left this race.", race=self.id)
            self._tracker.end(left, quietly=True)

    # Playing.

    def move(self, *moves: str | Move) -> asyncio.Future[Board]:
        """Play one move, or several as one turn: all of them or none.

        Awaiting gives your board, once the server has the move in its log.
        Without awaiting, the next move can follow at once: moves are played in
        the order of calling, and when one is refused, those after it fail with
        `StaleTurn`. What was asked is sent again after a lost connection, and
        never played twice; cancelling does not take it back.

        Raises:
            BadMove, IllegalMove, Finished, StaleTurn, …: nothing was played.
            NoAnswer, Unavailable: it may or may not have been played.
        """
        if not moves:
            raise ValueError("Give at least one move.")
        command = commands.Move(
            race=self.id, turn=self._next_turn(), moves=[str(move) for move in moves]
        )
        return self._session.ask(command, lambda _: self.board)

    def undo(self) -> asyncio.Future[Board]:
        """Take back your latest turn; otherwise like `move`."""
        command = commands.Undo(race=self.id, turn=self._next_turn())
        return self._session.ask(command, lambda _: self.board)

    async def resign(self) -> None:
        """Give up."""
        await self._session.ask(commands.Resign(race=self.id), _nothing)

    async def hint(self) -> Hint:
        """Advice on your board as it stands: a legal move, and why.

        `move` is `msgspec.UNSET` where no move is left.

        Raises:
            BadSettings: the race was set up without hints.
            NotInRace, NotStarted, Finished: you are not playing.
            RateLimited: a hint is being worked out for you, or many wait for one.
        """
        return await advice.hint(self._session, self.id)

    # Afterwards.

    async def analyse(self, seat: int | None = None) -> Analysis:
        """What could have become of the deal, once the race has ended.

        For each seat (or one): the last turn at which its board could still be
        cleared, the move that lost it, and a line that would have won from there; for
        a deal that nobody could clear, the fewest cards that could have been left.
        What the server could not find out is said to be unknown. It may take the
        server some seconds; the client's other commands do not wait for it.

        Raises:
            NotStarted, RaceStarted: it has not ended, or nobody played.
            NotInRace: nobody raced in that seat.
            RateLimited: you have asked for several races; wait for these.
            Unavailable: it was not to be had in the client's `timeout`.
        """
        return await advice.analysis(self._session, self.id, seat)

    async def rematch(self) -> "Race":
        """Take a seat in a new race with the same settings and another deal.

        Any seat that is done may ask; everyone who does meets in the same race.
        """
        return await take_seat(self._session, commands.Rematch(race=self.id))

    # Private.

    def _next_turn(self) -> int:
        return self._session.next_turn(self.id, self._tracker.mirror.turn or 0)


async def take_seat(
    session: Session,
    command: commands.Create | commands.Join | commands.Quick | commands.Rematch,
) -> Race:
    """Ask for a seat, and give the race once it is known.

    Raises:
        SamedealError: there is none to be had.
    """
    tracker = await session.ask(command, lambda answer: answer.tracker)
    assert tracker is not None, "A seat is in a race."
    await session.until(tracker, lambda mirror: mirror.info is not None)
    return Race(session, tracker)


def _nothing(_: Answer) -> None:
    """What there is to read of an answer that only says: done."""


_NEVER: frozenset[ErrorCode] = frozenset()
_STARTED: frozenset[ErrorCode] = frozenset({"race_started"})
_GONE: frozenset[ErrorCode] = frozenset({"not_in_race"})

"""A built-in player on any server: it joins by the SDK, and sees what anyone sees."""

import asyncio
import contextlib
import random
from dataclasses import dataclass, field

import samedeal
from samedeal_cli.output import stdout_console
from samedeal_games import GAMES, State, choose
from samedeal_terminal.races import draw_standings


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a bot thinks: around so many seconds, more or less by two fifths.

    1.4 is a person's 0.8 to 2 s.
    """

    seconds: float

    def next_s(self) -> float:
        """How long to think this time."""
        return random.uniform(0.6, 1.4) * self.seconds

    def range_ms(self) -> tuple[int, int]:
        """The shortest and the longest time, in milliseconds."""
        return round(600 * self.seconds), round(1400 * self.seconds)


@dataclass(slots=True)
class Player:
    """One bot in one race."""

    race: samedeal.Race
    level: str
    pace: Pace
    _seen: set[State] = field(default_factory=set[State])

    async def take_part(self) -> None:
        """Be ready, play for as long as there is a move, and stay to the end.

        It never goes round in circles: where only that is left, it resigns.

        Raises:
            samedeal.SamedealError: its seat was freed, or the server is gone.
        """
        await self.race.ready()
        await self.race.started()
        await self._play()
        await self.race.ended()

    async def _play(self) -> None:
        while self.race.board.playing:
            await asyncio.sleep(self.pace.next_s())
            try:
                await self._step(self.race.board)
            except samedeal.Finished:
                return  # Out of time, meanwhile.

    async def _step(self, board: samedeal.Board) -> None:
        if not board.playing:
            return
        state = board.state
        self._seen.add(state)
        move = choose(self.level, state, random.randrange, seen=self._seen)
        if move is None:
            await self.race.resign()
        else:
            await self.race.move(move)


async def visit(server: str, code: str, level: str, name: str, pace: Pace) -> None:
    """Join a race by its code, play it to its end, and print the standings.

    Cancelled, the seat is given up first.

    Raises:
        samedeal.SamedealError: the server cannot be reached, or does not want us.
    """
    async with samedeal.connect(server, name=name, bot=True) as client:
        try:
            race = await client.join(code)
            _say_seated(race)
            await Player(race, level, pace).take_part()
        except asyncio.CancelledError:
            with contextlib.suppress(samedeal.SamedealError, TimeoutError):
                async with asyncio.timeout(2):
                    # To join again is to have the same seat, whatever came of the
                    # first time.
                    await (await client.join(code)).leave()
            raise
        standings = draw_standings(race.info)
        stdout_console().print(standings)


def _say_seated(race: samedeal.Race) -> None:
    info = race.info
    me = next(seat.name for seat in info.seats if seat.seat == race.seat)
    game = f"{GAMES[info.game].title}, {info.variant}"
    stdout_console().print(f"{me} has seat {race.seat} in race {info.code}: {game}.")

"""A built-in player on any server: it joins by the SDK, and sees what anyone sees."""

import asyncio
import contextlib
import random
from dataclasses import dataclass

import samedeal
from samedeal_cli.asking import DEFAULT_SERVER
from samedeal_cli.output import stdout_console
from samedeal_games import GAMES, Opponent, find_variant, opponent
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


@dataclass(frozen=True, slots=True)
class Player:
    """One bot in one race."""

    race: samedeal.Race
    level: str
    pace: Pace

    async def take_part(self) -> None:
        """Be ready, play for as long as there is a move, and stay to the end.

        It resigns where it has nothing to hope for, and sooner than go round in
        circles.

        Raises:
            samedeal.SamedealError: its seat was freed, or the server is gone.
        """
        await self.race.ready()
        await self.race.started()
        await self._play()
        await self.race.ended()

    async def _play(self) -> None:
        info = self.race.info
        variant = find_variant(info.game, info.variant)
        player = opponent(self.level, variant, random.randrange)
        while self.race.board.playing:
            await asyncio.sleep(self.pace.next_s())
            try:
                await self._step(player, self.race.board)
            except samedeal.Finished:
                return  # Out of time, meanwhile.

    async def _step(self, player: Opponent, board: samedeal.Board) -> None:
        if not board.playing:
            return
        # Thinking takes up to a tenth of a second, in which the connections live on.
        move = await asyncio.to_thread(player, board.state)
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
        console = stdout_console()
        console.print(draw_standings(race.info))
        where = "" if server == DEFAULT_SERVER else f" --server {server}"
        console.print(f"See it again: samedeal replay {race.id}{where}", soft_wrap=True)


def _say_seated(race: samedeal.Race) -> None:
    """Print who has which seat; raises `NotInRace` where that was lost already."""
    info = race.info
    me = next((seat.name for seat in info.seats if seat.seat == race.seat), None)
    if me is None:
        raise samedeal.NotInRace("The seat was taken away at once.", race=race.id)
    game = f"{GAMES[info.game].title}, {info.variant}"
    stdout_console().print(f"{me} has seat {race.seat} in race {info.code}: {game}.")

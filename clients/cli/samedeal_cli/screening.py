"""A film of a race, shown: in a terminal in the time it took, piped as text."""

import time
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from samedeal_cli.errors import Failure
from samedeal_cli.hindsight import about_deal
from samedeal_cli.output import stdout_console, stdout_glyphs
from samedeal_cli.playback import Frame, at_turn, chosen_seats, seats_of
from samedeal_games import GAMES, MAX_NODES
from samedeal_server.race.analysis import analyse
from samedeal_terminal.boards import draw_board
from samedeal_terminal.races import clock, draw_progress, draw_standings


class Screening:
    """One film and whom to show: a seat, or all of them."""

    def __init__(
        self, frames: Sequence[Frame], seat: int | None, *, analysed: bool = False
    ) -> None:
        """Take the frames of a race, at least one.

        ``analysed`` marks the move by which a seat lost the deal, where it did: that
        takes a while to find, a few seconds for a hard deal.

        Raises:
            Failure: nobody raced in that seat.
        """
        self._frames = frames
        self._seats = chosen_seats(seats_of(frames), seat)
        self._analysis = analyse(frames[-1].race, self._seats) if analysed else None
        self._console = stdout_console()
        self._glyphs = stdout_glyphs()

    def play(self, speed: float) -> None:
        """Show every frame, then the standings."""
        self._print_title()
        if self._console.is_terminal:
            self._play_live(speed)
        else:
            self._play_piped()
        self._console.print()
        last = self._frames[-1].info()
        self._console.print(draw_standings(last))

    def still(self, turn: int) -> None:
        """Show the boards as they were at that turn.

        Raises:
            Failure: no seat to be shown was ever at that turn.
        """
        found = {seat: at_turn(self._frames, seat, turn) for seat in self._seats}
        if not any(found.values()):
            race = self._frames[-1].race
            most = max(seat.turn for seat in race.taken if seat.number in self._seats)
            raise Failure(f"There is no turn {turn} here; the last one is {most}.")
        self._print_title()
        for seat, frame in found.items():
            if frame is not None:
                self._console.print(self._board(frame, seat))

    def _play_piped(self) -> None:
        for frame in self._frames:
            for seat in self._movers(frame):
                self._console.print(self._board(frame, seat))

    def _play_live(self, speed: float) -> None:
        shown_ms = 0
        with Live(console=self._console, auto_refresh=False) as live:
            for frame in self._frames:
                time.sleep((frame.at_ms - shown_ms) / 1000 / speed)
                shown_ms = frame.at_ms
                live.update(self._scene(frame), refresh=True)

    def _scene(self, frame: Frame) -> RenderableType:
        """Everybody's progress, and the boards for which there is room."""
        progress = draw_progress(frame.info(), glyphs=self._glyphs)
        boards = {seat: self._board(frame, seat) for seat in self._seats}
        lines = sum(board.plain.count("\n") + 1 for board in boards.values())
        if progress.row_count + lines > self._console.height - 2:
            first = (*self._movers(frame), *self._seats)[0]
            boards = {first: boards[first]}
        return Group(progress, *boards.values())

    def _movers(self, frame: Frame) -> list[int]:
        return [seat for seat in frame.seats if seat in self._seats]

    def _print_title(self) -> None:
        race = self._frames[0].race
        title = GAMES[race.variant.game].title
        self._console.print(f"{title}, {race.variant.name}, race {race.id}")
        if self._analysis is not None:
            self._console.print(about_deal(self._analysis, MAX_NODES))

    def _board(self, frame: Frame, number: int) -> Text:
        seat = frame.race.seat(number)
        assert seat is not None
        view = frame.view(number)
        played = frame.played if number in frame.seats else ""
        head = f"{clock(frame.at_ms)}  {seat.name}, turn {view.turn}  {played}"
        board = draw_board(
            frame.race.variant,
            view.piles,
            glyphs=self._glyphs,
            touched=frame.touched(number),
        )
        stands = f"{view.left} left, {view.status.replace('_', ' ')}"
        return (
            Text(f"\n{head.rstrip()}")
            + Text(self._mark(frame, number), style="bold red")
            + Text("\n")
            + board
            + Text(f"\n{stands}", style="dim")
        )

    def _mark(self, frame: Frame, number: int) -> str:
        """What marks a board from the turn that lost the deal to the end."""
        chance = self._analysis and self._analysis.chances.get(number)
        before, after = frame.before.seat(number), frame.race.seat(number)
        assert before is not None
        assert after is not None
        if not chance or chance.lost_by is None or chance.turn is None:
            return ""
        if after.turn <= chance.turn:
            return ""
        if before.turn == chance.turn:
            return f"  <- the deal was lost by {chance.lost_by}"
        return f"  (lost at turn {chance.turn})"

"""What a client knows of a race: kept current from updates, and without I/O."""

from msgspec import UNSET

from samedeal.boards import Board, from_update, patched
from samedeal_protocol.updates import Patch, Progress, RaceInfo, View


RaceUpdate = RaceInfo | View | Patch | Progress
"""An update that tells something about a race."""


class Mirror:
    """One race as told to one player, who may be seated in it or watching.

    Attributes:
        race, player: ids.
        info: the latest `race` update; None before the first.
        seat: the player's seat, or None.
        boards: the player's own board from the start, everyone's after the end.
        progress: how far each seat is, by seat.
        digest: of the log, from the end on.
        behind: the own board may lack something until a `sync` is answered.
    """

    def __init__(self, race: str, player: str) -> None:
        self.race = race
        self.player = player
        self.info: RaceInfo | None = None
        self.seat: int | None = None
        self.boards: dict[int, Board] = {}
        self.progress: dict[int, Progress] = {}
        self.digest: str | None = None
        self.behind = False
        self._answered = False
        self._revealed: set[int] = set()

    @property
    def turn(self) -> int | None:
        """The turn of the own board; None where there is no board yet."""
        board = None if self.seat is None else self.boards.get(self.seat)
        return None if board is None else board.turn

    @property
    def started(self) -> bool:
        """Whether play has begun, with all shown that is to be seen then."""
        if self.info is None or self.info.phase in ("lobby", "countdown"):
            return False
        if self.seat is None or self.info.phase == "ended":
            return True
        resigned = self.progress[self.seat].status == "resigned"
        return self.seat in self.boards or resigned

    @property
    def complete(self) -> bool:
        """Whether the race is over and every seat's board has been shown."""
        if self.info is None or self.info.phase != "ended":
            return False
        placed = {seat.seat for seat in self.info.seats if seat.place is not UNSET}
        return placed <= self._revealed

    def see(self, update: RaceUpdate) -> bool:
        """Take in an update about this race.

        Returns:
            False where the own board does not fit what was told: the caller
            must then `sync` from `turn`, and say so with `ask_sync`.
        """
        match update:
            case RaceInfo():
                self._see_race(update)
            case Progress():
                self.progress[update.seat] = update
            case View():
                self._see_view(update)
            case Patch():
                return self._see_patch(update)
        return True

    def ask_sync(self) -> None:
        """A `sync` is on its way: the board is behind until it is answered."""
        self.behind = True
        self._answered = False

    def see_synced(self) -> None:
        """The `race` that answers a `sync` was seen; what it shows comes next."""
        self._answered = True
        playing = self.info is not None and self.info.phase in ("racing", "ended")
        if self.seat is None or not playing or self.complete:
            self.behind = False

    def _see_race(self, info: RaceInfo) -> None:
        self.info = info
        if info.phase != "ended":
            self._revealed.clear()
        if info.digest is not UNSET:
            self.digest = info.digest
        taken = {seat.seat: seat for seat in info.seats}
        mine = [seat.seat for seat in info.seats if seat.player == self.player]
        self.seat = mine[0] if mine else None
        self.progress = {
            number: Progress(
                race=self.race,
                seat=number,
                turn=seat.turn,
                left=seat.left,
                status=seat.status,
                elapsed_ms=seat.elapsed_ms,
            )
            for number, seat in taken.items()
        }

    def _see_view(self, view: View) -> None:
        assert self.info is not None
        self.boards[view.seat] = from_update(self.info.game, self.info.variant, view)
        if self.info.phase == "ended":
            self._revealed.add(view.seat)
        self._see_seat(view)

    def _see_patch(self, patch: Patch) -> bool:
        if patch.seat != self.seat:
            return True
        board = self.boards.get(patch.seat)
        if board is None:
            # Before the start there is nothing but a status to tell.
            fits = self.info is not None and self.info.phase in ("lobby", "countdown")
        else:
            after = patched(board, patch)
            fits = after is not None
            if after is not None:
                self.boards[patch.seat] = after
        if fits:
            self._see_seat(patch)
        return fits

    def _see_seat(self, update: View | Patch) -> None:
        """Note how far the seat is; for the own one, that it is current again."""
        known = self.progress.get(update.seat)
        if known is None or update.turn >= known.turn or isinstance(update, View):
            self.progress[update.seat] = Progress(
                race=self.race,
                seat=update.seat,
                turn=update.turn,
                left=update.left,
                status=update.status,
                elapsed_ms=update.elapsed_ms,
            )
        if update.seat == self.seat and self._answered:
            self.behind = False

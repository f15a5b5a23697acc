"""A log as a film: what every seat saw, step by step."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from samedeal_cli.errors import Failure
from samedeal_protocol import events, logfile, patches
from samedeal_protocol.logfile import LogFileError
from samedeal_protocol.updates import RaceInfo, View
from samedeal_server.race import told
from samedeal_server.race.audit import LogFault, advance
from samedeal_server.race.model import Race


@dataclass(frozen=True, slots=True)
class Frame:
    """The race after something happened in it.

    Attributes:
        at_ms: since the start of play, by the log's clock.
        seats: to whom it happened: all at the start, none at the end.
        played: what it was, for a reader: moves, mostly.
        before: the race before it; the same as `race` at the start.
        race: the race after it.
    """

    at_ms: int
    seats: tuple[int, ...]
    played: str
    before: Race
    race: Race

    def info(self) -> RaceInfo:
        """What everyone may know of the race at this moment."""
        return told.race_info(self.race, self._now, is_connected=lambda _: True)

    def view(self, number: int) -> View:
        """The board of a taken seat, as its player saw it."""
        return _view(self.race, number, self._now)

    def touched(self, number: int) -> Collection[str]:
        """The piles of a taken seat's board that look different from before."""
        before = _view(self.before, number, self._now)
        return patches.diff(before.piles, self.view(number).piles).keys()

    @property
    def _now(self) -> int:
        assert self.race.start_ms is not None
        return self.race.start_ms + self.at_ms


def film(data: bytes) -> tuple[Frame, ...]:
    """The frames of a log in file form, from the start to the end.

    None for a race that ended in its lobby.

    Raises:
        Failure: the bytes are no log, or one of what cannot have happened.
    """
    try:
        entries = logfile.read(data).entries
    except LogFileError as error:
        raise Failure(f"{error} Is this the log of a race?") from None
    frames: list[Frame] = []
    race: Race | None = None
    for entry in entries:
        before = race
        try:
            race, event = advance(before, entry.event, entry.at_ms)
        except LogFault as fault:
            line = fault.index + 1
            raise Failure(f"Line {line} cannot be: {fault.message}") from None
        if before is None or race.start_ms is None:
            continue
        if before.start_ms is None:
            everyone = tuple(seat.number for seat in race.taken)
            frames.append(Frame(0, everyone, "", race, race))
        else:
            at_ms = max(0, entry.at_ms - race.start_ms)
            frames.append(Frame(at_ms, *_what(event), before, race))
    return tuple(frames)


def seats_of(frames: Sequence[Frame]) -> tuple[int, ...]:
    """The numbers of the seats that raced."""
    return tuple(seat.number for seat in frames[0].race.taken) if frames else ()


def chosen_seats(seats: Sequence[int], seat: int | None) -> Sequence[int]:
    """One of the seats that raced, or all of them.

    Raises:
        Failure: nobody raced in that seat.
    """
    if seat is None:
        return seats
    if seat not in seats:
        there = ", ".join(map(str, seats))
        raise Failure(f"Nobody raced in seat {seat}; there were {there}.")
    return (seat,)


def at_turn(frames: Sequence[Frame], number: int, turn: int) -> Frame | None:
    """The first frame in which a seat is at that turn; None if it never was."""
    for frame in frames:
        seat = frame.race.seat(number)
        if seat is not None and seat.turn == turn:
            return frame
    return None


def _view(race: Race, number: int, now: int) -> View:
    seat = race.seat(number)
    assert seat is not None
    return told.seat_view(race, seat, now)


def _what(event: events.Event) -> tuple[tuple[int, ...], str]:
    match event:
        case events.Moved():
            return (event.seat,), " ".join(event.moves)
        case events.Undone():
            return (event.seat,), "undo"
        case events.Resigned():
            return (event.seat,), "resigns"
        case events.TimedOut():
            return tuple(event.seats), "out of time"
        case _:
            return (), ""

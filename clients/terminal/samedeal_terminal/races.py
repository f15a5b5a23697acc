"""Races as text: how far every seat is, and who came where."""

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from samedeal_games import find_variant
from samedeal_protocol.names import Status
from samedeal_protocol.updates import Progress, RaceInfo, SeatInfo
from samedeal_terminal.glyphs import UNICODE, Glyphs


_BAR = 20
_STATUS_STYLES: dict[Status, str] = {
    "waiting": "dim",
    "playing": "",
    "won": "bold green",
    "stuck": "yellow",
    "resigned": "yellow",
    "timed_out": "yellow",
}


def draw_progress(
    race: RaceInfo,
    progress: Mapping[int, Progress] = {},
    *,
    glyphs: Glyphs = UNICODE,
) -> Table:
    """Draw a line for each seat: who, how much is cleared, and how it stands.

    ``progress`` is what was told of seats since ``race`` was, by seat.
    """
    table = _table()
    total = find_variant(race.game, race.variant).total
    for seat in race.seats:
        now = progress.get(seat.seat, seat)
        table.add_row(
            f"{seat.seat}",
            draw_name(seat),
            draw_bar(total - now.left, total, glyphs=glyphs),
            f"{now.left} left",
            _status(now.status),
            clock(now.elapsed_ms),
        )
    return table


def draw_standings(race: RaceInfo) -> Table:
    """Draw the result of a race that has ended, by place."""
    table = _table()
    placed = [(seat.place, seat) for seat in race.seats if isinstance(seat.place, int)]
    for place, seat in sorted(placed, key=lambda item: (item[0], item[1].seat)):
        table.add_row(
            f"{place}.",
            draw_name(seat),
            _status(seat.status),
            f"{seat.left} left",
            clock(seat.elapsed_ms),
        )
    return table


def draw_name(seat: SeatInfo) -> Text:
    """Draw a seat's name, and what plays there where no person does."""
    name = Text(seat.name)
    if isinstance(seat.bot, str):
        kind = "bot" if seat.bot == "external" else seat.bot
        name.append(f" ({kind})", style="dim")
    return name


def draw_bar(done: int, total: int, *, glyphs: Glyphs = UNICODE) -> Text:
    """Draw a bar of 20 columns, full only when everything is done."""
    full = done * _BAR // total
    return Text.assemble(
        (glyphs.full * full, "green"), (glyphs.rest * (_BAR - full), "dim")
    )


def clock(ms: int) -> str:
    """Write a time as minutes, seconds and tenths: 63250 is 1:03.2."""
    tenths = ms // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"


def _table() -> Table:
    return Table.grid(padding=(0, 2))


def _status(status: Status) -> Text:
    return Text(status.replace("_", " "), style=_STATUS_STYLES[status])

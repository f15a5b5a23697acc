"""Races drawn: how far every seat is, and who came where."""

import io

import pytest
from msgspec import UNSET
from rich.console import Console, RenderableType

from samedeal_protocol.settings import RaceSettings
from samedeal_protocol.updates import Progress, RaceInfo, SeatInfo
from samedeal_terminal.glyphs import ASCII
from samedeal_terminal.races import clock, draw_bar, draw_progress, draw_standings


def seat(
    number: int, name: str, left: int, place: int | None = None, bot: str | None = None
) -> SeatInfo:
    return SeatInfo(
        seat=number,
        player="a" * 16,
        name=name,
        bot=UNSET if bot is None else bot,
        ready=True,
        connected=True,
        left=left,
        turn=3,
        status="playing" if left else "won",
        elapsed_ms=63_250,
        place=UNSET if place is None else place,
    )


def race(*seats: SeatInfo) -> RaceInfo:
    return RaceInfo(
        race="a" * 16,
        code="ABCDEF",
        game="simple-pairs",
        variant="standard",
        settings=RaceSettings(),
        chosen=False,
        commitment="0" * 64,
        phase="racing",
        host=0,
        seats=seats,
        watchers=0,
    )


def printed(drawing: RenderableType) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=80).print(drawing)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_progress() -> None:
    drawn = draw_progress(race(seat(0, "Ada", 26), seat(1, "Bo", 0, bot="greedy")))
    assert printed(drawn) == [
        "0  Ada          ██████████░░░░░░░░░░  26 left  playing  1:03.2",
        "1  Bo (greedy)  ████████████████████  0 left   won      1:03.2",
    ]


def test_later_progress_goes_first() -> None:
    later = Progress(
        race="a" * 16, seat=0, turn=9, left=13, status="timed_out", elapsed_ms=600_000
    )
    (line,) = printed(draw_progress(race(seat(0, "Ada", 26)), {0: later}))
    assert line == "0  Ada  ███████████████░░░░░  13 left  timed out  10:00.0"


def test_standings_are_by_place() -> None:
    seats = seat(0, "Ada", 4, 2), seat(1, "Bo", 0, 1), seat(2, "Cy", 4, 2)
    assert printed(draw_standings(race(*seats))) == [
        "1.  Bo   won      0 left  1:03.2",
        "2.  Ada  playing  4 left  1:03.2",
        "2.  Cy   playing  4 left  1:03.2",
    ]


def test_no_standings_before_the_end() -> None:
    assert draw_standings(race(seat(0, "Ada", 4))).row_count == 0


def test_ascii_for_plain_terminals() -> None:
    drawn = draw_progress(race(seat(0, "Zoe", 26, bot="external")), glyphs=ASCII)
    assert printed(drawn) == [
        "0  Zoe (bot)  ##########..........  26 left  playing  1:03.2"
    ]


def test_a_bar_is_full_only_at_the_end() -> None:
    assert draw_bar(51, 52, glyphs=ASCII).plain == "#" * 19 + "."
    assert draw_bar(52, 52, glyphs=ASCII).plain == "#" * 20


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00.0"), (99, "0:00.0"), (59_999, "0:59.9"), (3_600_000, "60:00.0")],
)
def test_clock(ms: int, text: str) -> None:
    assert clock(ms) == text

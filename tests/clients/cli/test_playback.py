"""A log's film shows what its players saw."""

import pytest
from tests.clients.cli.made_logs import PLAYERS, created, ended, started, whole

from samedeal_cli.errors import Failure
from samedeal_cli.playback import at_turn, film, seats_of
from samedeal_games import GAMES, Variant
from samedeal_server.race import lobby, play, told


VARIANTS = [variant for game in GAMES.values() for variant in game.variants]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.game} {v.name}")
def test_it_ends_as_the_race_did(variant: Variant) -> None:
    log = whole(variant.game, variant.name, seats=3, turns=25)
    frames = film(log.file())
    last = frames[-1]
    assert last.race == log.race
    assert [seat.place for seat in last.info().seats] == [
        standing.place
        for standing in sorted(log.race.standings or (), key=lambda s: s.seat)
    ]
    for seat in log.race.taken:
        assert last.view(seat.number) == told.seat_view(log.race, seat, log.race.at_ms)


def test_a_frame_for_all_that_happened() -> None:
    frames = film(whole("juvenile", turns=3).file())
    start, first, *_, end = frames
    assert (start.at_ms, start.seats, start.played) == (0, (0, 1), "")
    assert (first.at_ms, first.seats) == (137, (0,))
    assert first.touched(0) == set(first.played.replace("+", " ").split())
    assert (end.seats, end.played) == ((), "")
    assert seats_of(frames) == (0, 1)
    assert {"resigns"} == {f.played for f in frames[-3:-1]}


def test_at_turn() -> None:
    frames = film(whole("private-lane", turns=5).file())
    for turn in range(6):
        frame = at_turn(frames, 1, turn)
        assert frame is not None
        assert frame.view(1).turn == turn
    assert at_turn(frames, 1, 6) is None


def test_nobody_played() -> None:
    log = created("juvenile")
    log.join(PLAYERS[0], "Ada")
    log.add(lobby.leave(log.race, log.seat(0), 990_020).events, 990_020)
    assert log.race.ended
    assert film(log.file()) == ()


def test_what_cannot_be_is_named_by_its_line() -> None:
    data = whole("juvenile", turns=3).file()
    with pytest.raises(Failure, match=r"^Line 5 cannot be: t0\+t9: "):
        film(data.replace(b'"moves":["t0+t6"]', b'"moves":["t0+t9"]', 1))
    with pytest.raises(Failure, match="^Line 1: "):
        film(b"hello\n")


def test_time_before_the_start_is_no_time() -> None:
    log = started("juvenile")
    log.add(play.resign(log.race, log.seat(1), 999_500).events, 999_500)
    log.add(play.resign(log.race, log.seat(0), 1_000_500).events, 1_000_500)
    frames = film(ended(log, 1_000_600).file())
    assert [frame.at_ms for frame in frames] == [0, 0, 500, 600]

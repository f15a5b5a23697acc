import pytest
from hypothesis import given
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import PLAYERS, Table

from samedeal_games import find_variant
from samedeal_protocol import events
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race.decision import Decision


JUVENILE = find_variant("juvenile")


def test_seats_are_found_by_number_and_by_player() -> None:
    race = t.table("juvenile", players=2).race
    assert race.seat(1) is race.seat_of(PLAYERS[1])
    for number in (2, 7, 8, -1, 2**60):
        assert race.seat(number) is None
    assert race.seat_of(PLAYERS[2]) is None
    assert [seat.number for seat in race.taken] == [0, 1]


def test_people_are_all_but_the_built_in_bots() -> None:
    made = Table(settings=RaceSettings(bots=("random", "greedy")))
    made.join(1, is_bot=True)
    assert [seat.number for seat in made.race.people] == [0, 3]
    assert [seat.built_in for seat in made.race.taken] == [False, True, True, False]


def test_without_people_the_host_is_seat_nought() -> None:
    made = Table(settings=RaceSettings(bots=("random",)))
    made.append(Decision((events.Left(seat=0),)))
    assert made.race.host == 0


def test_times_of_a_race() -> None:
    made = t.table("juvenile", players=2)
    race = made.race
    assert (race.start_ms, race.limit_ms) == (None, None)
    assert not race.has_started(10**15)
    assert not race.past_limit(10**15)
    made.ask(0, t.start())
    race, start = made.race, made.start_ms
    assert race.limit_ms == start + 600_000
    assert [race.has_started(start + d) for d in (-1, 0, 1)] == [False, True, True]
    limit = made.limit_ms
    assert [race.past_limit(limit + d) for d in (-1, 0, 1)] == [False, False, True]
    assert [race.phase(start + d) for d in (-1, 0, 10**9)] == [
        "countdown",
        "racing",
        "racing",
    ]


def test_a_status_is_derived_from_time_and_board() -> None:
    line, dead = t.line(JUVENILE), t.dead_deal(JUVENILE)
    made = Table(JUVENILE, seed=line.seed)
    for who in (1, 2):
        made.join(who)
    made.ask(0, t.start())
    made.ask(2, t.resign())

    def statuses(at_ms: int) -> list[str]:
        return [made.race.status(seat, at_ms) for seat in made.race.taken]

    assert statuses(made.start_ms - 1) == ["waiting", "waiting", "resigned"]
    assert statuses(made.start_ms) == ["playing", "playing", "resigned"]
    made.now = made.start_ms
    made.play(0, *line.moves)
    assert statuses(made.now) == ["won", "playing", "resigned"]
    made.now = made.limit_ms + 1
    assert statuses(made.now) == ["won", "playing", "resigned"]
    made.due()
    assert statuses(made.now) == ["won", "timed_out", "resigned"]
    stuck = t.racing(JUVENILE, dead)
    assert stuck.race.status(stuck.seat(0), stuck.now - 1) == "waiting"
    assert stuck.race.status(stuck.seat(0), stuck.now) == "stuck"


def test_somebody_won_and_all_done() -> None:
    line = t.line(JUVENILE)
    made = t.racing(JUVENILE, line.seed, players=2)
    assert not made.race.somebody_won()
    made.play(0, *line.moves)
    assert made.race.somebody_won()
    assert not made.race.all_done()
    made.ask(1, t.resign())
    assert made.race.all_done()
    assert not made.race.ended
    assert made.finish().race.ended


@pytest.mark.parametrize("ended", [True, False])
def test_a_lobby_is_one_until_the_countdown_or_the_end(ended: bool) -> None:
    made = t.table("juvenile")
    assert made.race.in_lobby
    made.ask(0, t.leave() if ended else t.start())
    assert not made.race.in_lobby
    assert made.race.ended == ended


@given(stories())
def test_a_seat_that_is_done_stays_so_and_as_it_is(made: Table) -> None:
    for before, after in zip(made.states, made.states[1:], strict=False):
        if not before.has_started(before.at_ms):
            continue
        for seat in before.taken:
            now = after.seat(seat.number)
            assert now is not None
            if seat.is_done():
                assert now == seat
            assert now.turn >= seat.turn
            assert now.elapsed_ms >= seat.elapsed_ms

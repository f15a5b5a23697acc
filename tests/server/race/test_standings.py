from hypothesis import given
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import PLAYERS, Table

from samedeal_games import find_variant, left
from samedeal_protocol import events
from samedeal_protocol.events import Standing
from samedeal_protocol.names import Status
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race.standings import standings


JUVENILE = find_variant("juvenile")
LANE = find_variant("private-lane")


def places(made: Table) -> list[tuple[int, int]]:
    """(seat, place), as listed."""
    return [(one.seat, one.place) for one in made.race.standings or ()]


def race(*, players: int, undo: bool = False) -> tuple[Table, tuple[str, ...]]:
    """A race at its start, and moves that win it."""
    line = t.line(JUVENILE)
    return t.racing(JUVENILE, line.seed, players=players, undo=undo), line.moves


def give_up(made: Table) -> Table:
    """Whoever plays resigns at one moment, and the race ends."""
    made.now += 1000
    for who in range(len(PLAYERS)):
        seat = made.race.seat_of(PLAYERS[who])
        if seat is not None and not seat.is_done():
            made.ask(who, t.resign())
    return made.finish()


# Won.


def test_who_won_in_less_time_comes_first_and_then_the_others() -> None:
    made, moves = race(players=3)
    for text in moves:
        made.play(2, text)
    made.now += 1
    for text in moves:
        made.play(1, text)
    give_up(made)
    assert places(made) == [(2, 1), (1, 2), (0, 3)]
    assert [one.status for one in made.race.standings or ()] == [
        "won",
        "won",
        "resigned",
    ]
    assert [one.left for one in made.race.standings or ()] == [0, 0, 52]


def test_who_won_in_the_same_time_shares_the_place() -> None:
    made, moves = race(players=4)
    for who in (3, 1):
        for text in moves[:-1]:
            made.play(who, text)
    made.now += 500
    made.play(1, moves[-1])
    made.play(3, moves[-1])
    made.now += 1
    made.play(0, *moves)
    give_up(made)
    assert places(made) == [(1, 1), (3, 1), (0, 3), (2, 4)]
    assert [one.elapsed_ms for one in made.race.standings or ()][:3] == [500, 500, 501]


# Not won.


def test_who_has_fewer_cards_left_comes_first_whenever() -> None:
    made, moves = race(players=3)
    made.play(1, moves[0], after_ms=1)
    made.play(2, *moves[:3], after_ms=400_000)
    give_up(made)
    assert places(made) == [(2, 1), (1, 2), (0, 3)]


def test_with_as_many_left_who_came_there_earlier_comes_first() -> None:
    made, moves = race(players=3)
    made.play(2, *moves[:2], after_ms=1)
    made.play(0, *moves[:2], after_ms=1)
    made.play(1, moves[0])
    made.play(1, moves[1], after_ms=1)
    give_up(made)
    assert places(made) == [(2, 1), (0, 2), (1, 3)]


def test_equal_in_all_share_the_place_and_the_next_is_skipped() -> None:
    made, moves = race(players=6)
    for who in (5, 2):
        made.play(who, moves[0])
    for who in (4, 1, 3):
        made.play(who, moves[0], after_ms=int(who == 4))
    give_up(made)
    assert places(made) == [(2, 1), (5, 1), (1, 3), (3, 3), (4, 3), (0, 6)]


def test_who_never_moved_was_there_from_the_start() -> None:
    made = Table(LANE, settings=RaceSettings())
    made.join(1)
    made.begin()
    # A shift to a cell clears nothing: as many left, and since the start.
    made.play(0, "t0>c0", after_ms=900)
    give_up(made)
    assert places(made) == [(0, 1), (1, 1)]


def test_stuck_resigned_and_timed_out_rank_alike() -> None:
    line = t.line(JUVENILE, "stuck")
    made = t.racing(JUVENILE, line.seed, players=3)
    for text in line.moves:
        for who in range(3):
            if not (who == 2 and text is line.moves[-1]):
                made.play(who, text)
    made.play(2, line.moves[-1], after_ms=1)
    assert made.race.all_done()
    made.finish()
    assert places(made) == [(0, 1), (1, 1), (2, 3)]
    made = t.racing(JUVENILE, line.seed, players=4)
    made.play(0, line.moves[0])
    made.ask(0, t.resign())
    made.play(1, line.moves[0])
    made.play(2, *line.moves)
    made.now = made.limit_ms + 1
    made.finish()
    assert places(made) == [(2, 1), (0, 2), (1, 2), (3, 4)]
    assert [one.status for one in made.race.standings or ()] == [
        "stuck",
        "resigned",
        "timed_out",
        "timed_out",
    ]
    assert [one.elapsed_ms for one in made.race.standings or ()] == [
        0,
        0,
        600_000,
        600_000,
    ]


# With undo.


def test_the_moment_is_the_earliest_since_which_there_were_no_more() -> None:
    made, moves = race(players=4, undo=True)
    made.play(0, moves[0], after_ms=10)  # 50 left, and less and 50 again:
    made.play(0, moves[1], after_ms=10)
    made.play(1, moves[0], after_ms=5)
    made.undo(0, after_ms=10)
    made.play(2, moves[0], after_ms=1)  # 50, then 52 and 50 again:
    made.undo(2, after_ms=1)
    made.play(3, moves[0], after_ms=1)
    made.play(2, moves[0], after_ms=1)
    since = [made.seat(number).lefts[-1] for number in range(4)]
    start = made.start_ms
    assert since == [
        (50, start + 10),
        (50, start + 25),
        (50, start + 39),
        (50, start + 38),
    ]
    give_up(made)
    assert places(made) == [(0, 1), (1, 2), (3, 3), (2, 4)]


def test_all_taken_back_is_as_never_moved() -> None:
    made, moves = race(players=2, undo=True)
    made.play(0, *moves[:3], after_ms=10)
    made.undo(0, after_ms=10)
    assert made.seat(0).lefts == made.seat(1).lefts == ((52, made.start_ms),)
    give_up(made)
    assert places(made) == [(0, 1), (1, 1)]


# A law, and the lobby.


def test_a_lobby_has_no_standings() -> None:
    made = t.table("juvenile", players=3)
    assert standings(made.race, made.now) == ()


@given(stories(ended=True))
def test_standings_are_what_the_log_comes_to(made: Table) -> None:
    if made.race.start_ms is None:
        assert made.race.standings == ()
        return
    keys = {seat.number: key(made, seat.number) for seat in made.race.taken}
    expected = [
        Standing(
            seat=number,
            place=1 + sum(1 for other in keys.values() if other < keys[number]),
            status=status(made, number),
            left=timeline(made, number)[-1][1],
            elapsed_ms=elapsed(made, number),
        )
        for number in keys
    ]
    expected.sort(key=lambda one: (one.place, one.seat))
    assert made.race.standings == tuple(expected)


def timeline(made: Table, number: int) -> list[tuple[int, int]]:
    """(moment, cards left): from the start, and after each turn of a seat."""
    moments = [(made.start_ms, left(made.race.deal))]
    for entry, state in zip(made.entries, made.states, strict=True):
        if isinstance(entry.event, events.Moved | events.Undone):
            seat = state.seat(number)
            if entry.event.seat == number and seat is not None:
                moments.append((entry.at_ms, left(seat.board)))
    return moments


def key(made: Table, number: int) -> tuple[int, int, int]:
    moments = timeline(made, number)
    last, final = moments[-1]
    if final == 0:
        return (0, last - made.start_ms, 0)
    since = min(
        moment
        for index, (moment, _) in enumerate(moments)
        if all(count <= final for _, count in moments[index:])
    )
    return (1, final, since)


def status(made: Table, number: int) -> Status:
    for event in made.events:
        if isinstance(event, events.Resigned) and event.seat == number:
            return "resigned"
        if isinstance(event, events.TimedOut) and number in event.seats:
            return "timed_out"
    return "won" if timeline(made, number)[-1][1] == 0 else "stuck"


def elapsed(made: Table, number: int) -> int:
    """From the start to the seat's last event, the limit at most."""
    last = made.start_ms
    for entry in made.entries:
        match entry.event:
            case events.Moved() | events.Undone() | events.Resigned():
                if entry.event.seat == number:
                    last = entry.at_ms
            case events.TimedOut(seats=numbers) if number in numbers:
                last = entry.at_ms
            case _:
                pass
    return max(0, min(last, made.limit_ms) - made.start_ms)

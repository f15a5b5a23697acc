import pytest
from hypothesis import given, strategies as st
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import PLAYERS, Table

from samedeal_games import find_variant
from samedeal_protocol import events
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race.decision import Decision
from samedeal_server.race.schedule import due, next_due


LANE = find_variant("private-lane")
JUVENILE = find_variant("juvenile")
MINUTE = 60_000
OLD = t.T0 + 30 * MINUTE


# The lobby.


def test_a_lobby_of_thirty_minutes_ends_empty() -> None:
    made = t.table("juvenile", players=2)
    assert next_due(made.race, made.now) == OLD
    assert due(made.race, OLD - 1, {}) is None
    made.now = OLD
    assert made.due() == Decision((events.Ended(standings=()),), not_before=OLD)
    assert made.race.standings == ()


def test_a_countdown_that_was_begun_in_time_goes_on() -> None:
    made = t.table("juvenile", players=2)
    made.now = OLD - 1
    made.ask(0, t.start())
    made.now = OLD + 1
    assert made.due() is None
    made.now = made.start_ms
    made.ask(0, t.resign())
    assert not made.race.ended


def test_a_seat_whose_player_is_away_for_a_minute_is_freed() -> None:
    made = t.table("juvenile", players=3)
    away = {PLAYERS[1]: t.T0 + 5}
    made.now = t.T0 + 5 + MINUTE - 1
    assert made.due(away) is None
    made.now += 1
    decision = made.due(away)
    assert decision is not None
    assert decision.events == (events.Left(seat=1),)
    assert made.due(away) is None


def test_several_may_be_away_and_what_follows_comes_with_it() -> None:
    made = t.table("juvenile", players=4)
    made.ask(0, t.ready())
    made.ask(2, t.ready())
    made.now += MINUTE
    decision = made.due({PLAYERS[1]: t.T0, PLAYERS[3]: t.T0})
    assert decision is not None
    assert decision.events == (
        events.Left(seat=1),
        events.Left(seat=3),
        events.Countdown(countdown_ms=3000),
    )


def test_the_last_one_away_ends_the_race() -> None:
    made = Table(settings=RaceSettings(bots=("random",)))
    made.join(1, is_bot=True)
    made.now += MINUTE
    decision = made.due({PLAYERS[0]: t.T0, PLAYERS[1]: t.T0})
    assert decision is not None
    assert decision.events[-1] == events.Ended(standings=())
    assert len(decision.events) == 3


def test_a_built_in_bot_is_never_away() -> None:
    made = Table(settings=RaceSettings(bots=("random",)))
    made.now += MINUTE
    assert due(made.race, made.now, {PLAYERS[-1]: t.T0}) is None


# Quick races.


def test_a_quick_race_waits_ten_seconds_from_the_second_seat() -> None:
    made = Table(quick=True)
    assert next_due(made.race, made.now) == OLD
    made.now += MINUTE
    assert made.due() is None
    made.join(1)
    until = made.now + 10_000
    assert next_due(made.race, made.now) == until
    made.now += 4_000
    made.join(2)
    assert next_due(made.race, made.now) == until
    assert due(made.race, until - 1, {}) is None
    made.now = until
    countdown = events.Countdown(countdown_ms=3000)
    assert made.due() == Decision((countdown,), not_before=until)
    assert made.start_ms == until + 3000


def test_back_to_one_the_wait_begins_anew() -> None:
    made = Table(quick=True)
    made.join(1)
    made.now += 9_999
    made.ask(1, t.leave())
    assert next_due(made.race, made.now) == OLD
    made.now += MINUTE
    assert made.due() is None
    made.join(2)
    assert next_due(made.race, made.now) == made.now + 10_000


def test_who_is_away_may_bring_a_quick_race_back_to_one() -> None:
    made = Table(quick=True)
    made.join(1)
    made.now += MINUTE
    decision = made.due({PLAYERS[1]: t.T0})
    assert decision is not None
    assert decision.events == (events.Left(seat=1),)
    assert made.race.in_lobby


def test_a_quick_race_goes_without_who_is_away() -> None:
    made = Table(quick=True)
    made.join(1)
    made.join(2)
    made.now += MINUTE
    decision = made.due({PLAYERS[2]: t.T0})
    assert decision is not None
    assert decision.events == (
        events.Left(seat=2),
        events.Countdown(countdown_ms=3000),
    )


# Play.


def test_the_start_is_no_event() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.start())
    made.now = made.start_ms
    assert made.due() is None
    assert made.race.phase(made.now) == "racing"


def test_the_limit_times_out_who_is_not_done() -> None:
    made = t.racing(LANE, players=4)
    made.ask(2, t.resign())
    assert next_due(made.race, made.now) == made.limit_ms + 1
    made.now = made.limit_ms
    assert made.due() is None
    made.now += 1
    timed_out = events.TimedOut(seats=(0, 1, 3))
    assert made.due() == Decision((timed_out,), not_before=made.limit_ms + 1)
    assert [s.elapsed_ms for s in made.race.taken] == [600_000, 600_000, 0, 600_000]
    assert made.due() is not None
    assert made.race.ended


def test_a_stuck_seat_that_may_undo_is_timed_out_and_another_is_not() -> None:
    line = t.line(JUVENILE, "stuck")
    for undo in (True, False):
        made = t.racing(JUVENILE, line.seed, players=2, undo=undo)
        for text in line.moves:
            made.play(0, text)
        made.now = made.limit_ms + 1
        made.due()
        expected = "timed_out" if undo else "stuck"
        assert made.race.status(made.seat(0), made.now) == expected


def test_once_somebody_has_won_who_is_away_is_timed_out() -> None:
    made = winning(players=4)
    made.ask(3, t.resign())
    away = {PLAYERS[1]: made.now, PLAYERS[3]: made.now, PLAYERS[0]: made.now}
    gone = made.now + MINUTE
    made.now = gone - 1
    assert made.due(away) is None
    made.now = gone
    decision = made.due(away)
    assert decision == Decision((events.TimedOut(seats=(1,)),))
    assert made.seat(1).elapsed_ms == gone - made.start_ms
    assert made.due(away) is None


def test_before_anybody_has_won_nobody_is_timed_out_for_being_away() -> None:
    made = t.racing(LANE, players=2)
    made.now += 10 * MINUTE - 1
    assert made.due({PLAYERS[1]: t.T0}) is None


def test_a_built_in_bot_is_not_timed_out_for_being_away() -> None:
    made = winning(bots=("random",))
    made.now += MINUTE
    assert made.due({PLAYERS[-1]: t.T0}) is None


def winning(*, players: int = 1, bots: tuple[str, ...] = ()) -> Table:
    """A race that seat 0 has just won."""
    line = t.line(JUVENILE)
    made = Table(JUVENILE, seed=line.seed, settings=RaceSettings(bots=bots))
    for who in range(1, players):
        made.join(who)
    made.begin()
    for text in line.moves:
        made.play(0, text)
    return made


# The end.


def test_the_race_ends_when_every_seat_is_done() -> None:
    made = winning(players=2)
    assert next_due(made.race, made.now) == made.limit_ms + 1
    made.ask(1, t.resign())
    assert next_due(made.race, made.now) == made.now
    decision = made.due()
    assert decision is not None
    (ended,) = decision.events
    assert isinstance(ended, events.Ended)
    assert [one.seat for one in ended.standings] == [0, 1]
    assert made.due() is None
    assert next_due(made.race, made.now) is None


def test_everyone_may_resign_in_the_countdown() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.start())
    made.ask(0, t.resign())
    assert made.due() is None
    made.ask(1, t.resign())
    assert next_due(made.race, made.now) == made.now
    assert made.due() is not None
    assert made.race.ended
    assert [one.status for one in made.race.standings or ()] == ["resigned"] * 2


def test_a_dead_deal_ends_at_the_start_and_no_sooner() -> None:
    made = Table(JUVENILE, seed=t.dead_deal(JUVENILE), chosen=True)
    made.join(1)
    made.ask(0, t.start())
    assert next_due(made.race, made.now) == made.start_ms
    made.now = made.start_ms - 1
    assert made.due() is None
    made.now = made.start_ms
    decision = made.due()
    assert decision is not None
    assert decision.not_before == made.start_ms
    assert [one.status for one in made.race.standings or ()] == ["stuck"] * 2
    assert [one.place for one in made.race.standings or ()] == [1, 1]


# Laws.


@given(stories(), st.sampled_from([0, 1, 500, 10_000, 10**7]))
def test_what_is_due_next_is_due_then_and_not_before(made: Table, wait: int) -> None:
    for length in made.whole:
        race = made.states[length - 1]
        now = race.at_ms + wait
        moment = next_due(race, now)
        if moment is None:
            assert race.ended
            assert due(race, now, {}) is None
            continue
        assert due(race, max(moment, race.at_ms), {}) is not None
        assert due(race, moment + 10**7, {}) is not None
        if moment > race.at_ms and moment != now:
            assert due(race, moment - 1, {}) is None
            assert due(race, race.at_ms, {}) is None


@given(stories(), st.sampled_from([0, 1, 500, 10_000, 10**7]), st.booleans())
def test_doing_what_is_due_leads_on(made: Table, wait: int, gone: bool) -> None:
    """At one moment a few things at most are due, and then nothing or a wait."""
    made.now = max(made.now, made.race.at_ms) + wait
    away = dict.fromkeys(PLAYERS, t.T0 - MINUTE) if gone else {}
    for _ in range(4):
        decision = due(made.race, made.now, away)
        if decision is None:
            break
        assert decision.events
        assert decision.not_before is None or decision.not_before <= made.now
        assert made.append(decision)
    assert due(made.race, made.now, away) is None
    moment = next_due(made.race, made.now)
    assert (moment is None) == made.race.ended
    assert moment is None or moment > made.now


@given(stories())
def test_with_time_alone_every_race_ends_once(made: Table) -> None:
    for _ in range(6):
        moment = next_due(made.race, made.now)
        if moment is None:
            break
        made.now = max(made.now, moment, made.race.at_ms)
        assert made.due() is not None
    ends = [at for at, e in enumerate(made.events) if isinstance(e, events.Ended)]
    assert ends == [len(made.entries) - 1]


@given(stories(ended=True))
def test_the_end_comes_once_and_last(made: Table) -> None:
    ends = [at for at, e in enumerate(made.events) if isinstance(e, events.Ended)]
    assert ends == [len(made.entries) - 1]
    assert made.race.ended
    assert due(made.race, made.now + 10**9, dict.fromkeys(PLAYERS, 0)) is None


@pytest.mark.parametrize("players", [1, 2, 16])
def test_a_race_nobody_answers_in_still_ends(players: int) -> None:
    made = Table(LANE, settings=RaceSettings(seats=16, time_limit_ms=10_000))
    for who in range(1, players):
        made.join(who)
    made.begin()
    made.now = made.limit_ms + 1
    made.finish()
    assert [one.place for one in made.race.standings or ()] == [1] * players

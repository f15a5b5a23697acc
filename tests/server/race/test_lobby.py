import pytest
from hypothesis import given
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import PLAYERS, Table

from samedeal_protocol import events
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race import lobby
from samedeal_server.race.decide import RaceCommand
from samedeal_server.race.decision import NOTHING
from samedeal_server.race.model import MAX_LOBBY_EVENTS
from samedeal_server.race.refusal import Refusal


def code(made: Table, who: int, command: RaceCommand) -> str:
    with pytest.raises(Refusal) as caught:
        made.decided(PLAYERS[who], command)
    return caught.value.code


def join_code(made: Table, who: int) -> str:
    with pytest.raises(Refusal) as caught:
        lobby.join(made.race, PLAYERS[who], "Ada", False, made.now)
    return caught.value.code


def kinds(made: Table, since: int) -> list[str]:
    return [type(event).__name__ for event in made.events[since:]]


# Joining.


def test_a_newcomer_takes_the_lowest_free_seat() -> None:
    made = t.table("juvenile", players=4)
    made.ask(1, t.leave())
    made.ask(2, t.leave())
    assert made.join(4) == 1
    assert made.join(5) == 2
    assert made.join(6) == 4


def test_joining_again_is_the_same_seat_before_any_other_check() -> None:
    made = Table(settings=RaceSettings(seats=2))
    made.join(1)
    assert lobby.join(made.race, PLAYERS[1], "Other", True, made.now) == NOTHING
    made.begin()
    assert lobby.join(made.race, PLAYERS[1], "Other", True, made.now) == NOTHING
    made.ask(0, t.resign())
    made.ask(1, t.resign())
    made.finish()
    assert lobby.join(made.race, PLAYERS[1], "Other", True, made.now) == NOTHING


def test_a_race_that_is_full_or_begun_takes_nobody() -> None:
    made = Table(settings=RaceSettings(seats=2))
    made.join(1)
    assert join_code(made, 2) == "race_full"
    made.ask(0, t.start())
    assert join_code(made, 2) == "race_started"
    made.ask(0, t.resign())
    made.ask(1, t.resign())
    made.finish()
    assert join_code(made, 2) == "race_started"


def test_a_lobby_that_has_ended_takes_nobody() -> None:
    made = t.table("juvenile")
    made.ask(0, t.leave())
    assert made.race.ended
    assert join_code(made, 1) == "race_started"


def test_names_are_made_distinct_and_fixed() -> None:
    made = t.table("juvenile")
    for who, name in ((1, "Ada"), (2, "ADA"), (3, "ada"), (4, "Ada 2")):
        made.join(who, name)
    assert [seat.name for seat in made.race.taken] == [
        "Player 0",
        "Ada",
        "ADA 2",
        "ada 3",
        "Ada 2 2",
    ]


def test_a_program_is_an_external_bot() -> None:
    made = t.table("juvenile")
    made.join(1, is_bot=True)
    assert made.seat(1).bot == "external"
    assert not made.seat(1).built_in
    assert made.seat(0).bot is None


# Being ready.


def test_the_countdown_begins_when_all_are_ready_and_two_are_there() -> None:
    made = t.table("juvenile")
    made.ask(0, t.ready())
    assert made.race.in_lobby
    made.join(1)
    assert made.race.in_lobby
    length = len(made.entries)
    made.ask(1, t.ready())
    assert kinds(made, length) == ["Ready", "Countdown"]
    assert made.race.phase(made.now) == "countdown"


def test_one_seat_is_enough_where_there_is_but_one() -> None:
    made = Table(settings=RaceSettings(seats=1))
    made.ask(0, t.ready())
    assert made.race.start_ms == made.now + 3000


def test_bots_are_always_ready() -> None:
    made = Table(settings=RaceSettings(bots=("random",)))
    assert made.seat(1).ready
    assert made.decided(PLAYERS[-1], t.ready(False)) == NOTHING
    assert made.decided(PLAYERS[-1], t.ready()) == NOTHING
    made.ask(0, t.ready())
    assert not made.race.in_lobby


def test_an_external_bot_says_itself_that_it_is_ready() -> None:
    made = t.table("juvenile")
    made.join(1, is_bot=True)
    made.ask(0, t.ready())
    assert made.race.in_lobby
    made.ask(1, t.ready())
    assert not made.race.in_lobby


def test_ready_can_be_taken_back() -> None:
    made = t.table("juvenile", players=3)
    made.ask(0, t.ready())
    made.ask(1, t.ready())
    made.ask(0, t.ready(False))
    made.ask(2, t.ready())
    assert made.race.in_lobby
    made.ask(0, t.ready())
    assert not made.race.in_lobby


def test_no_change_is_logged_as_nothing() -> None:
    made = t.table("juvenile", players=2)
    assert made.decided(PLAYERS[1], t.ready(False)) == NOTHING
    made.ask(1, t.ready())
    assert made.decided(PLAYERS[1], t.ready()) == NOTHING


def test_once_the_countdown_has_begun_seats_are_fixed() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.start())
    for ready in (True, False):
        assert code(made, 0, t.ready(ready)) == "race_started"
    assert code(made, 0, t.kick(1)) == "race_started"
    made.now = made.start_ms
    assert code(made, 1, t.ready()) == "race_started"


def test_a_leave_can_begin_the_countdown() -> None:
    made = t.table("juvenile", players=3)
    made.ask(0, t.ready())
    made.ask(1, t.ready())
    length = len(made.entries)
    made.ask(2, t.leave())
    assert kinds(made, length) == ["Left", "Countdown"]


def test_a_kick_can_begin_the_countdown() -> None:
    made = t.table("juvenile", players=3)
    made.ask(0, t.ready())
    made.ask(1, t.ready())
    made.ask(0, t.kick(2))
    assert not made.race.in_lobby


def test_a_leave_down_to_one_does_not_begin_it() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.ready())
    made.ask(1, t.leave())
    assert made.race.in_lobby


# The host.


def test_the_host_starts_alone_and_whoever_is_ready() -> None:
    made = t.table("juvenile")
    made.ask(0, t.start())
    assert made.race.start_ms == made.now + 3000
    made = t.table("juvenile", players=3)
    length = len(made.entries)
    made.ask(0, t.start())
    assert kinds(made, length) == ["Countdown"]


def test_nobody_else_starts() -> None:
    made = t.table("juvenile", players=2)
    assert code(made, 1, t.start()) == "not_host"
    made.ask(0, t.leave())
    made.ask(1, t.start())


def test_starting_again_is_nothing() -> None:
    made = t.table("juvenile")
    made.begin()
    assert made.decided(PLAYERS[0], t.start()) == NOTHING


def test_the_host_is_the_lowest_of_the_people() -> None:
    made = Table(settings=RaceSettings(seats=4, bots=("random",)))
    made.join(1)
    made.join(2, is_bot=True)
    assert made.race.host == 0
    made.ask(0, t.leave())
    assert made.race.host == 2
    made.ask(1, t.leave())
    assert made.race.host == 3
    made.join(4)
    assert made.race.host == 0


def test_the_host_puts_others_out_who_may_come_back() -> None:
    made = Table(settings=RaceSettings(seats=4, bots=("random",)))
    made.join(1)
    assert made.ask(0, t.kick(2)).events == (events.Left(seat=2),)
    assert made.join(1) == 2
    made.ask(0, t.kick(1))
    assert made.race.seat(1) is None


def test_what_a_host_cannot_put_out() -> None:
    made = t.table("juvenile", players=3)
    made.ask(1, t.leave())
    for seat in (1, 3, 8, 2**53 - 1):
        assert code(made, 0, t.kick(seat)) == "not_in_race"
    assert code(made, 0, t.kick(0)) == "not_in_race"
    assert code(made, 2, t.kick(0)) == "not_host"
    assert code(made, 2, t.kick(1)) == "not_host"


# Going.


def test_a_seat_is_freed_in_the_lobby() -> None:
    made = t.table("juvenile", players=2)
    assert made.ask(1, t.leave()).events == (events.Left(seat=1),)
    assert code(made, 1, t.leave()) == "not_in_race"
    assert made.race.seat(1) is None


def test_the_last_person_gone_ends_the_race() -> None:
    made = Table(settings=RaceSettings(bots=("random", "greedy")))
    made.join(1)
    made.ask(0, t.leave())
    assert made.race.in_lobby
    length = len(made.entries)
    made.ask(1, t.leave())
    assert kinds(made, length) == ["Left", "Ended"]
    assert made.race.standings == ()
    assert made.race.phase(made.now) == "ended"


def test_an_external_bot_counts_as_a_person() -> None:
    made = t.table("juvenile")
    made.join(1, is_bot=True)
    made.ask(0, t.leave())
    assert made.race.in_lobby


# Quick races.


def test_in_a_quick_race_everyone_is_ready_and_stays_so() -> None:
    made = Table(quick=True)
    made.join(1)
    assert [seat.ready for seat in made.race.taken] == [True, True]
    for ready in (True, False):
        assert made.decided(PLAYERS[1], t.ready(ready)) == NOTHING
    assert made.race.in_lobby


def test_a_quick_race_begins_at_once_when_it_is_full() -> None:
    made = Table(quick=True)
    for who in range(1, 7):
        made.join(who)
        assert made.race.in_lobby
    length = len(made.entries)
    made.join(7)
    assert kinds(made, length) == ["Joined", "Countdown"]
    assert made.start_ms == made.now + 3000


def test_the_wait_is_counted_from_the_second_seat_and_anew_after_one() -> None:
    made = Table(quick=True)
    assert made.race.paired_ms is None
    made.now += 1000
    made.join(1)
    made.now += 1000
    made.join(2)
    assert made.race.paired_ms == t.T0 + 1000
    made.ask(1, t.leave())
    assert made.race.paired_ms == t.T0 + 1000
    made.ask(2, t.leave())
    assert made.race.paired_ms is None
    made.now += 1000
    made.join(3)
    assert made.race.paired_ms == t.T0 + 3000


# A hundred lobby events.


def test_a_player_may_cause_a_hundred_lobby_events() -> None:
    made = t.table("juvenile", players=3)
    for number in range(1, MAX_LOBBY_EVENTS):
        made.ask(1, t.ready(number % 2 == 1))
    assert made.race.lobby_events[PLAYERS[1]] == MAX_LOBBY_EVENTS == 100
    assert code(made, 1, t.ready(False)) == "rate_limited"
    # No change is no event; others are not concerned; one may always go.
    assert made.decided(PLAYERS[1], t.ready()) == NOTHING
    made.ask(2, t.ready())
    made.ask(1, t.leave())
    assert join_code(made, 1) == "rate_limited"


def test_coming_and_going_counts_too() -> None:
    made = t.table("juvenile")
    for _ in range(MAX_LOBBY_EVENTS // 2):
        made.join(1)
        made.ask(1, t.leave())
    assert join_code(made, 1) == "rate_limited"
    made.join(2)


# Laws.


@given(stories())
def test_people_have_different_names_and_one_seat_each(made: Table) -> None:
    for race in made.states:
        names = [seat.name.casefold() for seat in race.taken]
        players = [seat.player for seat in race.taken]
        assert len(set(names)) == len(set(players)) == len(names)
        assert all(race.seats[seat.number] is seat for seat in race.taken)


@given(stories())
def test_seats_and_names_are_fixed_by_the_countdown(made: Table) -> None:
    begun = [race for race in made.states if race.start_ms is not None]
    assert len({tuple((s.player, s.name) for s in r.taken) for r in begun}) <= 1
    assert len({(r.start_ms, r.host) for r in begun}) <= 1


@given(stories())
def test_between_appends_nothing_is_left_to_follow(made: Table) -> None:
    for length in made.whole:
        race = made.states[length - 1]
        if race.in_lobby:
            assert lobby.follow_up(race) is None

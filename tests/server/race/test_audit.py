"""What `advance` lets pass, and what not.

A log alone cannot show everything. Without its digest, these changes may pass:

- the last entries are missing, as long as `ended` is;
- somebody came, went or got ready in the lobby at another time, or not at all,
  where nothing later depends on it;
- events of different seats happened in the other order, or an event at another
  time between its neighbours, where the standings come out the same;
- a seat's last turn before it gave up, of which `left` and its moment tell nothing;
- another legal move was played, where all that follows is still right;
- what nothing follows from: ids, codes, names, whether a seed was chosen.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from tests.helpers.positions import VARIANTS, variant_id
from tests.server.race import table as t
from tests.server.race.stories import BAD_TEXTS, stories
from tests.server.race.table import PLAYERS, Table

from samedeal_games import Variant, find_variant, legal_moves
from samedeal_protocol import events
from samedeal_protocol.codec import decode_event, encode_event
from samedeal_protocol.events import Event
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race.audit import LogFault, advance
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race


Entries = Sequence[tuple[int, Event]]


def audited(made: Table, at: int, tail: Entries) -> Race | LogFault:
    """What comes of the first `at` entries of a race, followed by others."""
    race = made.states[at - 1] if at else None
    try:
        for at_ms, event in tail:
            race, _ = advance(race, encode_event(event), at_ms)
    except LogFault as fault:
        return fault
    assert race is not None
    return race


def tail(made: Table, start: int) -> list[tuple[int, Event]]:
    return [(entry.at_ms, entry.event) for entry in made.entries[start:]]


def refusal(made: Table, event: Event, at_ms: int | None = None) -> str:
    """Why an event cannot follow now."""
    outcome = audited(
        made, len(made.entries), [(made.now if at_ms is None else at_ms, event)]
    )
    assert isinstance(outcome, LogFault)
    assert outcome.index == len(made.entries)
    assert str(outcome) == f"Log entry {outcome.index}: {outcome.message}"
    return outcome.message


def passes(made: Table, event: Event) -> bool:
    outcome = audited(made, len(made.entries), [(made.now, event)])
    return isinstance(outcome, Race)


# What happened passes.


@given(stories())
def test_whatever_was_decided_passes_and_comes_to_the_live_race(made: Table) -> None:
    race = None
    for entry, state in zip(made.entries, made.states, strict=True):
        race, event = advance(race, entry.data, entry.at_ms)
        assert race == state
        assert event == entry.event
        assert encode_event(event) == entry.data


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_a_race_in_every_variant_passes(variant: Variant) -> None:
    made = whole_race(variant)
    assert audited(made, 0, tail(made, 0)) == made.race
    kinds = {type(event) for event in made.events}
    assert kinds >= set(Event.__args__) - {events.Left, events.Undone}


def whole_race(variant: Variant) -> Table:
    """One plays a whole line, one a part of it and resigns, a bot is timed out."""
    line = t.line(variant)
    made = Table(
        variant,
        seed=line.seed,
        settings=RaceSettings(
            seats=4, bots=("greedy",), time_limit_ms=60_000, undo=not variant.hidden
        ),
    )
    made.now += 100
    assert made.join(1) == 2
    made.ask(0, t.ready())
    made.now += 100
    made.ask(1, t.ready())
    made.now = made.start_ms
    bot = -1
    for number, text in enumerate(line.moves):
        made.play(0, text, after_ms=7)
        if number < 5:
            made.play(1, text, after_ms=3)
        if number < 2:
            made.play(bot, text)
    if not variant.hidden:
        made.undo(1, after_ms=5)
        made.play(1, line.moves[4], after_ms=5)
    made.now += 13
    made.ask(1, t.resign())
    made.now = made.limit_ms + 5
    return made.finish()


# Changes to a log that is otherwise in order.


def swapped(made: Table, at: int) -> list[tuple[int, Event]]:
    """The tail from `at` on, with its first two events in the other order."""
    (first_ms, first), (second_ms, second), *rest = tail(made, at)
    return [(first_ms, second), (second_ms, first), *rest]


def lobby_trace(event: Event) -> bool:
    return isinstance(event, events.Joined | events.Left | events.Ready)


def seats_of(event: Event) -> set[int]:
    match event:
        case events.TimedOut(seats=numbers):
            return set(numbers)
        case events.Created() | events.Countdown() | events.Ended():
            return set()
        case _:
            return {event.seat}


def is_last_turn(made: Table, at: int) -> bool:
    event = made.events[at]
    if not isinstance(event, events.Moved | events.Undone):
        return False
    later = (e for e in made.events[at + 1 :] if event.seat in seats_of(e))
    return not any(isinstance(e, events.Moved | events.Undone) for e in later)


def may_be_missing(made: Table, at: int) -> bool:
    """Whether a log may be in order without its entry `at`."""
    event = made.events[at]
    if at == len(made.entries) - 1 or lobby_trace(event):
        return True
    if not made.race.ended:
        return is_last_turn(made, at) or isinstance(
            event, events.Resigned | events.TimedOut
        )
    if not is_last_turn(made, at):
        return False
    (number,) = seats_of(event)
    before, after = made.states[at - 1].seat(number), made.race.seat(number)
    assert before is not None and after is not None
    return after.closed is not None and before.lefts == after.lefts


@given(stories(), st.data())
def test_an_entry_that_is_missing_shows(made: Table, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(made.entries) - 1))
    if at == len(made.entries) - 1:
        return
    outcome = audited(made, at, tail(made, at + 1))
    assert isinstance(outcome, LogFault) or may_be_missing(made, at)


@given(stories(), st.data())
def test_an_entry_that_is_there_twice_shows(made: Table, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(made.entries) - 1))
    outcome = audited(made, at + 1, tail(made, at))
    assert isinstance(outcome, LogFault)
    assert outcome.index == at + 1


@given(stories(), st.data())
def test_entries_in_the_other_order_show_or_come_to_the_same_boards(
    made: Table, data: st.DataObject
) -> None:
    if len(made.entries) < 2:
        return
    at = data.draw(st.integers(0, len(made.entries) - 2))
    outcome = audited(made, at, swapped(made, at))
    if isinstance(outcome, LogFault):
        assert outcome.index >= at
        return
    one, other = seats_of(made.events[at]), seats_of(made.events[at + 1])
    assert one and other and not one & other
    assert [(s.player, s.turns, s.board) for s in outcome.taken] == [
        (s.player, s.turns, s.board) for s in made.race.taken
    ]


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_every_entry_of_a_whole_race_counts(variant: Variant) -> None:
    made = whole_race(variant)
    unseen: set[type] = set()
    for at in range(len(made.entries) - 1):
        event = made.events[at]
        if not isinstance(audited(made, at, tail(made, at + 1)), LogFault):
            unseen.add(type(event))
            assert may_be_missing(made, at)
        assert isinstance(audited(made, at + 1, tail(made, at)), LogFault)
        if isinstance(event, events.Moved | events.Undone):
            for turn in (event.turn - 1, event.turn + 1, -1, 2**60):
                wrong = replace(event, turn=turn)
                changed = [(made.entries[at].at_ms, wrong), *tail(made, at + 1)]
                assert isinstance(audited(made, at, changed), LogFault)
    # That somebody got ready; and where a shift clears nothing, the last of those.
    assert unseen <= {events.Ready} | ({events.Moved} if variant.foundations else set())


@given(stories(ended=True), st.data())
def test_a_list_that_could_not_be_played_shows(
    made: Table, data: st.DataObject
) -> None:
    played = [
        at for at, event in enumerate(made.events) if isinstance(event, events.Moved)
    ]
    if not played:
        return
    at = data.draw(st.sampled_from(played))
    event, before = made.events[at], made.states[at - 1]
    assert isinstance(event, events.Moved)
    seat = before.seat(event.seat)
    assert seat is not None
    legal = {str(move) for move in legal_moves(seat.board)}
    for moves in [(), ("t0+t1",) * 65, *((text,) for text in BAD_TEXTS)]:
        alone = [(made.entries[at].at_ms, replace(event, moves=moves))]
        outcome = audited(made, at, alone)
        assert isinstance(outcome, LogFault)
        assert outcome.index == at
    other = (data.draw(st.sampled_from(sorted(legal))),)
    first = (made.entries[at].at_ms, replace(event, moves=other))
    outcome = audited(made, at, [first, *tail(made, at + 1)])
    if other != event.moves and isinstance(outcome, Race):
        assert outcome != made.race
        assert outcome.standings == made.race.standings


@given(stories(ended=True), st.data())
def test_any_change_to_the_standings_shows(made: Table, data: st.DataObject) -> None:
    at = len(made.entries) - 1
    ended = made.events[at]
    assert isinstance(ended, events.Ended)
    for standings in other_standings(ended.standings):
        changed = [(made.entries[at].at_ms, events.Ended(standings=standings))]
        outcome = audited(made, at, changed)
        assert isinstance(outcome, LogFault)
        assert outcome.index == at


def other_standings(
    given: tuple[events.Standing, ...],
) -> Iterator[tuple[events.Standing, ...]]:
    extra = events.Standing(seat=9, place=9, status="won", left=0, elapsed_ms=0)
    yield (*given, extra)
    if not given:
        return
    yield given[:-1]
    if len(given) > 1:
        yield given[::-1]
        yield given[1:]
    for index, one in enumerate(given):
        status = "resigned" if one.status == "stuck" else "stuck"
        for changes in (
            {"seat": one.seat + 1},
            {"place": one.place + 1},
            {"status": status},
            {"left": one.left + 1},
            {"elapsed_ms": one.elapsed_ms + 1},
            {"elapsed_ms": one.elapsed_ms - 1},
        ):
            yield (*given[:index], replace(one, **changes), *given[index + 1 :])


@given(stories(ended=True), st.data())
def test_another_time_shows_where_the_standings_hang_on_it(
    made: Table, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(made.entries) - 1))
    entry = made.entries[at]
    shift = data.draw(st.sampled_from([-(10**6), -50, -1, 1, 50, 10**6]))
    at_ms = entry.at_ms + shift
    outcome = audited(made, at, [(at_ms, entry.event), *tail(made, at + 1)])
    if isinstance(outcome, LogFault):
        return
    before = made.entries[at - 1].at_ms if at else at_ms
    after = made.entries[at + 1].at_ms if at + 1 < len(made.entries) else at_ms
    assert before <= at_ms <= after
    assert outcome.standings == made.race.standings
    for number in seats_of(entry.event):
        seat, other = made.race.seat(number), outcome.seat(number)
        if made.race.start_ms is not None and seat is not None:
            assert other is not None
            assert seat.elapsed_ms == other.elapsed_ms


# The first entry.


def created(**changes: Any) -> bytes:
    """The first entry of a two-deck race with one bot, some of it changed."""
    made = Table(
        find_variant("juvenile", "two-decks"), settings=RaceSettings(bots=("random",))
    )
    stored = msgspec.json.decode(made.entries[0].data)
    stored["settings"] |= changes.pop("settings", {})
    return msgspec.json.encode(stored | changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"type": "joined"}, "this is no event that we know"),
        ({"type": "made"}, "this is no event that we know"),
        ({"rules": 0}, "rules version 0; this program knows 1."),
        ({"rules": 2}, "rules version 2; this program knows 1."),
        ({"race": "K3V7Q2MZT5AD6XWP"}, "the race id is malformed."),
        ({"race": ""}, "the race id is malformed."),
        ({"code": "qwxyza"}, "the code is malformed."),
        ({"code": "QWXYZO"}, "the code is malformed."),
        ({"game": "patience"}, "patience"),
        ({"variant": "three-decks"}, "three-decks"),
        ({"variant": ""}, ""),
        ({"variant": "one-deck"}, "the commitment does not match"),
        ({"seed": "0" * 31 + "1"}, "the commitment does not match"),
        ({"seed": "0" * 31}, "seed"),
        ({"seed": "F" * 32}, "seed"),
        ({"salt": "0" * 32}, "the commitment does not match"),
        ({"salt": "x"}, ""),
        ({"commitment": "0" * 64}, "the commitment does not match"),
        ({"settings": {"seats": 0}}, "seats out of range."),
        ({"settings": {"seats": 17}}, "seats out of range."),
        ({"settings": {"seats": 1}}, "more bots than seats allow."),
        ({"settings": {"countdown_ms": -1}}, "countdown_ms out of range."),
        ({"settings": {"countdown_ms": 60_001}}, "countdown_ms out of range."),
        ({"settings": {"time_limit_ms": 9_999}}, "time_limit_ms out of range."),
        ({"settings": {"time_limit_ms": 3_600_001}}, "time_limit_ms out of range."),
        ({"settings": {"deals": "easy"}}, "this is no event that we know"),
        ({"settings": {"undo": 1}}, "this is no event that we know"),
    ],
)
def test_a_race_that_nobody_could_have_made_is_refused(
    changes: dict[str, Any], message: str
) -> None:
    advance(None, created(), t.T0)
    with pytest.raises(LogFault) as caught:
        advance(None, created(**changes), t.T0)
    assert caught.value.index == 0
    assert message in caught.value.message


@pytest.mark.parametrize("settings", [{"seats": 16}, {"countdown_ms": 0}])
def test_the_bounds_of_the_settings_are_within(settings: dict[str, int]) -> None:
    advance(None, created(settings=settings), t.T0)


def test_a_log_begins_with_created() -> None:
    made = t.table("juvenile")
    outcome = audited(made, 0, tail(made, 1))
    assert isinstance(outcome, LogFault)
    assert outcome.message == "a log begins with `created`."


# What may follow.


def test_a_race_is_created_once() -> None:
    made = t.table("juvenile")
    assert refusal(made, made.events[0]) == "a race is created once."


def test_nothing_follows_the_end() -> None:
    made = t.table("juvenile")
    made.ask(0, t.leave())
    assert made.race.ended
    for event in (*made.events, events.Ready(seat=0, ready=True)):
        assert refusal(made, event) == "nothing can follow `ended`."


def test_time_does_not_go_backwards() -> None:
    made = t.table("juvenile", players=2)
    event = events.Ready(seat=0, ready=True)
    assert refusal(made, event, t.T0 - 1) == "time goes backwards."
    assert passes(made, event)


def test_the_host_and_the_bots_come_first() -> None:
    made = Table(settings=RaceSettings(bots=("random", "greedy")))
    host, first, second = made.events[1:]
    assert isinstance(host, events.Joined)

    def outcome(*joined: Event) -> str:
        found = audited(made, 1, [(t.T0, event) for event in joined])
        return found.message if isinstance(found, LogFault) else "passes"

    person = events.Joined(seat=1, player=PLAYERS[5], name="Ada")
    assert outcome(host, first, second) == "passes"
    assert outcome(replace(host, bot="external"), first, second) == "passes"
    assert outcome(replace(host, player=PLAYERS[5])) == "the host comes first."
    assert outcome(replace(host, bot="random")) == "the bots are seated already."
    assert outcome(host, person) == "not the bot of the settings."
    assert outcome(host, replace(second, seat=1)) == "not the bot of the settings."
    ready = events.Ready(seat=0, ready=True)
    assert "come first" in outcome(host, first, ready)
    assert "come first" in outcome(host, events.Countdown(countdown_ms=3000))
    assert outcome(host, first, second, replace(person, seat=3)) == "passes"
    assert "seated already" in outcome(
        host, first, second, replace(person, seat=3, bot="random")
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "passes"),
        ({"bot": "external"}, "passes"),
        ({"seat": 3}, "not the lowest free seat."),
        ({"seat": 0}, "not the lowest free seat."),
        ({"seat": -1}, "not the lowest free seat."),
        ({"player": "ada"}, "the player id is malformed."),
        ({"player": PLAYERS[0]}, "the player has a seat already."),
        ({"name": ""}, "A name needs at least one visible character."),
        ({"name": "x" * 25}, "A name has at most 24 characters."),
        ({"name": " Ada"}, "the name is not in its proper form."),
        ({"name": "Zoe\u0308"}, "the name is not in its proper form."),
        ({"name": "PLAYER 0"}, "the name is taken."),
        ({"bot": "greedy"}, "the bots are seated already."),
    ],
)
def test_who_may_join(changes: dict[str, Any], message: str) -> None:
    made = t.table("juvenile", players=2)
    event = replace(events.Joined(seat=2, player=PLAYERS[2], name="Ada"), **changes)
    if message == "passes":
        assert passes(made, event)
    else:
        assert refusal(made, event) == message


def test_seats_are_fixed_by_the_countdown() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.start())
    joined = events.Joined(seat=2, player=PLAYERS[2], name="Ada")
    assert refusal(made, joined) == "nobody can join once the countdown began."
    for event in (events.Left(seat=1), events.Ready(seat=1, ready=True)):
        assert refusal(made, event) == "seats are fixed once the countdown began."
    again = events.Countdown(countdown_ms=3000)
    assert refusal(made, again) == "the countdown begins once."


@pytest.mark.parametrize(
    "event",
    [
        events.Left(seat=2),
        events.Left(seat=-1),
        events.Left(seat=99),
        events.Ready(seat=2, ready=True),
    ],
)
def test_an_empty_seat_does_nothing_in_the_lobby(event: events.Left) -> None:
    made = t.table("juvenile", players=2)
    assert refusal(made, event) == f"nobody is in seat {event.seat}."


@pytest.mark.parametrize(
    "event",
    [
        events.Moved(seat=2, turn=0, moves=("t0+t1",)),
        events.Undone(seat=2, turn=0),
        events.Resigned(seat=2),
        events.TimedOut(seats=(0, 2)),
    ],
)
def test_an_empty_seat_does_nothing_in_play(event: Event) -> None:
    made = t.racing(find_variant("juvenile"), players=2)
    made.now = made.limit_ms + isinstance(event, events.TimedOut)
    assert refusal(made, event) == "nobody is in seat 2."


def test_readiness_changes_something() -> None:
    made = Table(settings=RaceSettings(bots=("random",)))
    assert passes(made, events.Ready(seat=0, ready=True))
    for event in (
        events.Ready(seat=0, ready=False),
        events.Ready(seat=1, ready=False),
        events.Ready(seat=1, ready=True),
    ):
        assert refusal(made, event) == "`ready` changes nothing."
    quick = Table(quick=True)
    for ready in (True, False):
        event = events.Ready(seat=0, ready=ready)
        assert refusal(quick, event) == "`ready` changes nothing."


def test_the_countdown_is_that_of_the_settings() -> None:
    made = t.table("juvenile")
    assert passes(made, events.Countdown(countdown_ms=3000))
    wrong = events.Countdown(countdown_ms=2999)
    assert refusal(made, wrong) == "the countdown is not the one in the settings."


def test_nobody_starts_an_empty_race() -> None:
    made = Table(settings=RaceSettings(bots=("random",)))
    made.append(Decision((events.Left(seat=0),)))
    assert refusal(made, events.Countdown(countdown_ms=3000)) == "nobody is seated."


def test_moves_are_made_in_time_and_in_turn() -> None:
    made = t.racing(find_variant("private-lane"))
    moved = events.Moved(seat=0, turn=0, moves=("t0>c0",))
    assert "not started" in refusal(made, moved, made.start_ms - 1)
    assert "time limit" in refusal(made, moved, made.limit_ms + 1)
    assert passes(made, moved)
    assert "at turn 0, not 1" in refusal(made, replace(moved, turn=1))
    assert refusal(made, replace(moved, moves=())) == "a list has 1 to 64 moves, not 0."
    many = ("t0>c0", "c0>t0") * 33
    assert refusal(made, replace(moved, moves=many)).endswith("not 66.")
    made.append(Decision((moved,)))
    assert refusal(made, moved) == "the move list was played before."


def test_an_undo_needs_something_to_take_back() -> None:
    made = t.racing(find_variant("private-lane"), undo=True)
    undone = events.Undone(seat=0, turn=1)
    made.play(0, "t0>c0")
    assert passes(made, undone)
    made.append(Decision((undone,)))
    assert refusal(made, undone) == "the undo was made before."
    assert "no move" in refusal(made, replace(undone, turn=2))
    without = t.racing(find_variant("private-lane"))
    without.play(0, "t0>c0")
    assert "without undo" in refusal(without, undone)


def test_a_seat_resigns_once() -> None:
    made = t.racing(find_variant("private-lane"), players=2)
    made.ask(0, t.resign())
    assert refusal(made, events.Resigned(seat=0)) == "the seat has resigned before."


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ((), "`timed_out` without seats."),
        ((1, 0), "the seats are not ascending."),
        ((0, 0), "the seats are not ascending."),
        ((0, 1, 2), "seat 2 is done."),
        ((0,), "passes"),
        ((0, 1), "passes"),
    ],
)
def test_who_may_time_out(seats: tuple[int, ...], message: str) -> None:
    made = t.racing(find_variant("private-lane"), players=3)
    made.ask(2, t.resign())
    made.now = made.limit_ms + 1
    event = events.TimedOut(seats=seats)
    if message == "passes":
        assert passes(made, event)
    else:
        assert refusal(made, event) == message


def test_nobody_times_out_before_the_limit_unless_somebody_won() -> None:
    variant = find_variant("juvenile")
    line = t.line(variant)
    made = Table(variant, seed=line.seed, settings=RaceSettings(bots=("random",)))
    made.join(1)
    timed_out = events.TimedOut(seats=(2,))
    made.ask(0, t.start())
    assert refusal(made, timed_out) == "nobody times out before the start."
    made.now = made.start_ms
    assert refusal(made, timed_out) == "nothing times seat 2 out yet."
    assert "yet" in refusal(made, timed_out, made.limit_ms)
    for text in line.moves:
        made.play(0, text)
    assert passes(made, timed_out)
    # The server itself plays there, and is always connected.
    bot = events.TimedOut(seats=(1,))
    assert refusal(made, bot) == "nothing times seat 1 out yet."


def test_a_lobby_ends_when_it_is_deserted_or_old() -> None:
    made = t.table("juvenile")
    ended = events.Ended(standings=())
    assert refusal(made, ended) == "the lobby is neither deserted nor old."
    old = t.T0 + 30 * 60_000
    assert "nor old" in refusal(made, ended, old - 1)
    made.now = old
    assert passes(made, ended)
    standing = events.Standing(seat=0, place=1, status="waiting", left=52, elapsed_ms=0)
    wrong = events.Ended(standings=(standing,))
    assert refusal(made, wrong) == "standings without a start."
    made.now = t.T0
    made.append(Decision((events.Left(seat=0),)))
    assert passes(made, ended)


def test_a_race_ends_when_every_seat_is_done() -> None:
    made = t.racing(find_variant("private-lane"), players=2)
    assert refusal(made, events.Ended(standings=())) == "not every seat is done."
    made.ask(0, t.resign())
    made.ask(1, t.resign())
    assert "not what the moves come to" in refusal(made, events.Ended(standings=()))


# Whatever bytes come.


def stored(made: Table) -> list[bytes]:
    return [entry.data for entry in made.entries]


@given(stories(), st.data())
def test_any_bytes_are_a_next_entry_or_a_fault(
    made: Table, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(made.entries)))
    race = made.states[at - 1] if at else None
    garbled = bytearray(data.draw(st.sampled_from(stored(made))))
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(garbled)))
        garbled[place : place + data.draw(st.integers(0, 2))] = data.draw(
            st.binary(max_size=2) | st.sampled_from([b"9", b"-", b"0", b"[]", b"true"])
        )
    at_ms = data.draw(st.sampled_from([0, t.T0, made.now, made.now + 10**6]))
    try:
        after, event = advance(race, bytes(garbled), at_ms)
    except LogFault as fault:
        assert fault.index == at
        return
    assert after.length == at + 1
    assert event == decode_event(bytes(garbled))

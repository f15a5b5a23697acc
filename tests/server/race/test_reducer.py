from collections import Counter

import pytest
from hypothesis import given
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import Table

from samedeal_games import State, Take, card_text, find_variant, left, parse_move
from samedeal_protocol import events
from samedeal_protocol.codec import decode_event
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import evolve, replay
from samedeal_server.race.seat import Seat


# Laws.


@given(stories())
def test_a_log_replays_to_the_live_race(made: Table) -> None:
    stored = [(decode_event(entry.data), entry.at_ms) for entry in made.entries]
    assert replay(stored) == made.race
    for length, state in enumerate(made.states, 1):
        assert replay(stored[:length]) == state


@given(stories())
def test_the_race_counts_its_entries_and_knows_the_last_ones_time(made: Table) -> None:
    for length, (entry, state) in enumerate(
        zip(made.entries, made.states, strict=True), 1
    ):
        assert (state.length, state.at_ms) == (length, entry.at_ms)


@given(stories())
def test_an_entry_changes_its_own_seat_alone(made: Table) -> None:
    for entry, before, after in steps(made):
        match entry.event:
            case events.Created() | events.Countdown() | events.Ended():
                continue
            case events.TimedOut(seats=numbers):
                touched = set(numbers)
            case _:
                touched = {entry.event.seat}
        for number in range(len(before.seats)):
            changed = before.seats[number] is not after.seats[number]
            assert changed == (number in touched)


@given(stories())
def test_a_turn_is_each_list_and_each_undo(made: Table) -> None:
    counts = Counter(
        entry.event.seat
        for entry in made.entries
        if isinstance(entry.event, events.Moved | events.Undone)
    )
    for seat in made.race.taken:
        assert seat.turn == len(seat.turns) == counts[seat.number]


@given(stories())
def test_cards_are_conserved_along_a_race(made: Table) -> None:
    variant = made.race.variant
    for entry, before, after in steps(made):
        if isinstance(entry.event, events.Moved):
            was, now = board(before, entry.event.seat), board(after, entry.event.seat)
            taken = 0
            for text in entry.event.moves:
                move = parse_move(text)
                taken += len(move.piles) if isinstance(move, Take) else 0
            gone = cards(was) - cards(now)
            assert cards(was) == cards(now) + gone
            assert gone.total() == taken
            if not variant.foundations:
                assert left(now) == left(was) - taken
        for seat in after.taken:
            assert cards(seat.board) <= cards(after.deal)
            assert seat.left == left(seat.board)


@given(stories(undo=True))
def test_an_undo_brings_back_the_very_board(made: Table) -> None:
    boards: dict[int, list[State]] = {}
    for entry, before, after in steps(made):
        match entry.event:
            case events.Moved(seat=number):
                boards.setdefault(number, []).append(board(before, number))
            case events.Undone(seat=number):
                assert board(after, number) == boards[number].pop()
            case _:
                continue
        seat = after.seat(number)
        assert seat is not None
        assert list(seat.past) == boards[number]


@given(stories(undo=False))
def test_without_undo_no_past_is_kept(made: Table) -> None:
    assert all(seat.past == () for seat in made.race.taken)


def steps(made: Table) -> list[tuple[t.Entry, Race, Race]]:
    """Each entry after the first, with the race before it and after it."""
    return [*zip(made.entries[1:], made.states, made.states[1:], strict=False)]


def board(race: Race, number: int) -> State:
    seat = race.seat(number)
    assert seat is not None
    return seat.board


def cards(state: State) -> Counter[str]:
    every = [card for pile in state.piles for card in pile] + [*state.stock]
    return Counter(map(card_text, every))


# A race and its entries, one by one.


def test_a_log_without_entries_is_no_race() -> None:
    assert replay([]) is None


def test_created_deals_the_cards_into_an_empty_lobby() -> None:
    race = t.table("juvenile").states[0]
    assert (race.length, race.at_ms, race.created_ms) == (1, t.T0, t.T0)
    assert (race.id, race.code, race.creator) == (t.RACE, "QWXYZA", t.PLAYERS[0])
    assert race.seats == (None,) * 8
    assert race.in_lobby
    assert race.phase(t.T0) == "lobby"
    assert left(race.deal) == 52


def test_a_race_is_created_once() -> None:
    made = t.table("juvenile")
    with pytest.raises(ValueError, match="created once"):
        evolve(made.race, made.events[0], t.T0)


def test_states_are_equal_where_all_that_they_hold_is() -> None:
    made, other = (t.racing(find_variant("private-lane"), players=2) for _ in "ab")
    for item, same in ((made.race, other.race), (made.seat(0), other.seat(0))):
        assert item == same
        assert repr(item) == repr(same)
    assert made.seat(0) != made.seat(1)
    assert made.states[-2] != made.states[-1]


def test_a_newcomer_has_the_deal_and_is_not_ready() -> None:
    made = t.table("doublets", players=2)
    assert made.seat(1) == Seat(
        number=1,
        player=t.PLAYERS[1],
        name="Player 1",
        bot=None,
        ready=False,
        board=made.race.deal,
        outcome=None,
        turns=(),
        past=(),
        lefts=((52, t.T0),),
        elapsed_ms=0,
        closed=None,
    )


def test_times_count_from_the_start() -> None:
    made = t.table("private-lane", players=2)
    made.now += 5000
    made.ask(0, t.start())
    assert made.race.start_ms == t.T0 + 8000
    assert made.race.limit_ms == t.T0 + 8000 + 600_000
    made.now = t.T0 + 8000
    assert made.seat(0).lefts == ((52, t.T0 + 8000),)
    made.play(0, "t0>c0", after_ms=123)
    assert made.seat(0).elapsed_ms == 123
    assert made.seat(1).elapsed_ms == 0


def test_a_resignation_in_the_countdown_has_taken_no_time() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.start())
    made.now += 1000
    made.ask(1, t.resign())
    assert made.seat(1).closed == "resigned"
    assert made.seat(1).elapsed_ms == 0


def test_a_list_is_one_turn() -> None:
    variant = find_variant("private-lane", "any-suit")
    line = t.line(variant)
    made = t.racing(variant, line.seed, undo=True)
    made.play(0, *line.moves[:10], after_ms=50)
    assert made.seat(0).turns == (line.moves[:10],)
    assert made.seat(0).past == (made.race.deal,)
    made.undo(0)
    assert made.seat(0).turns == (line.moves[:10], "undo")
    assert made.seat(0).board == made.race.deal


def test_the_limit_is_the_most_that_a_timed_out_seat_has_taken() -> None:
    made = t.racing(find_variant("private-lane"), players=2)
    made.play(0, "t0>c0", after_ms=50)
    made.now = made.limit_ms + 12_345
    made.due()
    assert [seat.elapsed_ms for seat in made.race.taken] == [600_000, 600_000]
    assert [seat.closed for seat in made.race.taken] == ["timed_out"] * 2

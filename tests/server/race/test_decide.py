import pytest
from hypothesis import given, strategies as st
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import PLAYERS, Table

from samedeal_games import legal_moves
from samedeal_protocol.codec import encode_event
from samedeal_server.race import schedule
from samedeal_server.race.audit import advance
from samedeal_server.race.decide import RaceCommand, decide
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat


ALL: list[RaceCommand] = [
    t.ready(),
    t.start(),
    t.leave(),
    t.move(0, "t0+t1"),
    t.undo(0),
    t.resign(),
    t.kick(0),
]


@pytest.mark.parametrize("command", ALL, ids=lambda command: type(command).__name__)
def test_who_has_no_seat_is_told_so_first(command: RaceCommand) -> None:
    lobby, racing = t.table("juvenile"), t.table("juvenile").begin()
    ended = t.table("juvenile")
    ended.ask(0, t.leave())
    for made in (lobby, racing, ended):
        with pytest.raises(Refusal) as caught:
            made.decided(PLAYERS[9], command)
        assert caught.value.code == "not_in_race"


def conceivable(seat: Seat) -> list[RaceCommand]:
    """One of each command, and turns that may be right."""
    moves = legal_moves(seat.board)
    text = str(moves[0]) if moves else "t0+t1"
    return [*ALL, t.ready(False), t.kick(1), t.move(seat.turn, text), t.undo(seat.turn)]


@given(stories())
def test_a_command_is_decided_or_refused_in_words(made: Table) -> None:
    for seat in made.race.taken:
        for command in conceivable(seat):
            try:
                decision = decide(made.race, seat.player, command, made.now)
            except Refusal as refusal:
                assert refusal.message.endswith(".")
                assert len(refusal.message) <= 400
                is_stale = refusal.code == "stale_turn"
                assert refusal.turn == (seat.turn if is_stale else None)
            else:
                assert (
                    decision.events
                    or decision.resend_from is not None
                    or (decision == NOTHING)
                )
    for met in made.refused:
        assert met.message.endswith(".")
        assert len(met.message) <= 400


@given(stories(), st.sampled_from([-50, 0, 1, 3000, 10_000, 700_000]))
def test_a_decision_is_right_wherever_the_log_may_stamp_it(
    made: Table, lag: int
) -> None:
    """A node's clock is not the log's: what was decided must hold in between."""
    race = made.race
    now = max(made.now + lag, race.at_ms)
    decisions = [schedule.due(race, now, {}) or NOTHING]
    for seat in race.taken:
        for command in conceivable(seat):
            try:
                decisions.append(decide(race, seat.player, command, now))
            except Refusal:
                continue
    for decision in decisions:
        for at_ms in stamps(decision, race.at_ms):
            after = race
            for event in decision.events:
                after, _ = advance(after, encode_event(event), at_ms)


def stamps(decision: Decision, earliest: int) -> set[int]:
    """The first and the last moment that the log may take, and next to them."""
    first = max(earliest, decision.not_before or 0)
    last = decision.not_after or first + 10**8
    return (
        {first, min(first + 1, last), max(first, last - 1), last}
        if (first <= last)
        else set()
    )


@given(stories())
def test_nothing_is_decided_on_a_race_that_has_ended(made: Table) -> None:
    if not made.race.ended:
        return
    for seat in made.race.taken:
        for command in conceivable(seat):
            try:
                decision = decide(made.race, seat.player, command, made.now)
            except Refusal:
                continue
            assert decision.events == ()

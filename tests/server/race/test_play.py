import pytest
from hypothesis import given
from tests.helpers.positions import VARIANTS, variant_id
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import PLAYERS, Table

from samedeal_games import Variant, find_variant, view
from samedeal_protocol import events
from samedeal_server.race.decide import RaceCommand, decide
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.refusal import Refusal


LANE = find_variant("private-lane")
JUVENILE = find_variant("juvenile")
HIDDEN = [variant for variant in VARIANTS if variant.hidden]
OPEN = [variant for variant in VARIANTS if not variant.hidden]


def refusal(made: Table, command: RaceCommand, who: int = 0) -> Refusal:
    with pytest.raises(Refusal) as caught:
        made.decided(PLAYERS[who], command)
    return caught.value


def code(made: Table, command: RaceCommand, who: int = 0) -> str:
    return refusal(made, command, who).code


def won(variant: Variant = JUVENILE, *, undo: bool = False, players: int = 2) -> Table:
    """A race that seat 0 has just won."""
    line = t.line(variant)
    made = t.racing(variant, line.seed, players=players, undo=undo)
    for text in line.moves:
        made.play(0, text, after_ms=5)
    return made


def stuck(variant: Variant = JUVENILE, *, undo: bool = False) -> Table:
    """A race in which seat 0 has just got stuck."""
    line = t.line(variant, "stuck")
    made = t.racing(variant, line.seed, players=2, undo=undo)
    for text in line.moves:
        made.play(0, text, after_ms=5)
    return made


# Moves.


def test_a_move_is_an_event_between_start_and_limit() -> None:
    made = t.racing(LANE)
    decision = made.decided(PLAYERS[0], t.move(0, "t0>c0", "t1>c1"))
    assert decision == Decision(
        (events.Moved(seat=0, turn=0, moves=("t0>c0", "t1>c1")),),
        not_before=made.start_ms,
        not_after=made.start_ms + 600_000,
    )


def test_the_first_and_the_last_instant_count() -> None:
    made = t.racing(LANE)
    made.now = made.start_ms - 1
    assert code(made, t.move(0, "t0>c0")) == "not_started"
    made.now = made.start_ms
    made.play(0, "t0>c0")
    made.now = made.limit_ms
    made.play(0, "t1>c1")
    made.now = made.limit_ms + 1
    assert code(made, t.move(2, "t2>t3")) == "finished"


def test_the_log_refuses_a_stamp_outside() -> None:
    made = t.racing(LANE)
    decision = made.decided(PLAYERS[0], t.move(0, "t0>c0"))
    assert not made.append(decision, made.start_ms - 1)
    assert not made.append(decision, made.limit_ms + 1)
    assert made.append(decision, made.limit_ms)


@pytest.mark.parametrize("variant", OPEN, ids=variant_id)
def test_a_list_is_played_whole_or_not_at_all(variant: Variant) -> None:
    moves = t.line(variant).moves
    made = t.racing(variant, t.line(variant).seed)
    made.play(0, *moves[:4])
    assert made.seat(0).turn == 1
    for wrong in ("t0+t99", "t0>t0"):
        assert code(made, t.move(1, *moves[4:6], wrong)) == "illegal_move"
    assert code(made, t.move(1, *moves[4:6], "t00>t1")) == "bad_move"
    assert made.seat(0).turn == 1
    made.play(0, *moves[4:6])
    assert made.seat(0).turn == 2


@pytest.mark.parametrize("variant", OPEN, ids=variant_id)
def test_a_list_ends_with_the_winning_move(variant: Variant) -> None:
    line = t.line(variant)
    made = t.racing(variant, line.seed)
    for text in line.moves[:-2]:
        made.play(0, text)
    turn = made.seat(0).turn
    found = refusal(made, t.move(turn, *line.moves[-2:], line.moves[-1]))
    assert found.code == "illegal_move"
    assert found.message == f"{line.moves[-1]}: the game is already won."
    made.play(0, *line.moves[-2:])
    assert made.race.status(made.seat(0), made.now) == "won"


@pytest.mark.parametrize("variant", HIDDEN, ids=variant_id)
def test_where_cards_are_hidden_a_list_is_one_move(variant: Variant) -> None:
    line = t.line(variant)
    made = t.racing(variant, line.seed, players=2)
    # Whatever the moves are, and whoever asks: nothing is told of any card.
    told = {
        refusal(made, t.move(0, *moves)).message
        for moves in (
            line.moves[:2],
            ("t0+t1", "t0+t1"),
            (line.moves[0], "no move"),
            ("no move", line.moves[0]),
            (line.moves[0],) * 64,
        )
    }
    assert told == {"Where cards are hidden, a turn is exactly one move."}
    made.ask(0, t.resign())
    assert code(made, t.move(0, *line.moves[:2])) == "bad_move"
    assert code(made, t.move(1, *line.moves[:2])) == "stale_turn"
    made.play(1, line.moves[0])


@pytest.mark.parametrize(
    "text", ["", "t0", "t7+t3", "t3+t3", "t03+t4", "t3>fc", "t3+t4 ", "T3+t4", "undo"]
)
def test_what_is_no_move_text_is_a_bad_move(text: str) -> None:
    assert code(t.racing(LANE), t.move(0, text)) == "bad_move"
    assert code(t.racing(LANE), t.move(0, "t0>c0", text)) == "bad_move"
    # Notation is looked at before any card.
    assert code(t.racing(LANE), t.move(0, "t0+t1", text)) == "bad_move"


@pytest.mark.parametrize(
    "text", ["t0+t1", "t0>t9", "t0>t0", "c0>c1", "c0>t0", "t9>f", "t0>c2", "t0>f"]
)
def test_what_is_against_the_rules_is_an_illegal_move(text: str) -> None:
    found = refusal(t.racing(LANE), t.move(0, text))
    assert found.code == "illegal_move"
    assert found.message.startswith(text)


# The order of checks.


def test_checks_come_in_the_order_of_the_page() -> None:
    illegal, bad = "t0+t1", "no move"
    made = t.racing(LANE, players=2)
    made.now = made.start_ms - 1
    assert code(made, t.move(5, bad)) == "not_started"
    made.now = made.start_ms
    made.play(0, "t0>c0")
    assert code(made, t.move(0, illegal)) == "stale_turn"
    assert code(made, t.move(1, illegal)) == "illegal_move"
    made.ask(0, t.resign())
    assert code(made, t.move(2, bad)) == "stale_turn"
    assert code(made, t.move(1, bad)) == "bad_move"
    assert code(made, t.move(1, illegal)) == "finished"
    assert code(made, t.move(1, "t1>c1")) == "finished"
    assert made.ask(0, t.move(0, "t0>c0")) == Decision(resend_from=0)


def test_a_stale_turn_is_told_the_true_one() -> None:
    made = t.racing(LANE)
    made.play(0, "t0>c0")
    for turn in (0, 2, 2**53 - 1):
        found = refusal(made, t.move(turn, "t1>c1"))
        assert (found.code, found.turn) == ("stale_turn", 1)
        assert refusal(made, t.undo(turn)).turn == 1


@pytest.mark.parametrize("end", ["won", "stuck", "resigned", "timed_out", "ended"])
def test_a_seat_that_is_done_is_finished(end: str) -> None:
    if end == "won":
        made = won()
    elif end == "stuck":
        made = stuck()
    else:
        made = t.racing(JUVENILE, t.line(JUVENILE).seed, players=2)
    if end == "resigned":
        made.ask(0, t.resign())
    elif end in ("timed_out", "ended"):
        made.now = made.limit_ms + 1
        made.due()
        assert made.race.status(made.seat(0), made.now) == "timed_out"
    if end == "ended":
        made.finish()
    turn = made.seat(0).turn
    assert code(made, t.move(turn, "t0+t1")) == "finished"
    assert code(made, t.move(turn, t.line(JUVENILE).moves[0])) == "finished"
    assert code(made, t.move(turn, "t1+t0")) == "bad_move"
    assert code(made, t.move(turn + 1, "t0+t1")) == "stale_turn"


def test_past_the_limit_is_finished_before_the_log_says_so() -> None:
    made = t.racing(JUVENILE, t.line(JUVENILE).seed, undo=True)
    made.play(0, t.line(JUVENILE).moves[0])
    made.now = made.limit_ms + 1
    for command in (t.move(1, t.line(JUVENILE).moves[1]), t.undo(1), t.resign()):
        found = refusal(made, command)
        assert found.code == "finished"
        assert found.message == "The time limit is over."
    assert code(made, t.move(1, "t1+t0")) == "bad_move"


def test_a_finished_seat_is_told_why() -> None:
    assert "won already" in refusal(won(), t.move(26, "t0+t1")).message
    made = stuck()
    turn = made.seat(0).turn
    assert "no move is left" in refusal(made, t.move(turn, "t0+t1")).message
    made.ask(1, t.resign())
    assert "has resigned" in refusal(made, t.move(0, "t0+t1"), 1).message
    made = t.racing(JUVENILE)
    made.now = made.limit_ms + 1
    made.due()
    assert "time is over" in refusal(made, t.move(0, "t0+t1")).message


def test_a_stuck_seat_that_may_undo_is_told_illegal_move() -> None:
    made = stuck(undo=True)
    turn = made.seat(0).turn
    assert made.race.status(made.seat(0), made.now) == "stuck"
    assert not made.seat(0).is_done()
    assert code(made, t.move(turn, "t0+t1")) == "illegal_move"
    made.undo(0)
    assert made.race.status(made.seat(0), made.now) == "playing"
    made.play(0, t.line(JUVENILE, "stuck").moves[-1])
    made.now = made.limit_ms + 1
    assert code(made, t.move(turn + 2, "t0+t1")) == "finished"
    made.due()
    assert made.seat(0).closed == "timed_out"


def test_nothing_is_played_in_the_lobby_or_the_countdown() -> None:
    made = t.table("juvenile", players=2)
    for command in (t.move(0, "t0+t1"), t.undo(0), t.move(9, ""), t.resign()):
        assert code(made, command) == "not_started"
    made.ask(0, t.start())
    for command in (t.move(0, "t0+t1"), t.undo(0), t.move(9, "")):
        assert code(made, command) == "not_started"


# Resends.


@given(stories())
def test_whatever_was_accepted_can_be_sent_again(made: Table) -> None:
    length = len(made.entries)
    for seat in made.race.taken:
        for turn, played in enumerate(seat.turns):
            same = t.undo(turn) if played == "undo" else t.move(turn, *played)
            for now in (made.race.at_ms, made.now, made.now + 10**9):
                decision = decide(made.race, seat.player, same, now)
                assert decision == Decision(resend_from=turn)
    assert len(made.entries) == length


@given(stories())
def test_anything_else_at_an_old_turn_is_stale(made: Table) -> None:
    now = max(made.now, made.race.at_ms)
    for seat in made.race.taken:
        for turn, played in enumerate(seat.turns):
            if played == "undo":
                others: list[RaceCommand] = [t.move(turn, "undo")]
            else:
                longer, shorter = (*played, "t0+t1"), played[:-1]
                others = [t.undo(turn), t.move(turn, *longer)]
                others += [t.move(turn, *shorter)] if shorter else []
            for other in others:
                with pytest.raises(Refusal) as caught:
                    decide(made.race, seat.player, other, now)
                assert caught.value.code == "stale_turn"
                assert caught.value.turn == seat.turn


def test_a_resend_is_answered_when_all_is_over() -> None:
    made = won(undo=True)
    made.ask(1, t.resign())
    made.finish()
    assert made.race.ended
    first, last = t.line(JUVENILE).moves[0], t.line(JUVENILE).moves[-1]
    assert made.ask(0, t.move(0, first)) == Decision(resend_from=0)
    assert made.ask(0, t.move(25, last)) == Decision(resend_from=25)
    assert code(made, t.move(26, last)) == "finished"


def test_the_same_list_at_the_present_turn_is_no_resend() -> None:
    made = t.racing(LANE, undo=True)
    for _ in range(2):
        made.play(0, "t0>c0")
        made.undo(0)
    assert made.seat(0).turns == (("t0>c0",), "undo", ("t0>c0",), "undo")


# Undo.


def test_an_undo_takes_back_the_latest_list_that_was_not_taken_back() -> None:
    moves = t.line(LANE).moves
    made = t.racing(LANE, t.line(LANE).seed, undo=True)
    boards = [made.seat(0).board]
    for turn in (moves[:1], moves[1:4], moves[4:5]):
        made.play(0, *turn)
        boards.append(made.seat(0).board)
    made.undo(0)
    assert made.seat(0).board == boards[2]
    made.undo(0)
    assert made.seat(0).board == boards[1]
    made.play(0, *moves[1:3])
    made.undo(0)
    made.undo(0)
    assert made.seat(0).board == boards[0]
    assert made.seat(0).turn == 8
    assert code(made, t.undo(8)) == "nothing_to_undo"


def test_an_undo_is_an_event_between_start_and_limit() -> None:
    made = t.racing(LANE, undo=True)
    made.play(0, "t0>c0")
    assert made.decided(PLAYERS[0], t.undo(1)) == Decision(
        (events.Undone(seat=0, turn=1),), made.start_ms, made.limit_ms
    )


def test_a_race_without_undo_refuses_it() -> None:
    made = t.racing(LANE)
    assert code(made, t.undo(0)) == "undo_refused"
    made.play(0, "t0>c0")
    assert code(made, t.undo(1)) == "undo_refused"
    made.ask(0, t.resign())
    assert code(made, t.undo(1)) == "undo_refused"


def test_a_won_game_is_not_taken_back() -> None:
    made = won(undo=True)
    assert code(made, t.undo(26)) == "undo_refused"
    made.now = made.limit_ms + 1
    assert code(made, t.undo(26)) == "undo_refused"


def test_who_has_given_up_is_finished() -> None:
    made = t.racing(LANE, players=2, undo=True)
    made.play(0, "t0>c0")
    made.ask(0, t.resign())
    assert code(made, t.undo(1)) == "finished"
    made.play(1, "t0>c0")
    made.now = made.limit_ms + 1
    made.due()
    assert code(made, t.undo(1), 1) == "finished"
    assert code(made, t.undo(0), 1) == "stale_turn"


def test_what_showed_a_card_is_not_taken_back_is_said_before_finished() -> None:
    variant = find_variant("simple-pairs")
    made = t.racing(variant, t.line(variant).seed, players=2, undo=True)
    made.play(0, t.line(variant).moves[0])
    made.play(1, t.line(variant).moves[0])
    made.ask(0, t.resign())
    assert code(made, t.undo(1)) == "undo_refused"
    made.now = made.limit_ms + 1
    assert code(made, t.undo(1), 1) == "undo_refused"
    made.finish()
    assert code(made, t.undo(1), 1) == "undo_refused"


def test_there_may_be_nothing_to_take_back() -> None:
    made = t.racing(LANE, undo=True)
    assert code(made, t.undo(0)) == "nothing_to_undo"
    assert code(made, t.undo(1)) == "stale_turn"


@pytest.mark.parametrize("variant", HIDDEN, ids=variant_id)
def test_what_showed_a_card_is_not_taken_back(variant: Variant) -> None:
    line = t.line(variant)
    made = t.racing(variant, line.seed, undo=True)
    seen = set[bool]()
    for text in line.moves[:-1]:
        before = hidden(made)
        made.play(0, text)
        turn, shown = made.seat(0).turn, hidden(made) < before
        seen.add(shown)
        if shown:
            assert code(made, t.undo(turn)) == "undo_refused"
        else:
            board = made.seat(0).board
            made.undo(0)
            assert hidden(made) == before
            made.play(0, text)
            assert made.seat(0).board == board
    # Of the sealed piles each ends with its own pair.
    assert seen == ({True} if variant.name == "sealed" else {True, False})


def hidden(made: Table) -> int:
    """How many cards seat 0 sees the backs of."""
    return sum(pile.count("??") for pile in view(made.seat(0).board).values())


def test_a_stuck_seat_whose_last_move_showed_a_card_is_done() -> None:
    made = stuck(find_variant("simple-pairs"), undo=True)
    turn = made.seat(0).turn
    assert made.seat(0).is_done()
    assert code(made, t.undo(turn)) == "undo_refused"
    assert code(made, t.move(turn, "t0+t1")) == "finished"


def test_a_deal_that_is_stuck_is_done_from_the_start() -> None:
    made = t.racing(JUVENILE, t.dead_deal(JUVENILE), undo=True)
    assert made.race.status(made.seat(0), made.now) == "stuck"
    assert code(made, t.undo(0)) == "nothing_to_undo"
    assert code(made, t.move(0, "t0+t1")) == "finished"
    assert code(made, t.resign()) == "finished"


# Resigning.


def test_a_seat_resigns_from_the_countdown_on() -> None:
    made = t.table("juvenile", players=3)
    assert code(made, t.resign()) == "not_started"
    made.ask(0, t.start())
    resigned = Decision((events.Resigned(seat=1),), None, made.limit_ms)
    assert made.ask(1, t.resign()) == resigned
    made.now = made.start_ms
    assert made.seat(1).closed == "resigned"
    assert code(made, t.move(0, "t0+t1"), 1) == "finished"
    made.ask(2, t.resign())


def test_resigning_again_is_answered_again() -> None:
    made = t.racing(LANE, players=2)
    made.play(0, "t0>c0")
    made.ask(0, t.resign())
    made.now = made.limit_ms + 1
    for _ in range(3):
        assert made.ask(0, t.resign()) == Decision(resend_from=1)
        made.due()
    assert made.race.ended


def test_who_is_done_otherwise_is_finished() -> None:
    for made in (won(), stuck()):
        assert code(made, t.resign()) == "finished"
        made.now = made.limit_ms + 1
        made.due()
        assert code(made, t.resign(), 1) == "finished"


def test_a_stuck_seat_that_may_undo_may_resign() -> None:
    made = stuck(undo=True)
    made.ask(0, t.resign())
    assert made.race.status(made.seat(0), made.now) == "resigned"


def test_a_dead_deal_is_given_up_before_the_start_or_never() -> None:
    made = Table(JUVENILE, seed=t.dead_deal(JUVENILE))
    made.join(1)
    made.ask(0, t.start())
    decision = made.decided(PLAYERS[0], t.resign())
    assert decision.not_after == made.start_ms - 1
    assert not made.append(decision, made.start_ms)
    assert made.append(decision, made.start_ms - 1)
    made.now = made.start_ms
    assert code(made, t.resign(), 1) == "finished"


# Leaving, once the lobby is closed.


def test_leaving_is_resigning_where_the_seat_is_not_done() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.start())
    left = made.ask(1, t.leave())
    assert left.events == (events.Resigned(seat=1),)
    made.now = made.start_ms
    assert made.ask(0, t.leave()).events == (events.Resigned(seat=0),)


def test_leaving_a_seat_that_is_done_logs_nothing() -> None:
    made = won(players=3)
    made.ask(1, t.resign())
    assert made.ask(0, t.leave()) == NOTHING
    assert made.ask(1, t.leave()) == NOTHING
    made.now = made.limit_ms + 1
    assert made.ask(2, t.leave()) == NOTHING
    made.finish()
    for who in range(3):
        assert made.ask(who, t.leave()) == NOTHING

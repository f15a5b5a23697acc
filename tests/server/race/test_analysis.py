"""What could have become of a race, held to a look at every turn."""

import pytest
from hypothesis import example, given, settings, strategies as st
from msgspec import UNSET
from tests.clients.cli.made_logs import MadeLog, ended, started, whole

from samedeal_games import (
    MAX_NODES,
    Outcome,
    State,
    Verdict,
    apply_move,
    left,
    parse_move,
    solve,
)
from samedeal_protocol.updates import SeatAnalysis
from samedeal_server.race import play
from samedeal_server.race.analysis import Chance, analyse, told_of_deal, told_of_seat
from samedeal_server.race.seat import Seat


# More is beyond such a search, and seconds are not spent on it.
_FEW_NODES = 1_000

# So many boards beyond the search are looked at, and no more.
_BEYOND = 16


def boards(deal: State, seat: Seat) -> list[State]:
    """The seat's board at every turn, from what it played."""
    found, past = [deal], list[State]()
    for played in seat.turns:
        board = found[-1]
        if played == "undo":
            found.append(past.pop())
            continue
        past.append(board)
        for text in played:
            board = apply_move(board, parse_move(text))
        found.append(board)
    return found


def check(log: MadeLog, max_nodes: int = MAX_NODES) -> None:
    """Every seat's chance is what solving its board at every turn comes to."""
    analysis = analyse(log.race, range(2), max_nodes)
    assert analysis.deal.verdict is Verdict.WON
    for seat in log.race.taken:
        chance = analysis.chances[seat.number]
        # A board that has been cleared is none that still could be.
        at = [board for board in boards(log.race.deal, seat) if left(board)]
        verdicts = [solve(board, max_nodes).verdict for board in at]
        if verdicts[0] is not Verdict.WON and seat.outcome is not Outcome.WON:
            # Another seat has shown that it could be cleared; no search has.
            assert chance == Chance(0, None, analysis.deal.line, False)
            continue
        last = max(turn for turn, found in enumerate(verdicts) if found is Verdict.WON)
        assert chance.turn is not None
        if verdicts[chance.turn :].count(Verdict.UNKNOWN) > _BEYOND:
            last = min(last, chance.turn)
            assert not chance.certain
        assert chance.turn == last
        if all(found is Verdict.LOST for found in verdicts[last + 1 :]):
            assert chance.certain
        elif verdicts[last + 1] is not Verdict.LOST:
            assert not chance.certain  # It is beyond the search.
        board = at[last]
        for move in chance.line:
            board = apply_move(board, move)
        assert left(board) == 0
        if last == len(at) - 1 or not chance.certain:
            assert chance.lost_by is None
        else:
            assert str(chance.lost_by) in seat.turns[last]


@pytest.mark.parametrize(
    ("game", "variant"),
    [("juvenile", "seventeen-piles"), ("doublets", "reserve")],
)
def test_the_last_turn_at_which_each_could_clear_it(game: str, variant: str) -> None:
    check(whole(game, variant))


@given(
    st.sampled_from(["juvenile one-deck", "juvenile seventeen-piles"]),
    st.binary(min_size=16, max_size=16),
    st.integers(0, 30),
)
@example(
    # Both clear it.
    "juvenile one-deck",
    bytes.fromhex("456e7ca8523b5667f71aa07f731e5cc0"),
    26,
)
@example(
    # Some boards between those that can be cleared are beyond the search,
    "juvenile seventeen-piles",
    bytes.fromhex("363a614efc2e6f2d816d7ccc1eab0414"),
    20,
)
@example(
    # here several before the last of those,
    "juvenile seventeen-piles",
    bytes.fromhex("b72a8b071a5f5351cb4a7770ed64473f"),
    25,
)
@example(
    # and here some after the last of those.
    "juvenile seventeen-piles",
    bytes.fromhex("74527d76545aa91b7bbbfa96c00397bf"),
    24,
)
@example(
    # The deal itself is beyond the search.
    "juvenile seventeen-piles",
    bytes.fromhex("0191f2bfb28f8e5b3a1d4ad839d17f67"),
    0,
)
@settings(max_examples=40)
def test_of_any_deal_however_it_was_played(name: str, seed: bytes, turns: int) -> None:
    log = whole(*name.split(), seed=seed.hex(), turns=turns)
    analysis = analyse(log.race, range(2), _FEW_NODES)
    if analysis.deal.verdict is Verdict.WON:
        check(log, _FEW_NODES)
        return
    if analysis.deal.verdict is Verdict.LOST:
        assert analysis.chances == {}
    least = min(seat.left for seat in log.race.taken)
    assert 0 < analysis.deal.left <= least


def lines_of(log: MadeLog, number: int) -> list[str]:
    """All that a seat played, move by move."""
    return [move for played in log.seat(number).turns for move in played]


def test_lists_of_moves_and_what_was_taken_back() -> None:
    """The losing move is one of its list, and a loss that was undone is none."""
    moves = lines_of(whole("juvenile", "seventeen-piles"), 0)
    plain = analyse(whole("juvenile", "seventeen-piles").race, [0]).chances[0]
    assert plain.turn is not None
    log = started("juvenile", "seventeen-piles", undo=True)
    at, lost = 0, plain.turn  # A turn a move there: so the turn is also the place.
    while at < lost - 1:
        log.move(0, 1_000_100 + at, *moves[at : at + 2])
        at += 2
    if at == lost - 1:
        log.move(0, 1_000_150 + at, moves[at])
        at += 1
    log.move(0, 1_000_200 + at, moves[at])  # Lost,
    seat = log.seat(0)
    log.add(play.undo(log.race, seat, seat.turn, 1_000_300).events, 1_000_300)
    kept = log.seat(0).turn  # and taken back.
    log.move(0, 1_000_400, *moves[at : at + 2])
    for number in (0, 1):
        log.add(play.resign(log.race, log.seat(number), 1_000_500).events, 1_000_500)
    ended(log, 1_000_600)
    check(log)
    chances = analyse(log.race, [0, 1]).chances
    assert (chances[0].turn, str(chances[0].lost_by)) == (kept, moves[at])
    assert (chances[1].turn, chances[1].lost_by) == (0, None)
    told = told_of_seat(log.seat(0), chances[0])
    assert (told.turn, told.lost_by, told.certain) == (kept, moves[at], True)
    told = told_of_seat(log.seat(1), chances[1])
    assert (told.turn, told.lost_by, told.certain) == (0, UNSET, True)


def test_the_line_includes_what_of_the_list_was_good() -> None:
    """Of a list whose second move lost, the first is part of the line."""
    moves = lines_of(whole("juvenile", "seventeen-piles"), 0)
    lost = analyse(whole("juvenile", "seventeen-piles").race, [0]).chances[0].turn
    assert lost is not None
    log = started("juvenile", "seventeen-piles")
    for at in range(lost - 1):
        log.move(0, 1_000_100 + at, moves[at])
    log.move(0, 1_000_300, *moves[lost - 1 : lost + 1])
    check(log)
    chance = analyse(log.race, [0]).chances[0]
    assert chance.turn == lost - 1
    assert str(chance.line[0]) == moves[lost - 1]
    assert str(chance.lost_by) == moves[lost]


def test_a_deal_that_was_cleared_can_be() -> None:
    """Even where a search of one node cannot tell; and the others could, at first."""
    log = started("doublets")
    line = solve(log.race.deal).line
    for at, move in enumerate(line):
        log.move(0, 1_000_100 + at, str(move))
    assert solve(log.race.deal, 1).verdict is Verdict.UNKNOWN
    analysis = analyse(log.race, [0, 1], 1)
    deal = analysis.deal
    assert (deal.verdict, deal.line, deal.left, deal.exact) == (
        *(Verdict.WON, line, 0, True),
    )
    assert analysis.chances[0].certain
    other = analysis.chances[1]
    assert (other.turn, other.lost_by, other.certain) == (0, None, False)
    assert other.line == line


def test_what_was_played_counts_where_it_came_further_than_the_search() -> None:
    log = whole("doublets")
    deal = analyse(log.race, [], 1).deal
    best = min(log.race.taken, key=lambda seat: seat.left)
    assert best.left < solve(log.race.deal, 1).left
    assert (deal.verdict, deal.left, deal.exact) == (Verdict.UNKNOWN, best.left, False)
    board = log.race.deal
    for move in deal.line:
        board = apply_move(board, move)
    assert left(board) == best.left


def test_a_deal_that_nobody_could_clear() -> None:
    race = whole("juvenile").race
    analysis = analyse(race, [0, 1])
    assert (analysis.deal.verdict, analysis.chances) == (Verdict.LOST, {})
    told = told_of_deal(race, analysis.deal)
    assert (told.verdict, told.exact, told.left) == ("lost", True, analysis.deal.left)
    for seat in race.taken:
        assert seat.left >= told.left
        assert told_of_seat(seat, None) == SeatAnalysis(
            seat=seat.number, left=seat.left
        )


def test_what_is_not_known_is_said() -> None:
    race = whole("doublets", turns=3).race
    analysis = analyse(race, [0], 1)
    assert told_of_deal(race, analysis.deal).verdict == "unknown"
    (seat, _) = race.taken
    assert told_of_seat(seat, analysis.chances[0]) == SeatAnalysis(
        seat=0, left=seat.left, certain=False
    )

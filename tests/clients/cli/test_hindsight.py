"""What could have become of a race, in words."""

from tests.clients.cli.made_logs import started, whole

from samedeal_cli.hindsight import about_deal, about_seat
from samedeal_games import parse_move, solve
from samedeal_server.race.analysis import Chance, analyse


def test_what_each_made_of_it() -> None:
    (seat, _) = whole("juvenile", turns=3).race.taken
    move, line = parse_move("t0+t1"), (parse_move("t2+t3"),)
    assert about_seat(seat, Chance(2, move, line, True)) == (
        "could clear it until turn 2, and lost it there by t0+t1."
    )
    assert about_seat(seat, Chance(3, None, line, True)) == (
        "could still clear it at the end, turn 3."
    )
    assert about_seat(seat, Chance(2, None, line, False)) == (
        "could clear it at turn 2; unknown whether later."
    )
    assert about_seat(seat, Chance(None, None, (), False)) == (
        f"left {seat.left} cards; unknown whether it could clear the deal."
    )
    assert about_seat(seat, None) == f"left {seat.left} cards."


def test_who_cleared_it() -> None:
    log = started("doublets")
    for at, move in enumerate(solve(log.race.deal).line):
        log.move(0, 1_000_100 + at, str(move))
    analysis = analyse(log.race, [0, 1], 1)
    assert about_deal(analysis, 1) == "This deal can be cleared."
    assert about_seat(log.seat(0), analysis.chances[0]) == "cleared it."


def test_a_deal_that_nobody_could_clear() -> None:
    analysis = analyse(whole("juvenile").race, [0, 1])
    assert about_deal(analysis, 100_000) == (
        f"Nobody could clear this deal: {analysis.deal.left} cards left at best."
    )


def test_what_is_not_known() -> None:
    analysis = analyse(whole("doublets", turns=3).race, [0], 1)
    assert about_deal(analysis, 1).startswith(
        "Unknown whether this deal can be cleared: a search of 1 node does"
    )

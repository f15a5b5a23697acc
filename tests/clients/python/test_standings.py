from tests.clients.python import peer

from samedeal.standings import standings


def test_standings_come_by_place_then_seat() -> None:
    seats = [
        peer.seat_info(0, name="Ada", status="stuck", left=4, place=2),
        peer.seat_info(1, name="Bo", status="won", left=0, place=1, elapsed_ms=12345),
        peer.seat_info(2, name="Cy", status="timed_out", left=4, place=2),
    ]
    lines = standings(peer.race_info("ended", seats=seats))
    assert [line.seat for line in lines] == [1, 0, 2]
    assert [str(line) for line in lines] == [
        "1. Bo: won in 12.3 s",
        "2. Ada: stuck, 4 left",
        "2. Cy: timed out, 4 left",
    ]


def test_there_are_none_before_the_end() -> None:
    assert standings(peer.race_info("racing")) == ()

import pytest
from tests.clients.python import peer

from samedeal.mirror import Mirror


@pytest.fixture
def mirror() -> Mirror:
    return Mirror(peer.RACE, peer.PLAYER)


def test_before_anything_is_told_nothing_is_known(mirror: Mirror) -> None:
    assert mirror.turn is None
    assert not mirror.started
    assert not mirror.complete


def test_the_own_seat_is_found_by_player(mirror: Mirror) -> None:
    seats = [peer.seat_info(0, "q" * 16), peer.seat_info(3)]
    mirror.see(peer.race_info(seats=seats))
    assert mirror.seat == 3
    mirror.see(peer.race_info(seats=seats[:1]))
    assert mirror.seat is None


def test_a_race_has_started_when_the_board_is_there(mirror: Mirror) -> None:
    mirror.see(peer.race_info("countdown"))
    assert not mirror.started
    mirror.see(peer.race_info("racing"))
    assert not mirror.started
    mirror.see(peer.view())
    assert mirror.started
    assert mirror.turn == 0


def test_for_a_watcher_it_has_started_without_a_board(mirror: Mirror) -> None:
    mirror.see(peer.race_info("racing", seats=[peer.seat_info(0, "q" * 16)]))
    assert mirror.started


def test_who_resigned_in_the_countdown_waits_for_no_board(mirror: Mirror) -> None:
    mirror.see(peer.race_info("countdown"))
    assert mirror.see(peer.patch(0, 0, status="resigned"))
    assert mirror.progress[0].status == "resigned"
    assert mirror.turn is None
    seats = [peer.seat_info(status="resigned")]
    mirror.see(peer.race_info("racing", seats=seats))
    assert mirror.started


def test_progress_follows_every_seat(mirror: Mirror) -> None:
    other = peer.seat_info(1, "q" * 16)
    mirror.see(peer.race_info(seats=[peer.seat_info(), other]))
    mirror.see(peer.view())
    mirror.see(peer.patch(0, 1))
    assert {seat: known.turn for seat, known in mirror.progress.items()} == {0: 1, 1: 0}
    mirror.see(peer.race_info(seats=[peer.seat_info()]))
    assert mirror.progress.keys() == {0}


def test_a_patch_without_its_board_calls_for_a_sync(mirror: Mirror) -> None:
    mirror.see(peer.race_info("racing"))
    assert not mirror.see(peer.patch(0, 1))


def test_a_patch_that_skips_calls_for_a_sync_and_is_not_applied(mirror: Mirror) -> None:
    mirror.see(peer.race_info())
    mirror.see(peer.view())
    assert not mirror.see(peer.patch(1, 2))
    assert mirror.turn == 0


def test_a_log_that_went_back_is_believed(mirror: Mirror) -> None:
    mirror.see(peer.race_info())
    mirror.see(peer.view(turn=5))
    mirror.see(peer.view(turn=3))
    assert mirror.turn == 3
    assert mirror.progress[0].turn == 3


def test_the_board_is_behind_until_the_sync_and_its_board_have_come(
    mirror: Mirror,
) -> None:
    mirror.see(peer.race_info())
    mirror.ask_sync()
    mirror.see(peer.view())
    assert mirror.behind, "This was on its way before the sync was asked for."
    mirror.see(peer.race_info())
    mirror.see_synced()
    assert mirror.behind
    mirror.see(peer.view())
    assert not mirror.behind


@pytest.mark.parametrize("phase", ["lobby", "countdown"])
def test_without_a_board_to_come_the_race_alone_answers_a_sync(
    mirror: Mirror, phase: str
) -> None:
    mirror.ask_sync()
    mirror.see(peer.race_info(phase))
    mirror.see_synced()
    assert not mirror.behind


def test_a_race_is_complete_when_all_boards_were_shown(mirror: Mirror) -> None:
    seats = [peer.seat_info(place=1), peer.seat_info(2, "q" * 16, place=2)]
    mirror.see(peer.race_info("racing"))
    mirror.see(peer.view())
    mirror.see(peer.race_info("ended", seats=seats, digest="d" * 64))
    mirror.see(peer.view(seat=2))
    assert not mirror.complete, "The own board may be an old one until it is shown."
    mirror.see(peer.view(turn=1))
    assert mirror.complete
    assert mirror.boards.keys() == {0, 2}
    assert mirror.digest == "d" * 64


def test_a_race_that_ended_in_its_lobby_has_no_boards(mirror: Mirror) -> None:
    mirror.see(peer.race_info("ended", seats=[]))
    assert mirror.complete

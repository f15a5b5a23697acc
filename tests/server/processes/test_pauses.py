"""What ends is started again at once, but not in a tight loop."""

from samedeal_server.processes.pauses import Pauses


def test_what_keeps_ending_is_started_later_each_time() -> None:
    pauses = Pauses()
    assert [pauses.after(0.1) for _ in range(7)] == [0, 0.25, 0.5, 1, 2, 4, 4]


def test_what_lived_for_long_is_started_at_once() -> None:
    pauses = Pauses()
    assert [pauses.after(lived_s) for lived_s in (1, 1, 1, 31, 1)] == [
        *(0, 0.25, 0.5),
        *(0, 0.25),
    ]

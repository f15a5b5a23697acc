"""The checker itself: it finds what is wrong where something is."""

import pytest
from tests.clients.cli.made_logs import MadeLog, whole
from tests.faults.checking import Verdict, check
from tests.faults.memory import Memory

from samedeal_games import view
from samedeal_protocol import logfile


@pytest.fixture
def log() -> MadeLog:
    return whole("juvenile", seats=2)


def faithful(log: MadeLog, seat: int = 0) -> Memory:
    """What a player who saw everything remembers."""
    memory = Memory("abcdefgh234567xy", seat)
    file = logfile.read(log.file())
    standings = log.race.standings
    assert standings is not None
    places = [{"seat": one.seat, "place": one.place} for one in standings]
    memory.take(
        {"type": "race", "phase": "ended", "digest": file.digest, "seats": places}
    )
    for one in log.race.taken:
        shown = {"seat": one.number, "turn": one.turn, "piles": view(one.board)}
        memory.take({"type": "view", "status": "stuck", **shown})
    for turn, played in enumerate(log.seat(seat).turns):
        assert not isinstance(played, str)
        memory.told.add((turn, " ".join(played)))
    return memory


def judged(log: MadeLog, memory: Memory) -> Verdict:
    return check(log.file(), [memory])


def test_a_good_log_is_good(log: MadeLog) -> None:
    verdict = judged(log, faithful(log))
    assert verdict.faults == []
    assert (verdict.missing, verdict.twice, verdict.ended_once) == (0, 0, 1)
    assert verdict.acknowledged == log.seat(0).turn > 0


def test_a_turn_that_is_not_there_is_missing(log: MadeLog) -> None:
    memory = faithful(log)
    memory.told |= {(0, "t0+t7"), (99, "t0+t1")}
    assert judged(log, memory).missing == 2


def test_a_turn_that_is_there_again_is_found(log: MadeLog) -> None:
    index = next(i for i, (_, e) in enumerate(log.entries) if b'"moved"' in e)
    log.entries.insert(index + 1, log.entries[index])
    verdict = judged(log, faithful(log))
    assert verdict.faults and verdict.twice == 1


def test_an_end_that_is_there_again_is_found(log: MadeLog) -> None:
    memory = faithful(log)
    log.entries.append(log.entries[-1])
    assert judged(log, memory).ended_once == 0


def test_a_board_that_was_another_is_found(log: MadeLog) -> None:
    memory = faithful(log)
    memory.boards[1] = {"t0": ["Ks"]}
    [fault] = judged(log, memory).faults
    assert "another board after turn 1" in fault


def test_a_player_who_never_heard_the_end_is_found(log: MadeLog) -> None:
    memory = faithful(log)
    memory.info = {}
    [fault] = judged(log, memory).faults
    assert "never told the end" in fault

"""`samedeal race`: a whole race, from nothing to a log that is good."""

import signal
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.clients.cli.conftest import Samedeal
from tests.clients.cli.processes import first_line, running, stopped

from samedeal_cli.verification import verify
from samedeal_games import Move, Opponent, State, Variant, opponent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and an empty one for what is temporary."""
    (tmp_path / "here").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "seats"),
    [
        (["juvenile", "--bots", "greedy,random,random"], 5),
        (["doublets", "--players", "1", "--bots", ""], 1),
        (["straight-fifteens", "--variant", "courts-apart"], 4),
        (["juvenile", "--players", "1", "--level", "expert", "--bots", "easy,hard"], 3),
        (["doublets", "--level", "medium", "--bots", "medium"], 3),
    ],
)
def test_a_race(
    samedeal: Samedeal, folder: Path, arguments: list[str], seats: int
) -> None:
    status, out, err = samedeal("race", *arguments, "--pace", "0")
    assert (status, err) == (0, "")
    _, *standings, said = out.splitlines()
    assert len(standings) == seats
    assert standings[0].startswith("1.  ")
    (log,) = (folder / "here").iterdir()
    assert log.name in said
    report = verify(log.read_bytes())
    assert report.faults == []
    assert report.race is not None
    assert f"{report.race.id}.jsonl" == log.name
    assert len(list(report.race.taken)) == seats
    assert [path for path in (folder / "temporary").rglob("*") if path.is_file()] == []


def test_players_think_beside_the_loop(
    samedeal: Samedeal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nobody's thoughts hold up a connection."""
    threads = set[threading.Thread]()

    def watched(level: str, variant: Variant, below: Callable[[int], int]) -> Opponent:
        player = opponent(level, variant, below)

        def play(state: State) -> Move | None:
            threads.add(threading.current_thread())
            return player(state)

        return play

    monkeypatch.setattr("samedeal_cli.playing.opponent", watched)
    assert samedeal("race", "juvenile", "--bots", "", "--pace", "0").status == 0
    assert threads
    assert threading.main_thread() not in threads


def test_interrupted(folder: Path) -> None:
    arguments = ("race", "private-lane", "--pace", "30")
    with running(*arguments, cwd=folder / "here") as race:
        first_line(race)
        assert stopped(race, signal.SIGINT) == (130, "", "")
    assert list((folder / "here").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "choose from juvenile"),
        (["juvenile", "--bots", "greedy,grand"], "choose from random"),
        (["juvenile", "--level", "grand"], "choose from random"),
        (["juvenile", "--players", "0"], "--players"),
        (["juvenile", "--players", "15"], "more than the 16 seats"),
        (["juvenile", "--pace", "-1"], "--pace"),
    ],
)
def test_bad_use(samedeal: Samedeal, arguments: list[str], words: str) -> None:
    status, out, err = samedeal("race", *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1

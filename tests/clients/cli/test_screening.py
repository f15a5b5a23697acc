"""What moves on a screen, on a real (pseudo) terminal."""

import os
import pty
import subprocess
from pathlib import Path

import pytest
from tests.clients.cli.made_logs import whole
from tests.clients.cli.processes import PYTHON, environment


def on_a_terminal(*arguments: str, cwd: Path, **more: str) -> tuple[int, str]:
    """The exit status, and all that a terminal of 80 by 24 was sent."""
    ours, theirs = pty.openpty()
    settings = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        [*PYTHON, *arguments],
        cwd=cwd,
        env=environment(**{**settings, **more}),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        sent = bytearray()
        while data := _read(ours):
            sent += data
    os.close(ours)
    return process.returncode, sent.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # How Linux says that the other end is closed.
        return b""


@pytest.mark.parametrize("game", ["doublets", "private-lane"])
def test_a_film(tmp_path: Path, game: str) -> None:
    (tmp_path / "race.jsonl").write_bytes(whole(game, seats=3, turns=4).file())
    status, sent = on_a_terminal(
        "replay", "race.jsonl", "--speed", "1000", cwd=tmp_path
    )
    assert status == 0
    assert "Traceback" not in sent
    assert "\x1b[31m" in sent or "\x1b[1;31m" in sent  # Red suits.
    assert "█" in sent or "░" in sent
    end = sent.splitlines()[-3:]
    assert [line.split()[0] for line in end] == ["1.", "2.", "3."]


def test_a_race_under_way(tmp_path: Path) -> None:
    arguments = ("race", "juvenile", "--pace", "0.03")
    status, sent = on_a_terminal(*arguments, cwd=tmp_path)
    assert status == 0
    assert "playing" in sent
    assert "Ada" in sent
    assert "\x1b[?25h" in sent  # The cursor is back.
    assert len(list(tmp_path.glob("*.jsonl"))) == 1


def test_without_colour(tmp_path: Path) -> None:
    arguments = ("deal", "juvenile", "--seed", "00" * 16)
    _, coloured = on_a_terminal(*arguments, cwd=tmp_path)
    _, plain = on_a_terminal(*arguments, cwd=tmp_path, NO_COLOR="1")
    assert "31m" in coloured
    assert "31m" not in plain


def test_where_only_ascii_is_shown(tmp_path: Path) -> None:
    (tmp_path / "race.jsonl").write_bytes(whole("doublets", turns=3).file())
    for arguments in (
        ["deal", "private-lane"],
        ["games"],
        ["games", "juvenile"],
        ["replay", "race.jsonl"],
        ["verify", "race.jsonl"],
        ["--help"],
    ):
        status, sent = on_a_terminal(
            *arguments, cwd=tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C"
        )
        assert status == 0, sent
        assert sent.isascii(), arguments

"""`samedeal verify` and `samedeal replay` on files, as they are typed."""

import contextlib
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.clients.cli.conftest import Samedeal
from tests.clients.cli.made_logs import RACE_ID, whole

from samedeal_cli import sources


GOOD = whole("doublets", turns=5).file()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "race.jsonl"
    path.write_bytes(GOOD)
    return path


def test_verify_says_what_it_checked(samedeal: Samedeal, log: Path) -> None:
    status, out, err = samedeal("verify", str(log))
    assert (status, err) == (0, "")
    head, *lines = out.splitlines()
    assert head == f"Race {RACE_ID}: doublets, reserve."
    assert [line.split()[0] for line in lines] == [
        "form",
        "deal",
        "claim",
        "play",
        "standings",
        "digest",
    ]


def test_verify_names_the_line_at_fault(samedeal: Samedeal, log: Path) -> None:
    log.write_bytes(GOOD.replace(b'"turn":2,', b'"turn":3,', 1))
    line = 1 + GOOD[: GOOD.index(b'"turn":2,')].count(b"\n")
    status, out, err = samedeal("verify", str(log))
    assert status == 1
    assert f"play       FAULT in line {line}: " in out
    assert "standings  not looked at" in out
    assert "digest     FAULT in line " in out
    assert err.startswith(f"samedeal: {log}, line {line}: ")
    assert err.count("\n") == 1


def test_verify_standard_input(samedeal: Samedeal) -> None:
    assert samedeal("verify", "-", stdin=GOOD).status == 0
    status, _, err = samedeal("verify", "-", stdin=GOOD[:-1])
    assert status == 1
    assert err.startswith("samedeal: standard input, line ")


def test_verify_that_it_is_the_race_that_was_asked_for(samedeal: Samedeal) -> None:
    with _serving(GOOD) as server:
        assert samedeal("verify", RACE_ID, "--server", server).status == 0
        status, _, err = samedeal("verify", "z" * 16, "--server", server)
    assert status == 1
    assert f"line 1: this is the log of race {RACE_ID}, not of" in err


@contextlib.contextmanager
def _serving(data: bytes) -> Generator[str]:
    """The URL of a server that answers everything with these bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_verify_against_what_was_kept(samedeal: Samedeal, log: Path) -> None:
    digest = GOOD[-67:-3].decode()
    status, out, _ = samedeal("verify", str(log), "--digest", digest)
    assert status == 0
    assert "the one that was given" in out
    for option in ("--digest", "--commitment"):
        status, _, err = samedeal("verify", str(log), option, "0" * 64)
        assert (status, err.count("\n")) == (1, 1)
        status, out, err = samedeal("verify", str(log), option, "0" * 63)
        assert (status, out) == (2, "")
        assert option in err


@pytest.mark.parametrize("command", ["verify", "replay", "analyse"])
@pytest.mark.parametrize("source", ["nowhere.jsonl", ".", "x" * 5000, "ABCDEF"])
def test_no_such_file(samedeal: Samedeal, command: str, source: str) -> None:
    status, out, err = samedeal(command, source)
    assert (status, out) == (1, "")
    assert "is no race id, and no file that can be read" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["verify", "replay", "analyse"])
def test_a_file_without_an_end_is_no_log(
    samedeal: Samedeal, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(sources, "_MOST_BYTES", len(GOOD))
    assert samedeal(command, "-", stdin=GOOD).status == 0
    for source in ("/dev/zero", "-"):
        status, out, err = samedeal(command, source, stdin=GOOD + b"\n")
        assert (status, out) == (1, "")
        assert f"is no log: it has more than {len(GOOD)} bytes." in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["verify", "replay", "analyse"])
def test_any_bytes(samedeal: Samedeal, command: str) -> None:
    for data in (b"", b"\x00", b"\xff\n" * 9, GOOD[:99], b"{}\n" + GOOD):
        status, _, err = samedeal(command, "-", stdin=data)
        assert status == 1
        assert err.count("\n") == 1


def test_replay_draws_every_turn(samedeal: Samedeal, log: Path) -> None:
    status, out, err = samedeal("replay", str(log))
    assert (status, err) == (0, "")
    assert out.startswith(f"Doublets, reserve, race {RACE_ID}\n")
    assert out.count("Ada, turn ") == 1 + 5 + 1  # The start, turns, and resigning.
    assert out.count("Bén, turn ") == 1 + 5 + 1
    assert out.splitlines()[-2].startswith("1.  ")
    assert "\x1b" not in out


def test_replay_one_seat(samedeal: Samedeal, log: Path) -> None:
    out = samedeal("replay", str(log), "--seat", "1").out
    assert "Ada, turn" not in out
    assert out.count("Bén, turn ") == 7


def test_replay_at_a_turn(samedeal: Samedeal, log: Path) -> None:
    out = samedeal("replay", str(log), "--at", "3").out
    assert (out.count("turn 3 "), out.count(", turn ")) == (2, 2)
    out = samedeal("replay", str(log), "--at", "0", "--seat", "0").out
    assert out.count(", turn ") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seat", "2"], "Nobody raced in seat 2; there were 0, 1."),
        (["--at", "6"], "There is no turn 6 here; the last one is 5."),
    ],
)
def test_replay_of_what_is_not_there(
    samedeal: Samedeal, log: Path, options: list[str], words: str
) -> None:
    assert samedeal("replay", str(log), *options) == (1, "", f"samedeal: {words}\n")


@pytest.mark.parametrize(
    "options", [["--seat", "-1"], ["--at", "x"], ["--speed", "0"], ["--speed", "nan"]]
)
def test_replay_bad_use(samedeal: Samedeal, log: Path, options: list[str]) -> None:
    status, out, err = samedeal("replay", str(log), *options)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_export_bad_use(samedeal: Samedeal) -> None:
    status, out, err = samedeal("export", "ABCDEF")
    assert (status, out) == (2, "")
    assert "is no race id" in err


def test_a_server_that_is_not_there(samedeal: Samedeal) -> None:
    for command in ("export", "replay", "verify", "analyse"):
        status, out, err = samedeal(command, RACE_ID, "--server", "http://127.0.0.1:1")
        assert (status, out) == (1, "")
        assert "127.0.0.1:1" in err
        assert err.count("\n") == 1
        status, _, err = samedeal(command, RACE_ID, "--server", "nowhere")
        assert status == 2


def test_verify_says_what_it_could_not_check(samedeal: Samedeal) -> None:
    data = whole("doublets", deals="winnable", turns=3).file()
    status, out, err = samedeal("verify", "-", stdin=data)
    assert (status, err) == (0, "")
    assert "claim      The deal is winnable, as claimed: " in out
    status, out, err = samedeal("verify", "-", "--nodes", "1", stdin=data)
    assert (status, err) == (0, "")
    assert "claim      NOT CHECKED: a search of 1 node " in out
    false = whole("juvenile", deals="winnable").file()
    status, out, err = samedeal("verify", "-", stdin=false)
    assert status == 1
    assert "claim      FAULT in line 1: " in out
    assert err.startswith("samedeal: standard input, line 1: ")

"""The command as a whole: help, exit statuses, and never a traceback."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.clients.cli.conftest import Samedeal
from tests.clients.cli.processes import PATIENCE_S, PYTHON
from tests.helpers.compiled import is_compiled

from samedeal_cli.app import app


COMMANDS = [
    "serve",
    "games",
    "deal",
    "simulate",
    "solve",
    "race",
    "bot",
    "export",
    "archive",
    "replay",
    "verify",
    "analyse",
]


def test_version(samedeal: Samedeal) -> None:
    how = " (compiled)" if is_compiled else ""
    said = f"samedeal {version('samedeal')}{how}\n"
    assert samedeal("--version") == (0, said, "")


def test_help_names_every_command(samedeal: Samedeal) -> None:
    status, out, _ = samedeal("--help")
    assert status == 0
    listed = out.partition("Commands:\n")[2]
    assert [line.split()[0] for line in listed.splitlines()] == COMMANDS
    assert "..." not in listed  # Each fits its line.
    assert len(app.registered_commands) == len(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example(samedeal: Samedeal, command: str) -> None:
    status, out, _ = samedeal(command, "--help")
    assert status == 0
    assert f"samedeal {command}" in out.partition("\n")[2]
    assert max(map(len, out.splitlines())) <= 88


@pytest.mark.parametrize("arguments", [["chess"], ["--chess"], ["games", "a", "b"]])
def test_bad_use_is_one_line(samedeal: Samedeal, arguments: list[str]) -> None:
    status, out, err = samedeal(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("samedeal: ")
    assert err.count("\n") == 1


def test_typo_is_recognised(samedeal: Samedeal) -> None:
    assert "Did you mean 'games'?" in samedeal("game").err


def test_as_a_process() -> None:
    done = subprocess.run(
        [*PYTHON, "simulate", "doublets", "--seed", "00" * 16],
        input=b"t0+t1\n\xff\xfe\x00\n",
        capture_output=True,
        check=True,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["turn"] for line in lines] == [0, 0, 0]
    assert done.stderr == b""


def test_answers_do_not_wait_for_the_end_of_the_input() -> None:
    with subprocess.Popen(
        [*PYTHON, "simulate", "juvenile", "--seed", "00" * 16],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["turn"] == 0
        process.stdin.write(b"t0+t6\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["turn"] == 1
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


def test_a_reader_that_goes_away_hears_no_more() -> None:
    with subprocess.Popen(
        [*PYTHON, "simulate", "juvenile", "--seed", "00" * 16],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"t0+t6\n")
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 1
        assert process.stderr.read() == b""


def test_a_reader_that_is_gone_from_the_start() -> None:
    with subprocess.Popen(
        [*PYTHON, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(PATIENCE_S) == 1
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["games"],
        ["deal", "juvenile", "--json"],
        ["solve", "simple-pairs", "--seed", "00" * 16],
    ],
)
def test_light_commands_load_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys; from samedeal_cli.__main__ import run; run(sys.argv[1:]);"
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        check=True,
        text=True,
    )
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "samedeal_cli" in loaded
    assert not loaded & {
        "asyncio",
        "redis",
        "samedeal",
        "samedeal_server",
        "websockets",
    }


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_stream_that_is_closed(closed: str) -> None:
    command = f'"$0" -m samedeal_cli simulate juvenile --seed {"00" * 16} {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
def test_a_disk_that_is_full() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PYTHON, "games"], check=False, stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)

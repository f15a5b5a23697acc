"""`samedeal serve`: one line when it is ready, one line when it cannot be."""

import functools
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.clients.cli.conftest import Samedeal
from tests.clients.cli.processes import first_line, running, stopped

from samedeal_server.store import start_embedded


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    with running("serve", "--port", "0", "--data", str(tmp_path)) as server:
        line = first_line(server)
        assert line.startswith("samedeal ready on http://127.0.0.1:")
        url = line.rpartition(" ")[2]
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as response:
            assert response.status == 200
        assert stopped(server, number) == (0, "", "")


def test_bare_it_serves_too_and_says_how_to_race(tmp_path: Path) -> None:
    with running(SAMEDEAL_PORT="0", SAMEDEAL_DATA=str(tmp_path)) as server:
        url = first_line(server).rpartition(" ")[2]
        status, out, err = stopped(server, signal.SIGTERM)
        assert (status, err) == (0, "")
        assert f"samedeal bot CODE --server {url}" in out
        assert "samedeal race" in out
    assert (tmp_path / "valkey.log").exists()


def test_an_option_goes_before_the_environment(tmp_path: Path) -> None:
    nowhere = "redis://127.0.0.1:1"
    arguments = ("serve", "--port", "0", "--data", str(tmp_path))
    with running(*arguments, SAMEDEAL_PORT="1", SAMEDEAL_REDIS=nowhere) as server:
        assert not first_line(server).endswith(":1")
        assert stopped(server, signal.SIGTERM)[0] == 0


def test_on_all_addresses_it_names_one_that_can_be_opened(tmp_path: Path) -> None:
    all_of_them = ("--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path))
    with running("serve", *all_of_them) as server:
        url = first_line(server).rpartition(" ")[2]
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as response:
            assert response.status == 200
        assert stopped(server, signal.SIGTERM)[0] == 0


def test_on_the_network_it_says_what_to_share(tmp_path: Path) -> None:
    with running("serve", "--lan", "--port", "0", "--data", str(tmp_path)) as server:
        port = first_line(server).rpartition(":")[2]
        status, out, _ = stopped(server, signal.SIGTERM)
        assert status == 0
        assert re.search(rf"race at http://[0-9.]+:{port}$", out, re.MULTILINE)


def one_line(samedeal: Samedeal, status: int, *arguments: str) -> str:
    """What the command complains of."""
    result = samedeal(*arguments)
    assert (result.status, result.out) == (status, "")
    assert result.err.startswith("samedeal: ")
    assert result.err.count("\n") == 1
    return result.err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_is_taken(workers: str, samedeal: Samedeal, tmp_path: Path) -> None:
    arguments = ("serve", "--workers", workers, "--data", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        err = one_line(samedeal, 1, *arguments, "--port", port)
    assert err == (
        f"samedeal: Cannot listen on 127.0.0.1:{port} (Address already in use); "
        "is another server running there? Choose another with --port.\n"
    )


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_workers_have(
    workers: str, samedeal: Samedeal, tmp_path: Path
) -> None:
    """They share it with each other, not with another server."""
    here, there = str(tmp_path / "here"), str(tmp_path / "there")
    with running("serve", "--workers", "2", "--port", "0", "--data", here) as server:
        port = first_line(server).rpartition(":")[2]
        arguments = ("serve", "--workers", workers, "--data", there)
        err = one_line(samedeal, 1, *arguments, "--port", port)
        assert "is another server running there?" in err
        assert stopped(server, signal.SIGTERM) == (0, "", "")


def test_an_address_that_workers_cannot_have(
    samedeal: Samedeal, tmp_path: Path
) -> None:
    arguments = ("--workers", "2", "--host", "192.0.2.1", "--data", str(tmp_path))
    assert "192.0.2.1" in one_line(samedeal, 1, "serve", *arguments)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_store_that_is_not_there(workers: str, samedeal: Samedeal) -> None:
    arguments = ("--workers", workers, "--redis", "redis://127.0.0.1:1")
    err = one_line(samedeal, 1, "serve", "--port", "0", *arguments)
    assert "127.0.0.1:1" in err


def test_a_data_directory_that_is_none(samedeal: Samedeal, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    err = one_line(samedeal, 1, "serve", "--port", "0", "--data", str(file))
    assert str(file) in err


def test_a_data_directory_in_use(
    samedeal: Samedeal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Seconds, in which another server may be leaving; this one stays.
    impatient = functools.partial(start_embedded, patience_s=0.2)
    monkeypatch.setattr("samedeal_server.app.start_embedded", impatient)
    arguments = ("serve", "--port", "0", "--data", str(tmp_path))
    with running(*arguments) as server:
        first_line(server)
        err = one_line(samedeal, 1, *arguments)
        assert str(server.pid) in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "65536"],
        ["--port", "http"],
        ["--workers", "0"],
        ["--limits", "none"],
        ["--workers", "1000"],
        ["--host", ""],
        ["--data", ""],
        ["--redis", " "],
        ["--data", "x", "--redis", "redis://localhost"],
        ["now"],
    ],
)
def test_bad_use(samedeal: Samedeal, arguments: list[str]) -> None:
    err = one_line(samedeal, 2, "serve", *arguments)
    assert err.endswith("; see samedeal serve --help\n")


@pytest.mark.parametrize("command", [["serve"], []])
def test_a_bad_setting_in_the_environment(
    samedeal: Samedeal, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("SAMEDEAL_PORT", "http")
    assert "SAMEDEAL_PORT='http'" in one_line(samedeal, 2, *command)


@pytest.mark.parametrize(
    ("command", "package"),
    [
        (["serve"], "redis"),
        (["serve"], "uvloop"),
        (["serve"], "platformdirs"),
        (["race", "juvenile"], "redis"),
        ([], "redis"),
    ],
)
def test_without_the_server_extra(command: list[str], package: str) -> None:
    script = (
        f"import sys; sys.modules[{package!r}] = None;"
        "from samedeal_cli.__main__ import run; sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'samedeal[server]'" in done.stderr
    assert package in done.stderr
    assert done.stderr.count("\n") == 1

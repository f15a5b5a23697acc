"""`samedeal bot`, `export`, `verify` and `replay` against a server that runs."""

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.clients.cli.conftest import Samedeal
from tests.clients.cli.processes import (
    PATIENCE_S,
    PYTHON,
    environment,
    first_line,
    running,
    stopped,
)

import samedeal as sdk
from samedeal_cli import playing


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of `samedeal serve`, a process of its own."""
    data = str(tmp_path_factory.mktemp("data"))
    with running("serve", "--port", "0", "--data", data, "--limits", "off") as process:
        yield first_line(process).rpartition(" ")[2]
        assert stopped(process, signal.SIGTERM) == (0, "", "")


@pytest.fixture
async def host(server: str) -> AsyncIterator[sdk.Client]:
    async with sdk.connect(server, name="Host") as client:
        yield client


async def until_seats(race: sdk.Race, count: int) -> None:
    """Wait until so many seats are taken."""
    updates = race.updates()
    async with asyncio.timeout(PATIENCE_S):
        while len(race.info.seats) != count:
            await anext(updates)


async def bot(server: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *PYTHON,
        "bot",
        *arguments,
        env=environment(SAMEDEAL_SERVER=server),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


async def test_a_bot_joins_and_plays_to_the_end(server: str, host: sdk.Client) -> None:
    race = await host.create("doublets", seats=2, countdown_ms=0)
    process = await bot(server, race.code.lower(), "--name", "Dicey", "--pace", "0")
    await until_seats(race, 2)
    (dicey,) = [seat for seat in race.info.seats if seat.seat != race.seat]
    assert (dicey.name, dicey.bot) == ("Dicey", "external")
    await race.ready()
    await race.started()
    await race.resign()
    await race.ended()
    assert race.boards[dicey.seat].status in ("won", "stuck")
    out, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")
    head, first, second, again = out.decode().splitlines()
    assert head == f"Dicey has seat 1 in race {race.code}: Doublets, reserve."
    assert first.startswith("1.  Dicey")
    assert second.startswith("2.  Host")
    assert again == f"See it again: samedeal replay {race.id} --server {server}"


async def test_a_bot_that_is_interrupted_leaves(server: str, host: sdk.Client) -> None:
    race = await host.create("juvenile")
    process = await bot(server, race.code)
    await until_seats(race, 2)
    process.send_signal(signal.SIGINT)
    await until_seats(race, 1)
    _, err = await process.communicate()
    assert (process.returncode, err) == (130, b"")


async def test_a_bot_that_is_put_out_says_so(server: str, host: sdk.Client) -> None:
    race = await host.create("juvenile")
    process = await bot(server, race.code)
    await until_seats(race, 2)
    await race.kick(1)
    _, err = await process.communicate()
    assert process.returncode == 1
    assert err.startswith(b"samedeal: ")
    assert err.count(b"\n") == 1


async def test_a_bot_that_is_put_out_before_it_can_say_where_it_sits(
    server: str, host: sdk.Client
) -> None:
    race = await host.create("juvenile")
    async with sdk.connect(server, name="Dicey", bot=True) as client:
        seated = await client.join(race.code)
        await race.kick(1)
        with pytest.raises(sdk.NotInRace):
            async with asyncio.timeout(PATIENCE_S):
                await seated.started()
        with pytest.raises(sdk.NotInRace, match="taken away"):
            playing._say_seated(seated)


def test_no_such_race(samedeal: Samedeal, server: str) -> None:
    status, out, err = samedeal("bot", "ZZZZZZ", "--server", server)
    assert (status, out) == (1, "")
    assert err.count("\n") == 1


def test_no_server(samedeal: Samedeal) -> None:
    status, out, err = samedeal("bot", "ABCDEF", "--server", "http://127.0.0.1:1")
    assert (status, out) == (1, "")
    assert "http://127.0.0.1:1" in err
    assert "samedeal serve" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ABCDEI"], "six letters"),
        (["ABCDEF", "--level", "grand"], "choose from random"),
        (["ABCDEF", "--name", " "], "visible character"),
        (["ABCDEF", "--server", "nowhere"], "not a server's address"),
    ],
)
def test_bad_use(samedeal: Samedeal, arguments: list[str], words: str) -> None:
    status, out, err = samedeal("bot", *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.fixture(scope="module")
def over(server: str) -> tuple[str, bytes, str]:
    """A race that has ended: its id, its log, and the digest told at its end."""

    async def play() -> tuple[str, bytes, str]:
        async with sdk.connect(server) as client:
            race = await client.create("simple-pairs", seats=1, countdown_ms=0)
            await race.ready()
            await race.started()
            await race.resign()
            await race.ended()
            assert race.digest is not None
            return race.id, await sdk.fetch_log(server, race.id), race.digest

    return asyncio.run(play())


def test_export(
    samedeal: Samedeal, server: str, over: tuple[str, bytes, str], tmp_path: Path
) -> None:
    race, log, _ = over
    status, out, err = samedeal("export", race, "--server", server)
    assert (status, out.encode(), err) == (0, log, "")
    file = tmp_path / "race.jsonl"
    status, out, err = samedeal("export", race, "--server", server, "-o", str(file))
    assert (status, out, file.read_bytes()) == (0, "", log)
    assert str(file) in err
    status, _, err = samedeal(
        "export", race, "--server", server, "-o", str(tmp_path / "no" / "folder")
    )
    assert status == 1
    assert err.count("\n") == 1


def test_verify_and_replay_by_id(
    samedeal: Samedeal, server: str, over: tuple[str, bytes, str]
) -> None:
    race, _, digest = over
    status, out, err = samedeal("verify", race, "--server", server, "--digest", digest)
    assert (status, err) == (0, "")
    assert out.startswith(f"Race {race}: simple-pairs, standard.\n")
    status, out, _ = samedeal("replay", race, "--server", server)
    assert status == 0
    assert race in out


async def test_a_race_that_is_not_over_is_not_shown(
    samedeal: Samedeal, server: str, host: sdk.Client
) -> None:
    race = await host.create("juvenile", seats=1, countdown_ms=0)
    await race.ready()
    await race.started()
    for command in ("export", "verify", "replay", "analyse"):
        status, out, err = await asyncio.to_thread(
            samedeal, command, race.id, "--server", server
        )
        assert (status, out) == (1, "")
        assert "not over" in err


def test_a_race_that_never_was(samedeal: Samedeal, server: str) -> None:
    for command in ("export", "verify", "replay", "analyse"):
        status, out, err = samedeal(command, "a" * 16, "--server", server)
        assert (status, out, err.count("\n")) == (1, "", 1)

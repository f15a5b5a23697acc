"""`--workers`: several processes on one port and one store, as one server."""

import asyncio
import contextlib
import functools
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.faults.processes import Node, is_alive
from tests.helpers import raw
from tests.helpers.raw import Raw
from tests.helpers.redis_servers import eventually
from tests.helpers.serving import children, server_of
from tests.server.scenes import WINNING, play, started
from websockets.exceptions import WebSocketException

from samedeal_server.app import CannotServe
from samedeal_server.net.port import claim
from samedeal_server.settings import BadSetting, Settings, from_environment
from samedeal_server.store import start_embedded
from samedeal_server.workers import running_workers


pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="who serves whom is read from /proc"
)

# With two workers, the chance that so many connections land on one is 2**-40.
_TRIES = 40


class Workers(Node):
    """Such a server."""

    @property
    def workers(self) -> set[int]:
        return children(self.pid) - {self.store_pid or 0}

    def worker_of(self, player: Raw) -> int:
        """The process that serves this connection."""
        port = player.socket.transport.get_extra_info("sockname")[1]
        return server_of(port, self.workers)


Arrive = Callable[..., Awaitable[Raw]]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Workers]:
    async with Workers(tmp_path, workers=2) as server:
        yield server


@pytest.fixture
async def arrive(server: Workers) -> AsyncIterator[Arrive]:
    """Says hello, not to the worker given: `await arrive(name="Ada", not_at=pid)`.

    A connection may die with a worker that is being killed; there is another, then.
    """
    async with contextlib.AsyncExitStack() as stack:

        async def start(*, not_at: int = 0, **hello: Any) -> Raw:
            for _ in range(_TRIES):
                with contextlib.suppress(OSError, WebSocketException):
                    player = await raw.connect(server.url)
                    stack.push_async_callback(player.close)
                    if server.worker_of(player) != not_at:
                        await player.hello(**hello)
                        return player
            raise AssertionError("No other worker takes connections.")

        yield start


async def both(arrive: Arrive, server: Workers) -> tuple[Raw, Raw]:
    """Ada, and Bob at the other worker."""
    ada = await arrive(name="Ada")
    return ada, await arrive(name="Bob", not_at=server.worker_of(ada))


async def test_a_race_across_them(server: Workers, arrive: Arrive) -> None:
    assert len(server.workers) == 2
    ada, bob = await both(arrive, server)
    race = await started(ada, bob)
    await play(ada, race, WINNING.moves[:5])
    assert (await bob.until("progress", turn=5))["seat"] == 0
    await play(bob, race, WINNING.moves[:2])
    assert (await ada.until("progress", turn=2))["seat"] == 1
    assert server.complaints() == []


async def test_one_that_is_killed(server: Workers, arrive: Arrive) -> None:
    """Its players go on at the other; it comes back under its name."""
    ada, bob = await both(arrive, server)
    race = await started(ada, bob, open=True)
    await play(ada, race, WINNING.moves[:3])
    await bob.until("progress", turn=3)
    killed, other = server.worker_of(ada), server.worker_of(bob)
    os.kill(killed, signal.SIGKILL)
    assert await ada.closed() == 1006
    ada = await arrive(token=ada.token)
    await ada.ask("sync", race=race)
    assert (await ada.until("view", race=race))["turn"] == 3
    await play(ada, race, WINNING.moves[3:5], turn=3)
    assert (await bob.until("progress", turn=5))["seat"] == 0
    await eventually(lambda: has_come_back(server, 1), "the worker")
    assert killed not in server.workers and len(server.workers) == 2
    assert " ended (-9) and is started again." in server.words()
    wes = await arrive(name="Wes", not_at=other)
    assert (await wes.ask("watch", race=race))["type"] == "race"
    await play(bob, race, WINNING.moves[:1])
    assert (await wes.until("progress", seat=1))["turn"] == 1
    names = {node(pid) for pid in server.workers}
    assert names == {"embedded-0", "embedded-1"}


async def test_one_that_keeps_being_killed(server: Workers, arrive: Arrive) -> None:
    """It is started again later each time, and the other serves all the while."""
    ada = await arrive(name="Ada")
    stays = server.worker_of(ada)
    for number in range(1, 4):
        [victim] = server.workers - {stays}
        os.kill(victim, signal.SIGKILL)
        await eventually(functools.partial(has_come_back, server, number), "the worker")
    *_, last = server.words().splitlines()
    # Not in a tight loop.
    assert float(last.split(" after ")[1].split()[0]) >= 0.5
    assert (await ada.ask("ping"))["type"] == "pong"


async def test_all_are_killed_with_the_first(server: Workers, arrive: Arrive) -> None:
    ada, bob = await both(arrive, server)
    race = await started(ada, bob)
    await play(ada, race, WINNING.moves[:3])
    pids = children(server.pid)
    assert len(pids) == 3
    await server.kill()
    await eventually(lambda: not any(map(is_alive, pids)), "all to be gone")
    await server.start()
    ada = await arrive(token=ada.token)
    await ada.ask("sync", race=race)
    assert (await ada.until("view", race=race))["turn"] == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_an_orderly_end(
    number: signal.Signals, server: Workers, arrive: Arrive
) -> None:
    ada, bob = await both(arrive, server)
    pids = children(server.pid)
    # A Ctrl-C in the terminal does not reach them before it reaches the first.
    assert all(os.getsid(pid) == pid for pid in pids)
    if number == signal.SIGINT:
        os.kill(server.pid, number)
    status, seconds = await server.terminate()
    assert status == 0
    assert seconds < 5
    assert [await player.closed() for player in (ada, bob)] == [1001, 1001]
    assert not any(map(is_alive, pids))
    assert server.words() == ""


async def test_an_orderly_end_though_one_hangs(server: Workers) -> None:
    pids = children(server.pid)
    os.kill(min(server.workers), signal.SIGSTOP)
    status, seconds = await server.terminate()
    assert status == 0
    assert seconds < 5
    assert not any(map(is_alive, pids))
    assert "did not end within 3.5 s and is killed." in server.words()


async def test_a_free_port_that_all_of_them_have(tmp_path: Path) -> None:
    """Port 0: the first process finds one, and hands it on."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "samedeal_cli", "serve", "--port", "0"),
        *("--workers", "3", "--data", str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdout is not None
    url = (await server.stdout.readline()).decode().split()[-1]
    workers = children(server.pid)
    found = set[int]()
    for _ in range(_TRIES):
        player = await raw.connect(url)
        port = player.socket.transport.get_extra_info("sockname")[1]
        found.add(server_of(port, workers))
        await player.close()
    assert len(found) == 3
    server.terminate()
    assert await server.wait() == 0


@pytest.mark.parametrize("leash", ["DeathSignal", "PipeLeash"])
async def test_on_any_leash_none_is_left_behind(leash: str, tmp_path: Path) -> None:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _ON_A_LEASH, leash, "serve", "--port", "0"),
        *("--workers", "2", "--data", str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdout is not None
    assert b"ready" in await server.stdout.readline()
    pids = children(server.pid)
    server.kill()
    await server.communicate()
    await eventually(lambda: not any(map(is_alive, pids)), "all to be gone")


_ON_A_LEASH = """
import sys
from samedeal_cli.__main__ import run
from samedeal_server import workers
from samedeal_server.processes import leash
from samedeal_server.store import embedded

workers.leash_of_platform = embedded.leash_of_platform = getattr(leash, sys.argv[1])
run(sys.argv[2:])
"""


async def test_one_that_ends_before_it_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(workers=2, port=0, data=str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(CannotServe, match=r"embedded-0 ended \(1\) while it started"):
        async with running_workers(settings):
            pass
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    with pytest.raises(CannotServe, match="embedded-0 cannot be started: No such"):
        async with running_workers(settings):
            pass
    # Nothing of it is left, and the directory is free.
    await (await start_embedded(tmp_path, patience_s=0)).stop()


def test_a_port_is_shared_by_those_who_say_so_alone() -> None:
    with claim("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.socket() as second:
            second.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            second.bind(("127.0.0.1", port))
            second.listen()
            # Another server that would share it is not asked to.
            with pytest.raises(OSError, match="in use"):
                claim("127.0.0.1", port)
        claim("127.0.0.1", port).close()


def test_none_at_all_are_refused_and_more_than_any_machine_has() -> None:
    for number in ("0", "-1", "1000"):
        with pytest.raises(BadSetting, match=f"workers is 1 to 256, not {number}"):
            from_environment({"SAMEDEAL_WORKERS": number})


def has_come_back(server: Workers, times: int) -> bool:
    """Whether a worker that ended has been started again so many times."""
    return server.words().count("serves again") == times


def node(pid: int) -> str:
    """The name that a worker goes by."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[-2].decode()

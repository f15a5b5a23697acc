"""The embedded store lives and dies with its server, and comes back when killed."""

import asyncio
import contextlib
import logging
import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from tests.helpers.logs import append, appended, events, race
from tests.helpers.redis_servers import eventually

from samedeal_server.processes.leash import DeathSignal, Leash, PipeLeash
from samedeal_server.store import (
    START,
    Appended,
    DataError,
    DataInUse,
    EmbeddedStore,
    keys,
    open_store,
    start_embedded,
)


RACE = race(0)
LEASHES = [
    pytest.param(
        "DeathSignal",
        marks=pytest.mark.skipif(sys.platform != "linux", reason="Linux has it alone"),
    ),
    "PipeLeash",
]


async def _another(embedded: EmbeddedStore, pid: int) -> None:
    await eventually(lambda: embedded.pid != pid, "another process")


async def test_it_serves_soon_and_keeps_what_it_is_given(tmp_path: Path) -> None:
    began = time.monotonic()
    embedded = await start_embedded(tmp_path)
    assert time.monotonic() - began < 2
    store = await open_store(embedded.url)
    assert await store.promise() == "always"
    first = await appended(store, RACE, START, b"a")
    await store.aclose()
    await embedded.stop()
    with pytest.raises(FileNotFoundError):
        os.stat(embedded.url.removeprefix("unix://"))

    embedded = await start_embedded(tmp_path)
    store = await open_store(embedded.url)
    await appended(store, RACE, first.position, b"b")
    assert await events(store, RACE) == [b"a", b"b"]
    await store.aclose()
    await embedded.stop()


async def test_what_was_deleted_leaves_the_disk(tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path)
    store = await open_store(embedded.url)

    async def config(*words: str) -> dict[str, str]:
        [answer] = (await store.nodes.ask_all("CONFIG", *words)).values()
        found = [text.decode() for text in answer] if isinstance(answer, list) else []
        return dict(zip(found[::2], found[1::2], strict=True))

    def size() -> int:
        sizes = 0
        for path in tmp_path.rglob("*.aof"):
            with contextlib.suppress(FileNotFoundError):  # Deleted since it was listed.
                sizes += path.stat().st_size
        return sizes

    assert await config("GET", "auto-aof-rewrite-*") == {
        "auto-aof-rewrite-percentage": "100",
        "auto-aof-rewrite-min-size": str(64 * 1024 * 1024),
    }
    # As many bytes are not for a test.
    await config("SET", "auto-aof-rewrite-min-size", "400kb")
    for number in range(30):
        key = keys.log(race(number))
        await appended(store, race(number), START, bytes(10_000))
        await store.nodes.call(key, "SET", key, bytes(10))
    assert size() > 300_000
    for number in range(30, 50):
        await appended(store, race(number), START, bytes(10_000))
    await eventually(lambda: size() < 300_000, "what is alive to be written anew")
    assert await events(store, race(40)) == [bytes(10_000)]
    await store.aclose()
    await embedded.stop()


async def test_nobody_else_can_reach_it(tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path)
    found = os.stat(embedded.url.removeprefix("unix://"))
    assert stat.S_IMODE(found.st_mode) == 0o600
    store = await open_store(embedded.url)
    [ports] = (await store.nodes.ask_all("CONFIG", "GET", "port")).values()
    assert ports == [b"port", b"0"]
    await store.aclose()
    # A Ctrl-C in the terminal does not reach it before its server.
    assert os.getsid(embedded.pid) == embedded.pid
    await embedded.stop()


async def test_killed_it_comes_back_with_everything(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    embedded = await start_embedded(tmp_path)
    store = await open_store(embedded.url)
    position, kept = START, list[bytes]()
    for number in range(3):
        kept.append(b"%d" % number)
        position = (await appended(store, RACE, position, kept[-1])).position
        pid = embedded.pid
        os.kill(pid, signal.SIGKILL)
        await _another(embedded, pid)
        assert await events(store, RACE) == kept
    assert "ended (-9) and is started again." in caplog.text
    assert caplog.text.count("serves again") == 3
    await store.aclose()
    await embedded.stop()


async def test_two_starts_on_one_directory(tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path)
    with pytest.raises(DataInUse, match=f"process {os.getpid()}"):
        await start_embedded(tmp_path, patience_s=0.1)
    # The second has waited long enough when the first leaves in time.
    second = asyncio.create_task(start_embedded(tmp_path, patience_s=5))
    await asyncio.sleep(0.05)
    await embedded.stop()
    await (await second).stop()


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("leash", LEASHES)
async def test_killed_with_its_server_the_directory_is_free(
    leash: str, loop: str, tmp_path: Path
) -> None:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _SERVER, leash, loop, str(tmp_path)),
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    pid = int(await server.stdout.readline())
    os.kill(pid, 0)
    server.kill()
    await server.communicate()
    began = time.monotonic()
    embedded = await start_embedded(tmp_path)
    assert time.monotonic() - began < 5
    store = await open_store(embedded.url)
    assert await events(store, RACE) == [b"a"]
    await store.aclose()
    await embedded.stop()


async def test_the_directory_is_in_use_while_its_store_lives(tmp_path: Path) -> None:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _SERVER, "Loose", "asyncio", str(tmp_path)),
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    pid = int(await server.stdout.readline())
    server.kill()
    await server.communicate()
    with pytest.raises(DataInUse, match=f"in use by process {pid}:"):
        await start_embedded(tmp_path, patience_s=0.2)
    os.kill(pid, signal.SIGKILL)
    await (await start_embedded(tmp_path)).stop()


_SERVER = textwrap.dedent(
    f"""
    import asyncio, sys
    from pathlib import Path
    import uvloop
    from samedeal_server.store import START, Append, open_store, start_embedded
    from samedeal_server.processes.leash import DeathSignal, PipeLeash

    class Loose(PipeLeash):
        async def hold(self, pid):
            pass

    LEASHES = dict(DeathSignal=DeathSignal, PipeLeash=PipeLeash, Loose=Loose)

    async def main():
        embedded = await start_embedded(
            Path(sys.argv[3]), leash=LEASHES[sys.argv[1]]()
        )
        store = await open_store(embedded.url)
        done = asyncio.get_running_loop().create_future()
        store.log.append(Append("{RACE}", START, [b"a"], done.set_result))
        await done
        print(embedded.pid, flush=True)
        await asyncio.sleep(60)

    (asyncio.run if sys.argv[2] == "asyncio" else uvloop.run)(main())
    """
)


@pytest.mark.parametrize(
    "leash", [PipeLeash(), *([DeathSignal()] if sys.platform == "linux" else [])]
)
async def test_on_any_leash_it_stops_and_restarts(leash: Leash, tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path, leash=leash)
    store = await open_store(embedded.url)
    pid = embedded.pid
    os.kill(pid, signal.SIGKILL)
    await _another(embedded, pid)
    assert isinstance(await append(store, RACE, START, b"a"), Appended)
    await store.aclose()
    await embedded.stop()


async def test_a_store_that_does_not_end_is_made_to(tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path)
    os.kill(embedded.pid, signal.SIGSTOP)
    began = time.monotonic()
    await embedded.stop(timeout_s=0.1)
    assert time.monotonic() - began < 1
    await (await start_embedded(tmp_path, patience_s=0)).stop()


async def test_damaged_data_are_told_in_valkeys_words(tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path)
    store = await open_store(embedded.url)
    await appended(store, RACE, START, b"a")
    await store.aclose()
    await embedded.stop()
    [log] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(b"*nonsense" + log.read_bytes())
    with pytest.raises(
        DataError, match=r"did not start \(1\). It said: .*Bad file format"
    ):
        await start_embedded(tmp_path)
    # And the directory is free for whoever mends it.
    with pytest.raises(DataError, match="Bad file format"):
        await start_embedded(tmp_path, patience_s=0)


async def test_a_torn_last_write_is_no_damage(tmp_path: Path) -> None:
    embedded = await start_embedded(tmp_path)
    store = await open_store(embedded.url)
    first = await appended(store, RACE, START, b"a")
    await appended(store, RACE, first.position, b"b")
    await store.aclose()
    await embedded.stop()
    [log] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(log.read_bytes()[:-3])
    embedded = await start_embedded(tmp_path)
    store = await open_store(embedded.url)
    assert await events(store, RACE) == [b"a"]
    await store.aclose()
    await embedded.stop()


async def test_a_binary_that_ends_at_once(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"did not start \(1\)"):
        await start_embedded(tmp_path, binary=Path("/bin/false"))


async def test_slow_loading_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    embedded = await start_embedded(tmp_path / "data")
    binary = embedded.binary
    await embedded.stop()
    slow = tmp_path / "slow"
    slow.write_text(f'#!/bin/sh\nsleep 1.2\nexec "{binary}" "$@"\n')
    slow.chmod(0o700)
    # As a server without options logs.
    caplog.set_level(logging.WARNING)
    embedded = await start_embedded(tmp_path / "data", binary=slow)
    assert caplog.messages == ["The store is loading its data (1 s)."]
    await embedded.stop()


async def test_it_keeps_trying_and_says_why_it_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    embedded = await start_embedded(tmp_path)
    aside = tmp_path.parent / "aside"
    (tmp_path / "appendonlydir").rename(aside)
    (tmp_path / "appendonlydir").touch()
    os.kill(embedded.pid, signal.SIGKILL)
    await eventually(lambda: "did not start" in caplog.text, "the failure to be told")
    (tmp_path / "appendonlydir").unlink()
    aside.rename(tmp_path / "appendonlydir")
    await eventually(lambda: "serves again" in caplog.text, "it to serve again")
    await embedded.stop()


async def test_it_serves_again_once_its_directory_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data, aside = tmp_path / "data", tmp_path / "aside"
    embedded = await start_embedded(data)
    data.rename(aside)
    os.kill(embedded.pid, signal.SIGKILL)
    await eventually(lambda: "did not start" in caplog.text, "the failure to be told")
    assert "cannot be used any more" in caplog.text
    aside.rename(data)
    await eventually(lambda: "serves again" in caplog.text, "it to serve again")
    await embedded.stop()

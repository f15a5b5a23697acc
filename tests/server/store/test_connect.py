"""What can be opened, and the one sentence said about what cannot."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.helpers.redis_servers import RedisCluster, RedisServer, free_port, running
from tests.server.store.conftest import needs_redis

from samedeal_server.store import (
    StoreSettings,
    StoreUnreachable,
    open_store,
)


async def _why(url: str) -> str:
    with pytest.raises(StoreUnreachable) as caught:
        await open_store(url, StoreSettings(read_timeout_s=0.5, connect_timeout_s=0.5))
    return str(caught.value)


async def test_every_kind_opens(any_url: str) -> None:
    store = await open_store(any_url)
    name, version = store.version.split(" ")
    assert name in ("Redis", "Valkey")
    assert version[0].isdigit()
    assert store.log.now_ms() > 1_700_000_000_000
    await store.aclose()


async def test_nobody_there(tmp_path: Path) -> None:
    port = free_port()
    for url in (f"redis://127.0.0.1:{port}", f"redis+cluster://127.0.0.1:{port}"):
        assert f":{port} cannot be reached: Connection refused." in await _why(url)
    assert "No such file" in await _why(f"unix://{tmp_path}/nobody")
    assert "nowhere.invalid:6379 cannot be reached" in await _why(
        "redis://nowhere.invalid"
    )


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1", "must begin with redis://"),
        ("127.0.0.1:6379", "must begin with redis://"),
        ("", "must begin with redis://"),
        ("redis://127.0.0.1:port", "not valid"),
        ("redis://127.0.0.1:99999", "not valid"),
        ("redis://127.0.0.1?colour=red", "option that is not known"),
        ("redis+cluster://127.0.0.1/3", "no database but 0"),
    ],
)
async def test_a_wrong_url(url: str, says: str) -> None:
    assert says in await _why(url)


@pytest.fixture
async def stranger() -> AsyncIterator[int]:
    """The port of something that is no store."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


async def test_something_else_there(stranger: int) -> None:
    why = await _why(f"redis://127.0.0.1:{stranger}")
    assert f"127.0.0.1:{stranger} was lost: Protocol error" in why
    # The numbers of TLS's errors are not those of the system.
    why = await _why(f"rediss://127.0.0.1:{stranger}")
    assert f"127.0.0.1:{stranger} cannot be reached: [SSL: " in why


@needs_redis
async def test_a_wrong_password_is_not_shown(tmp_path: Path) -> None:
    with running(RedisServer(tmp_path, "--requirepass", "right")) as url:
        why = await _why(url.replace("//", "//:mistaken@"))
        assert "invalid username-password pair" in why
        assert "mistaken" not in why
        assert "Authentication required" in await _why(url)
        store = await open_store(url.replace("//", "//:right@"))
        await store.aclose()


@needs_redis
async def test_a_cluster_and_a_server_are_told_apart(
    redis_cluster: RedisCluster, redis_server: str
) -> None:
    member = redis_cluster.url.replace("+cluster", "")
    assert "give its address as redis+cluster://" in await _why(member)
    alone = redis_server.replace("redis://", "redis+cluster://")
    assert "give its address as redis://" in await _why(alone)


@needs_redis
async def test_a_replica_cannot_be_written_to(
    redis_server: str, tmp_path: Path
) -> None:
    master = redis_server.rpartition(":")[2]
    replica = RedisServer(tmp_path, "--replicaof", f"127.0.0.1 {master}")
    with running(replica) as url:
        assert "This is a replica" in await _why(url)


@needs_redis
async def test_what_is_promised(
    valkey: str, redis_server: str, redis_cluster: RedisCluster, tmp_path: Path
) -> None:
    promises = {
        valkey: "always",
        redis_server: "none",
        redis_cluster.url: "none",
    }
    for url, promise in promises.items():
        store = await open_store(url)
        assert await store.promise() == promise
        await store.aclose()
    with running(RedisServer(tmp_path, "--appendonly", "yes")) as url:
        store = await open_store(url)
        assert await store.promise() == "everysec"
        await store.nodes.ask_all("ACL", "SETUSER", "default", "-config")
        assert await store.promise() == "unknown"
        await store.aclose()


async def test_closing_leaves_nothing_open(valkey: str) -> None:
    before = asyncio.all_tasks()
    store = await open_store(valkey)
    store.bells.listen(lambda race: None, lambda player, gen: None, lambda: None)
    await store.bells.ready.wait()
    store.bells.ring("race")
    await store.registry.ping()
    await store.aclose()
    assert asyncio.all_tasks() == before


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="without spaces"):
        StoreSettings(node="two words")
    with pytest.raises(ValueError, match="shorter than"):
        StoreSettings(append_timeout_s=1, wait_replicas_ms=1000)
    assert StoreSettings().node != StoreSettings().node

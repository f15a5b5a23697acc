"""One connection, many callers: each gets its own answers."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from redis.asyncio.connection import AbstractConnection, UnixDomainSocketConnection
from redis.exceptions import ResponseError
from tests.helpers.proxy import Proxy

from samedeal_server.store.errors import NotSent, Unanswered
from samedeal_server.store.link import Link


class Losses:
    """How often a connection was lost."""

    count = 0

    def one_more(self) -> None:
        self.count += 1


@pytest.fixture
def losses() -> Losses:
    return Losses()


def _link(url: str, losses: Losses) -> Link:
    path = url.removeprefix("unix://")

    def make() -> AbstractConnection:
        return UnixDomainSocketConnection(
            path=path, protocol=2, driver_info=None, socket_timeout=None
        )

    return Link("the store", make, 1.0, losses.one_more)


def _soon() -> float:
    return asyncio.get_running_loop().time() + 1


async def test_each_caller_gets_its_answers(valkey: str, losses: Losses) -> None:
    link = _link(valkey, losses)
    words = [b"%d" % number * (number * 50 + 1) for number in range(200)]
    answers = await asyncio.gather(
        *(link.call([("ECHO", word), ("PING",)], _soon()) for word in words)
    )
    assert answers == [[word, b"PONG"] for word in words]
    await link.aclose()


async def test_a_refusal_is_an_answer(valkey: str, losses: Losses) -> None:
    link = _link(valkey, losses)
    refusal, answer = await link.call([("NONSENSE",), ("PING",)], _soon())
    assert isinstance(refusal, ResponseError)
    assert answer == b"PONG"
    await link.aclose()


async def test_a_caller_that_gives_up_leaves_its_answer_to_nobody(
    valkey: str, losses: Losses
) -> None:
    link = _link(valkey, losses)
    await link.call([("PING",)], _soon())
    given_up = asyncio.create_task(link.call([("ECHO", "given up")], _soon()))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await link.call([("ECHO", "mine")], _soon()) == [b"mine"]
    assert given_up.cancelled()
    assert losses.count == 0
    await link.aclose()


async def test_a_lost_connection_fails_everybody_on_it_and_is_made_anew(
    valkey: str, losses: Losses, tmp_path: Path
) -> None:
    async with Proxy(valkey, tmp_path) as proxy:
        link = _link(proxy.url, losses)
        await link.call([("PING",)], _soon())
        proxy.to_lose = 1
        results = await asyncio.gather(
            *(link.call([("PING",)], _soon()) for _ in range(5)), return_exceptions=True
        )
        assert {type(result) for result in results} == {Unanswered}
        assert losses.count == 1
        assert await link.call([("PING",)], _soon()) == [b"PONG"]
        await link.aclose()


async def test_an_answer_that_does_not_come_ends_the_connection(
    valkey: str, losses: Losses
) -> None:
    link = _link(valkey, losses)
    await link.call([("PING",)], _soon())
    now = asyncio.get_running_loop().time()
    blocked = asyncio.create_task(link.call([("BLPOP", "nothing", 0)], now + 0.1))
    behind = asyncio.create_task(link.call([("PING",)], _soon()))
    with pytest.raises(Unanswered, match="the store did not answer in time"):
        await blocked
    with pytest.raises(Unanswered, match="lost"):
        await behind
    assert await link.call([("PING",)], _soon()) == [b"PONG"]
    await link.aclose()


async def test_nobody_there_is_not_sent(tmp_path: Path, losses: Losses) -> None:
    link = _link(f"unix://{tmp_path}/nobody", losses)
    with pytest.raises(NotSent, match="the store cannot be reached"):
        await link.call([("PING",)], _soon())
    assert losses.count == 0
    await link.aclose()
    with pytest.raises(NotSent, match="closed"):
        await link.call([("PING",)], _soon())


async def test_closing_while_connecting_leaves_nothing_open(
    valkey: str, losses: Losses
) -> None:
    link = _link(valkey, losses)
    for turns in range(10):
        call = asyncio.create_task(link.call([("PING",)], _soon()))
        for _ in range(turns):
            await asyncio.sleep(0)
        await link.aclose()
        with contextlib.suppress(NotSent, Unanswered):
            assert await call == [b"PONG"]
        is_left = link.is_connected
        await link.aclose()  # So that this test ends if it fails.
        assert not is_left
        link = _link(valkey, losses)


async def test_silence_at_connecting_is_bounded(tmp_path: Path, losses: Losses) -> None:
    path = tmp_path / "silent"
    writers: list[asyncio.StreamWriter] = []
    server = await asyncio.start_unix_server(lambda r, w: writers.append(w), path)
    link = Link(
        "the store",
        lambda: UnixDomainSocketConnection(path=str(path), password="p", protocol=2),
        5.0,
        losses.one_more,
    )
    now = asyncio.get_running_loop().time()
    with pytest.raises(NotSent, match="in time"):
        await link.call([("PING",)], now + 0.1)
    assert asyncio.get_running_loop().time() - now < 1
    await link.aclose()
    server.close()
    for writer in writers:
        writer.close()

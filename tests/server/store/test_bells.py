"""Bells are heard by other nodes; and when they are not, that is known."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.helpers.proxy import Proxy

from samedeal_server.store import Store, StoreSettings, keys, open_store
from samedeal_server.store.talk import hear


_tests = itertools.count(1)
_test = 0


@pytest.fixture(autouse=True)
def _own_names() -> None:
    """Names of this test alone: a cluster passes on late what an earlier one rang."""
    global _test
    _test = next(_tests)


def race(number: int) -> str:
    """A race of this test."""
    return f"{_own('race')}{number:06}"


def player(number: int) -> str:
    """A player of this test."""
    return f"{_own('player')}{number:04}"


def _own(kind: str) -> str:
    return f"{kind}{_test:06}"


class Ears:
    """A node that notes what it hears, but for what belongs to other tests."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.heard: asyncio.Queue[object] = asyncio.Queue()

    async def listen(self) -> None:
        self.store.bells.listen(
            self._hear_race,
            self._hear_takeover,
            lambda: self.heard.put_nowait("gap"),
        )
        await self.store.bells.ready.wait()

    async def next(self) -> object:
        async with asyncio.timeout(5):
            return await self.heard.get()

    def _hear_race(self, name: str) -> None:
        if name.startswith(_own("race")) or not name.startswith("race"):
            self.heard.put_nowait(name)

    def _hear_takeover(self, name: str, generation: int) -> None:
        if name.startswith(_own("player")):
            self.heard.put_nowait((name, generation))


@pytest.fixture
async def other(any_url: str, any_store: Store) -> AsyncIterator[Ears]:
    """Another node on the same store, which listens."""
    store = await open_store(any_url)
    ears = Ears(store)
    await ears.listen()
    yield ears
    await store.aclose()


async def test_other_nodes_hear(any_store: Store, other: Ears) -> None:
    any_store.bells.ring(race(1))
    any_store.bells.takeover(player(1), 1764451200000)
    any_store.bells.ring(race(2))
    assert [await other.next() for _ in range(3)] == [
        race(1),
        (player(1), 1764451200000),
        race(2),
    ]


async def test_nobody_hears_itself(any_store: Store, other: Ears) -> None:
    mine = Ears(any_store)
    await mine.listen()
    any_store.bells.ring(race(1))
    other.store.bells.ring(race(2))
    assert await other.next() == race(1)
    assert await mine.next() == race(2)
    assert mine.heard.empty()
    assert other.heard.empty()


async def test_bells_of_one_moment_are_one_message(valkey: str, store: Store) -> None:
    slow = await open_store(valkey, StoreSettings(bell_interval_ms=100))
    listener = store.nodes.connection(store.nodes.addresses()[0])
    await listener.send_command("SUBSCRIBE", keys.BELL)
    await hear(listener)
    for number in (1, 2, 1, 3):
        slow.bells.ring(race(number))
    first = await hear(listener)
    for number in (4, 1, 4):
        slow.bells.ring(race(number))
    second = await hear(listener)
    node = slow.nodes.settings.node
    assert first[2].decode() == f"{node} {race(1)} {race(2)} {race(3)}"
    assert second[2].decode() == f"{node} {race(4)} {race(1)}"
    await listener.disconnect()
    await slow.aclose()


async def test_a_gap_is_told_and_listening_goes_on(
    any_store: Store, other: Ears
) -> None:
    epoch = other.store.log.contact.epoch
    for address in any_store.nodes.addresses():
        await any_store.nodes.ask(address, "CLIENT", "KILL", "TYPE", "pubsub")
    assert await other.next() == "gap"
    assert other.store.log.contact.epoch > epoch
    any_store.bells.ring(race(1))
    assert await other.next() == race(1)


async def test_nonsense_is_not_heard(any_store: Store, other: Ears) -> None:
    for nonsense in (b"", b"\xff\xfe", b"node player:x", b"node player:"):
        await any_store.nodes.tell_any("PUBLISH", keys.BELL, nonsense)
    any_store.bells.ring(race(1))
    while (heard := await other.next()) != race(1):
        assert heard == ""


@pytest.mark.parametrize(
    "nonsense",
    [b":1\r\n", b"*0\r\n", b"*3\r\n$7\r\nmessage\r\n:1\r\n:1\r\n", b"-MOVED x\r\n"],
)
async def test_a_store_that_talks_nonsense_is_heard_again(
    valkey: str, store: Store, tmp_path: Path, nonsense: bytes
) -> None:
    async with Proxy(valkey, tmp_path) as proxy:
        ears = Ears(await open_store(proxy.url))
        await ears.listen()
        await ears.store.nodes.ask_all("PING")  # What it rang itself is answered.
        proxy.instead = [nonsense]
        async with asyncio.timeout(5):
            while await _heard_within(ears, 0.05) != race(1):
                store.bells.ring(race(1))
        assert proxy.instead == []
        await ears.store.aclose()


async def test_a_listener_that_fails_goes_on(
    valkey: str, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    other = await open_store(valkey)
    heard = asyncio.Event()

    def fail(name: str) -> None:
        if name == race(2):
            heard.set()
        raise RuntimeError("nobody expects this")

    other.bells.listen(fail, lambda name, generation: None, lambda: None)
    await other.bells.ready.wait()
    store.bells.ring(race(1))
    store.bells.ring(race(2))
    await asyncio.wait_for(heard.wait(), 5)
    assert "nobody expects this" in caplog.text
    await other.aclose()


async def test_a_bell_after_closing_is_nothing(store: Store) -> None:
    await store.bells.aclose()
    before = asyncio.all_tasks()
    store.bells.ring(race(1))
    assert asyncio.all_tasks() == before


async def test_whoever_is_alone_rings_for_nobody_until_somebody_comes(
    any_url: str, any_store: Store
) -> None:
    mine, came = Ears(any_store), await open_store(any_url)
    await mine.listen()
    watcher = any_store.nodes.connection(any_store.nodes.addresses()[0])
    await watcher.connect()  # type: ignore[no-untyped-call]
    await watcher.send_command("SUBSCRIBE", keys.BELL)
    assert (await hear(watcher))[0] == b"subscribe"
    try:
        any_store.bells.found(0)
        any_store.bells.ring(race(1))
        newcomer = Ears(came)
        await newcomer.listen()
        node = came.nodes.settings.node.encode()
        said = (await hear(watcher))[2]
        while said == any_store.nodes.settings.node.encode():
            said = (await hear(watcher))[
                2
            ]  # That it came; a cluster passes it on late.
        assert said == node  # The first that is said at all.
        mine.store.bells.ring(race(2))
        while True:
            # As soon as the newcomer was heard.
            if await _heard_within(newcomer, 0.05) == race(2):
                break
            mine.store.bells.ring(race(2))
    finally:
        await watcher.disconnect()
        await came.aclose()


async def _heard_within(ears: Ears, seconds: float) -> object:
    try:
        async with asyncio.timeout(seconds):
            return await ears.heard.get()
    except TimeoutError:
        return None

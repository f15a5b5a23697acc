"""Cyclic garbage is looked for in small pieces, all of it rarely, and hardly made."""

import asyncio
import gc
import sys
import weakref

import pytest
from hypothesis import given, strategies as st
from tests.helpers.waiting import until
from tests.server.conftest import Arrive
from tests.server.scenes import WINNING
from tests.server.test_http import get
from websockets.server import ServerProtocol

from samedeal_server import garbage
from samedeal_server.app import App
from samedeal_server.garbage import next_pause
from samedeal_server.hub.live import LiveRace
from samedeal_server.net.connection import Connection
from samedeal_server.net.session import Session


class Knot:
    """Garbage that only a search finds."""

    def __init__(self) -> None:
        self.itself = self


async def gone(knot: "weakref.ref[Knot]") -> None:
    async def is_gone() -> bool:
        return knot() is None

    await until(is_gone)


async def test_young_garbage_goes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_LATEST_S", 0.001)
    assert gc.isenabled()
    async with garbage.rarely_collected():
        assert not gc.isenabled()
        await gone(weakref.ref(Knot()))
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


async def test_old_garbage_goes_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_LATEST_S", 0.001)
    monkeypatch.setattr(garbage, "_ALL_S", 0.5)
    async with garbage.rarely_collected():
        knot = Knot()
        seen = weakref.ref(knot)
        gc.collect(0)
        del knot
        gc.collect(0)
        assert seen() is not None
        await gone(seen)


async def test_what_was_passed_over_goes_when_memory_grows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (
        ("_LATEST_S", 0.001),
        ("_LOOK_S", 0.0),
        ("_TIMES", 2),
        ("_GROWN", 1_000),
    ):
        monkeypatch.setattr(garbage, name, value)
    async with garbage.rarely_collected():
        await asyncio.sleep(0)  # It takes note of how much there is.
        knot = weakref.ref(Knot())
        gc.freeze()
        gc.collect()
        assert knot() is not None
        kept = [[number] for number in range(2 * sys.getallocatedblocks())]
        await gone(knot)
    assert kept


@given(st.floats(0.01, 0.5), st.floats(0, 2))
def test_searches_come_the_sooner_the_longer_they_take(
    pause_s: float, took_s: float
) -> None:
    """One that takes its time is followed by one that should take half a millisecond."""
    following = next_pause(pause_s, took_s)
    assert 0.01 <= following <= 0.5
    if took_s > 0.000_5:
        assert following <= pause_s
        assert following == 0.01 or following * took_s / pause_s == pytest.approx(5e-4)
    else:
        assert following >= pause_s or following == pytest.approx(pause_s)


@pytest.mark.parametrize("end", ["close", "vanish"])
async def test_what_ends_is_gone_without_any_search(
    arrive: Arrive, server: App, end: str
) -> None:
    """By a search of the young alone it would stay, once it has lived for a while."""

    kinds = {Connection, Session, LiveRace, ServerProtocol}

    def there() -> set[type]:
        return kinds & {type(one) for one in gc.get_objects()}

    async def are_gone() -> bool:
        return not there()

    async def come_and_go(name: str) -> None:
        gc.collect()
        gc.disable()
        try:
            ada = await arrive(name)
            race = (await ada.ask("create", **WINNING.create, countdown_ms=0))["race"]
            await ada.ask("start", race=race)
            await ada.ask("resign", race=race)
            await ada.until("race", phase="ended")
            assert there() == kinds
            await (ada.close() if end == "close" else ada.vanish())
            for path in ("/healthz", f"/races/{race}/log.jsonl"):
                assert (await get(server, path)).status == 200
            await until(are_gone)
        finally:
            gc.enable()

    try:
        await come_and_go("Ada")
    except TimeoutError:
        # On a machine that is too busy something else may have failed meanwhile, and
        # errors do make cycles; but not time and again.
        await come_and_go("Bo")


async def test_a_refusal_is_no_garbage(arrive: Arrive) -> None:
    """Whoever sends nonsense all the time is not to fill the memory with it."""
    ada = await arrive("Ada")
    race = (await ada.ask("create", **WINNING.create, countdown_ms=0))["race"]
    await ada.ask("start", race=race)
    wrong = [(0, ["t0"]), (0, ["t0+t99"]), (7, ["t0+t1"])]

    async def refuse() -> None:
        codes = {
            await ada.refused("move", race=race, turn=turn, moves=moves)
            for turn, moves in wrong
        }
        assert codes == {"bad_move", "illegal_move", "stale_turn"}

    await refuse()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        await refuse()
        gc.collect()
        found = [one for one in gc.garbage if isinstance(one, Exception)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not found

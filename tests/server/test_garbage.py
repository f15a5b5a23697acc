"""Cyclic garbage is looked for in small pieces, and all of it once there is much."""

import gc
import weakref

import pytest
from hypothesis import given, strategies as st
from tests.helpers.waiting import until

from samedeal_server import garbage
from samedeal_server.garbage import next_pause


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


async def test_old_garbage_goes_once_there_is_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "_LATEST_S", 0.001)
    monkeypatch.setattr(garbage, "_MANY", 5_000)
    async with garbage.rarely_collected():
        knot = Knot()
        seen = weakref.ref(knot)
        gc.collect(0)
        del knot
        gc.collect(0)
        assert seen() is not None
        kept = [[number] for number in range(20_000)]
        await gone(seen)
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
        assert following >= pause_s

"""Cyclic garbage is looked for in small pieces, and all of it once there is much."""

import gc
import weakref

import pytest
from tests.helpers.waiting import until

from samedeal_server import garbage


class Knot:
    """Garbage that only a search finds."""

    def __init__(self) -> None:
        self.itself = self


async def test_old_garbage_goes_once_there_is_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "_LOOK_S", 0.001)
    monkeypatch.setattr(garbage, "_YOUNG", 500)
    monkeypatch.setattr(garbage, "_MANY", 5_000)
    before = gc.get_threshold()
    async with garbage.rarely_collected():
        knot = Knot()
        seen = weakref.ref(knot)
        kept: list[list[int]] = []
        while gc.get_count()[1] < 3:
            kept += [[number] for number in range(500)]
        assert seen() is not None
        del knot
        assert not garbage.is_due()
        kept += [[number] for number in range(20_000)]

        async def is_gone() -> bool:
            return seen() is None

        await until(is_gone)
        assert kept
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0

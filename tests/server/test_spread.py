"""Many things are dealt with a few at a time, evenly, and with turns for others."""

import asyncio
import time
import weakref

import pytest
from hypothesis import given, strategies as st

from samedeal_server.spread import spread


@given(st.lists(st.integers(), max_size=50), st.integers(1, 60))
def test_each_comes_once_and_never_too_many(items: list[int], at_once: int) -> None:
    async def lots() -> list[list[int]]:
        return [[*lot] async for lot in spread(items, at_once, 0)]

    found = asyncio.run(lots())
    assert sorted(item for lot in found for item in lot) == sorted(items)
    assert all(0 < len(lot) <= at_once for lot in found)
    assert len(found) == -(-len(items) // at_once)


async def test_they_are_spread_over_the_time() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    moments = [loop.time() - began async for _ in spread(range(100), 10, 0.3)]
    assert loop.time() - began >= 0.299
    for number, moment in enumerate(moments):
        assert moment >= 0.03 * number - 0.001


async def test_what_the_work_takes_does_not_add_up() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    async for _ in spread(range(30), 1, 0.3):
        time.sleep(0.009)  # noqa: ASYNC251 - so does work.
    assert loop.time() - began < 0.27 + 0.2


@pytest.mark.parametrize("seconds", [0.05, 0.0])
async def test_it_takes_its_time_with_nothing_to_do(seconds: float) -> None:
    """Whoever does it for ever lets others have their turn."""
    loop = asyncio.get_running_loop()
    began, turns = loop.time(), 0

    def turn() -> None:
        nonlocal turns
        turns += 1

    loop.call_soon(turn)
    nothing: list[int] = []
    async for _ in spread(nothing, 10, seconds):
        pytest.fail("There is nothing.")
    assert loop.time() - began >= seconds - 0.001
    assert turns == 1


async def test_others_have_a_turn_between_two_lots() -> None:
    turns: list[str] = []

    async def other() -> None:
        for _ in range(3):
            turns.append("other")
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    async for lot in spread("abc", 1, 0):
        turns.append(lot[0])
    await task
    assert turns == ["c", "other", "b", "other", "a", "other"]


class Thing:
    pass


async def test_what_was_dealt_with_is_let_go_of() -> None:
    things = [Thing(), Thing()]
    seen = weakref.WeakSet(things)
    lots = spread(things, 1, 0)
    first = await anext(lots)
    things.clear()
    assert len(seen) == 2
    await anext(lots)
    assert first == []
    assert len(seen) == 1
    await lots.aclose()

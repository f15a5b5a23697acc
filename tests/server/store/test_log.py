"""The contract of the log, kept by every kind of store."""

import asyncio
import itertools

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.helpers.logs import append, appended, events, race, replace

from samedeal_server.store import (
    START,
    Append,
    Appended,
    AppendResult,
    Conflict,
    Doubtful,
    Position,
    Store,
    Tail,
    TooEarly,
    TooLate,
    keys,
    open_store,
)


RACE = race(0)
HOUR_MS = 3_600_000


# Appending.


async def test_what_is_appended_is_read(any_store: Store) -> None:
    first = await appended(any_store, RACE, START, b"a", b"b", b"c")
    second = await appended(any_store, RACE, first.position, "\0é♥\r\n".encode(), b"")
    tail = await any_store.log.read(RACE, START)
    assert [entry.event for entry in tail.entries] == [
        *(b"a", b"b", b"c"),
        *("\0é♥\r\n".encode(), b""),
    ]
    assert [entry.at_ms for entry in tail.entries] == [
        *[first.at_ms] * 3,
        *[second.at_ms] * 2,
    ]
    assert tail.position == second.position == Position(5, tail.entries[-1].id)
    assert not tail.whole


async def test_an_append_needs_an_event() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Append(RACE, START, [], lambda _: None)


async def test_an_append_is_of_text() -> None:
    with pytest.raises(ValueError, match="utf-8"):
        Append(RACE, START, [b"{}", b"\xff"], lambda _: None)


async def test_the_same_append_again_is_a_conflict(any_store: Store) -> None:
    await appended(any_store, RACE, START, b"a")
    assert await append(any_store, RACE, START, b"a") == Conflict()
    assert await events(any_store, RACE) == [b"a"]


async def test_a_wrong_length_is_a_conflict(any_store: Store) -> None:
    done = await appended(any_store, RACE, START, b"a", b"b")
    for length in (0, 1, 3):
        wrong = Position(length, done.position.last)
        assert await append(any_store, RACE, wrong, b"c") == Conflict()
    assert await append(any_store, race(1), done.position, b"c") == Conflict()


async def test_a_wrong_last_entry_of_the_right_length_is_a_conflict(
    any_store: Store,
) -> None:
    done = await appended(any_store, RACE, START, b"a", b"b")
    at_ms, seq = done.position.last.split("-")
    for last in (f"{at_ms}-0", f"{at_ms}-{int(seq) + 1}", f"{int(at_ms) + 1}-{seq}"):
        wrong = Position(2, last)
        assert await append(any_store, RACE, wrong, b"c") == Conflict()


async def test_each_race_is_answered_apart(any_store: Store) -> None:
    await appended(any_store, race(1), START, b"there already")
    # After this entry there is no room for another.
    last = "-".join(["18446744073709551615"] * 2)
    await replace(any_store, race(2), [(last, b"the last of all")])
    expected = [START, START, Position(1, last), START, START]
    results = await asyncio.gather(
        *(append(any_store, race(n), at, b"a") for n, at in enumerate(expected))
    )
    assert [type(result) for result in results] == [
        *(Appended, Conflict, Doubtful),
        *(Appended, Appended),
    ]
    assert await events(any_store, race(4)) == [b"a"]


async def test_appends_of_one_turn_of_the_loop_are_in_order(any_store: Store) -> None:
    first = await appended(any_store, RACE, START, b"a")
    results = await asyncio.gather(
        append(any_store, RACE, first.position, b"b"),
        append(any_store, RACE, first.position, b"c"),
    )
    assert [type(result) for result in results] == [Appended, Conflict]


async def test_the_clock_of_the_log_bounds_appends(any_store: Store) -> None:
    # The last entry is ahead of the clock, as when that was set back: its time goes.
    ahead = any_store.log.now_ms() + HOUR_MS
    await replace(any_store, RACE, [(f"{ahead}-7", b"a")])
    at = Position(1, f"{ahead}-7")
    early = await append(any_store, RACE, at, b"b", not_before=ahead + 1)
    assert early == TooEarly(ahead)
    late = await append(any_store, RACE, at, b"b", not_after=ahead - 1)
    assert late == TooLate(ahead)
    both = await append(
        any_store, RACE, at, b"b", b"c", not_before=ahead, not_after=ahead
    )
    assert both == Appended(Position(3, f"{ahead}-9"), ahead)


async def test_a_conflict_counts_before_the_clock(any_store: Store) -> None:
    await appended(any_store, RACE, START, b"a")
    result = await append(any_store, RACE, START, b"b", not_before=2**45)
    assert result == Conflict()


async def test_an_append_has_the_time_of_the_log(any_store: Store) -> None:
    before = any_store.log.now_ms()
    done = await appended(any_store, RACE, START, b"a")
    await any_store.log.refresh_clock()
    assert before <= done.at_ms <= any_store.log.now_ms() + 1


async def test_of_many_writers_one_wins(any_store: Store, any_url: str) -> None:
    nodes = [await open_store(any_url) for _ in range(5)]
    position = START
    for turn in range(8):
        results = await asyncio.gather(
            *(
                append(node, RACE, position, b"%d %d %d" % (turn, number, writer))
                for number, node in enumerate(nodes)
                for writer in range(10)
            )
        )
        [won] = [result for result in results if isinstance(result, Appended)]
        assert sum(result == Conflict() for result in results) == 49
        position = won.position
    assert await any_store.log.length(RACE) == 8
    for node in nodes:
        await node.aclose()


async def test_a_server_that_forgot_the_script_is_told_again(any_store: Store) -> None:
    first = await appended(any_store, RACE, START, b"a")
    await any_store.nodes.ask_all("SCRIPT", "FLUSH")
    await appended(any_store, RACE, first.position, b"b")
    assert await events(any_store, RACE) == [b"a", b"b"]


async def test_what_follows_an_append_may_fail(
    any_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    failed = asyncio.Event()

    def fail(result: AppendResult) -> None:
        failed.set()
        raise RuntimeError("nobody expects this")

    any_store.log.append(Append(RACE, START, [b"a"], fail))
    await appended(any_store, race(1), START, b"a")
    await failed.wait()
    assert "nobody expects this" in caplog.text


# Reading.


async def test_reading_goes_on_from_any_entry(any_store: Store) -> None:
    written = [b"%d" % number for number in range(11)]
    await appended(any_store, RACE, START, *written)
    entries = (await any_store.log.read(RACE, START)).entries
    assert [entry.event for entry in entries] == written
    for length in range(1, 12):
        after = Position(length, entries[length - 1].id)
        tail = await any_store.log.read(RACE, after)
        assert tail == Tail(entries[length:], Position(11, entries[-1].id), False)


async def test_an_empty_log_is_read(any_store: Store) -> None:
    assert await any_store.log.read(RACE, START) == Tail([], START, False)
    assert not await any_store.log.exists(RACE)


@pytest.mark.parametrize(
    "now",
    [
        [],
        [("5-0", b"a")],
        [("5-0", b"a"), ("5-1", b"b"), ("8-0", b"x")],
        [("5-0", b"a"), ("5-1", b"b"), ("7-0", b"x"), ("8-0", b"y"), ("9-0", b"z")],
        [("5-0", b"a"), ("6-0", b"c")],
        [("6-0", b"c"), ("7-0", b"d")],
    ],
    ids=["lost", "shorter", "regrown", "longer", "hole", "beheaded"],
)
async def test_a_log_that_went_back_is_read_whole(
    any_store: Store, now: list[tuple[str, bytes]]
) -> None:
    before = [("5-0", b"a"), ("5-1", b"b"), ("6-0", b"c")]
    await replace(any_store, RACE, before)
    known = Position(3, "6-0")
    assert await any_store.log.read(RACE, known) == Tail([], known, False)
    await replace(any_store, RACE, now)
    assert await append(any_store, RACE, known, b"d") == Conflict()
    tail = await any_store.log.read(RACE, known)
    assert tail.whole
    assert [(entry.id, entry.event) for entry in tail.entries] == now
    assert tail.position == (Position(len(now), now[-1][0]) if now else START)
    assert isinstance(await append(any_store, RACE, tail.position, b"d"), Appended)


async def test_an_entry_of_somebody_else_has_no_event(any_store: Store) -> None:
    key = keys.log(RACE)
    await any_store.nodes.call(key, "XADD", key, "*", "other", "field")
    assert await events(any_store, RACE) == [b""]


# Laws.

fresh = itertools.count(1000)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["right", "old", "long"]),
            st.lists(st.text(max_size=20).map(str.encode), min_size=1, max_size=6),
        ),
        max_size=12,
    )
)
async def test_a_log_is_what_was_acknowledged(
    store: Store, steps: list[tuple[str, list[bytes]]]
) -> None:
    name = race(next(fresh))
    model: list[bytes] = []
    positions = [START]
    for kind, written in steps:
        now = positions[-1]
        expected = {
            "right": now,
            "old": positions[0],
            "long": Position(now.length + 1, now.last),
        }[kind]
        result = await append(store, name, expected, *written)
        assert isinstance(result, Appended) == (expected == now)
        if isinstance(result, Appended):
            model += written
            positions.append(result.position)
            assert result.position.length == len(model)
    assert await events(store, name) == model
    for position in positions:
        tail = await store.log.read(name, position)
        assert [e.event for e in tail.entries] == model[position.length :]
        assert not tail.whole

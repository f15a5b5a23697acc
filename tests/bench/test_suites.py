"""Every suite of the bench runs, with hardly anything to measure."""

import dataclasses
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench import growth, idle, moves, paced, reference, starts, startup
from bench.__main__ import Suite, app
from bench.growth import Store
from bench.moves import Load, Result
from bench.prepared import PreparedGame, prepare
from bench.wire import WireError
from typer.testing import CliRunner


pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="It reads what Linux counts."
)


@pytest.fixture(autouse=True)
def same_cpus() -> Iterator[None]:
    """The load generator keeps to one of them."""
    cpus = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, cpus)


def measured(result: Result) -> None:
    assert result.moves > 0
    assert result.errors == []
    assert result.server_us > 0 and result.store_us > 0
    assert 0 < result.p50_ms <= result.p99_ms <= result.p999_ms
    assert result.slowest_seat >= 1


@pytest.mark.parametrize("codec", ["json", "msgpack"])
async def test_moves(codec: str) -> None:
    load = Load(4, per_race=2, subprotocol=f"samedeal.v1+{codec}", games=1)
    measured(await moves.measure(load))


async def test_a_wrong_server_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def other_answers(*args: Any, **options: Any) -> list[PreparedGame]:
        games = prepare(*args, **options)
        return [dataclasses.replace(g, patches=g.patches[::-1]) for g in games]

    monkeypatch.setattr(moves, "prepare", other_answers)
    with pytest.raises(WireError, match="where .* was expected"):
        await moves.measure(Load(2, games=1))


async def test_paced() -> None:
    result, disk_p99_ms = await paced.measure(seats=2, games=1, rate=60)
    measured(result)
    assert disk_p99_ms > 0


async def test_idle() -> None:
    row = await idle.measure(players=60, seconds=0.2)
    assert row["players"] == 60
    assert row["tasks more"] == row["lost"] == 0


async def test_starts() -> None:
    row = await starts.measure(races=6, at_once=3)
    assert row["races"] == 6
    assert row["server us"] != 0 and row["store us"] != 0


async def test_startup() -> None:
    row = await startup.measure(races=3, times=1)
    assert row["finished races"] == 3 and row["median s"] != 0


async def test_growth() -> None:
    stores = [Store(), Store(folded=30, streams=30)]
    rows = await growth.measure(stores, Load(2, games=1), rounds=1)
    assert [row["errors"] for row in rows] == [0, 0, 0]
    assert isinstance(rows[1]["bytes folded"], float)
    assert isinstance(rows[1]["bytes stream"], float)
    assert 0 < rows[1]["bytes folded"] < rows[1]["bytes stream"]


def test_the_reference_leaves_a_process_where_it_was() -> None:
    cpus = os.sched_getaffinity(0)
    row = reference.beside(lambda: {"figure": 1})
    assert row["figure"] == 1 and row["reference ms"] != 0
    assert os.sched_getaffinity(0) == cpus


def test_the_command_names_all_suites(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["--help"])
    assert shown.exit_code == 0
    assert all(suite.value in shown.output for suite in Suite)

"""Every scenario in its short form; `python -m tests.faults --long` is the long one."""

import asyncio
from pathlib import Path

import pytest
from tests.faults.crowd import Row
from tests.faults.scenarios.all import SHORT, WAITING
from tests.faults.table import details, line


def assert_good(row: Row) -> None:
    assert row.good, "\n".join([line(row), *details(row)])


@pytest.mark.parametrize("name", [name for name in SHORT if name not in WAITING])
async def test_nothing_is_lost_or_doubled(name: str, tmp_path: Path) -> None:
    assert_good(await SHORT[name](tmp_path))


async def test_nothing_is_lost_while_the_store_is_away(tmp_path: Path) -> None:
    rows = await asyncio.gather(*(SHORT[name](tmp_path / name) for name in WAITING))
    for row in rows:
        assert_good(row)

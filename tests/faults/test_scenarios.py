"""Every scenario in its short form; `python -m tests.faults --long` is the long one."""

import asyncio
from itertools import chain
from pathlib import Path

import pytest
from tests.faults.scenarios.all import LONG, SHORT, TOGETHER
from tests.faults.table import details, line


@pytest.mark.parametrize("names", TOGETHER.values(), ids=TOGETHER.keys())
async def test_nothing_is_lost_or_doubled(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    rows = await asyncio.gather(*(SHORT[name](tmp_path / name) for name in names))
    bad = [row for row in rows if not row.good]
    assert not bad, "\n".join("\n".join([line(row), *details(row)]) for row in bad)


def test_each_is_run_in_both_forms() -> None:
    assert sorted(chain(*TOGETHER.values())) == sorted(SHORT)
    assert SHORT.keys() <= LONG.keys()

"""What finished races cost the next move: CPU, memory, and bytes in the store."""

import pathlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from bench import filling, moves, reference
from bench.filling import Filled
from bench.moves import Load, Result
from bench.tables import Row


@dataclass(frozen=True)
class Store:
    """Finished races that are there beforehand: folded, and still as streams."""

    folded: int = 0
    streams: int = 0


STORES = (Store(), Store(folded=10_000), Store(folded=100_000), Store(streams=10_000))


@dataclass(frozen=True)
class _Run:
    """One run of the load.

    Attributes:
        cost: CPU time a move, store included, in times of a fixed loop's.
    """

    result: Result
    cost: float


async def measure(
    stores: Sequence[Store] = STORES, load: Load | None = None, rounds: int = 3
) -> list[Row]:
    """The same load on each store in turn, several rounds; the first is compared to.

    The cheapest run of each counts, since whatever else the machine does makes a
    run dearer and never cheaper; a last row has the first store's own spread.
    """
    load = load or Load(400, games=2)
    with tempfile.TemporaryDirectory() as folder:
        data = [pathlib.Path(folder) / str(number) for number in range(len(stores))]
        filled = [
            await filling.fill(where, folded=store.folded, streams=store.streams)
            for where, store in zip(data, stores, strict=True)
        ]
        runs: list[list[_Run]] = [[] for _ in stores]
        for _ in range(rounds):
            for where, some in zip(data, runs, strict=True):
                some.append(await _run(load, where))
    best = [min(some, key=lambda run: run.cost) for some in runs]
    dearest = max(run.cost for run in runs[0])
    rows = [
        _row(store, what, run, run.cost / best[0].cost)
        for store, what, run in zip(stores, filled, best, strict=True)
    ]
    return [
        *rows,
        {**rows[0], "races": "(its dearest)", "ratio": dearest / best[0].cost},
    ]


async def _run(load: Load, data: pathlib.Path) -> _Run:
    """On a copy, so that every round finds the same store."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "data"
        shutil.copytree(data, copy)
        before = reference.loop_ms()
        result = await moves.measure(load, data=copy)
        loop_ms = (before + reference.loop_ms()) / 2
    return _Run(result, (result.server_us + result.store_us) / loop_ms)


def _row(store: Store, filled: Filled, run: _Run, ratio: float) -> Row:
    result = run.result
    return {
        "races": f"{store.folded:,} folded, {store.streams:,} streams",
        "moves": result.moves,
        "server us": result.server_us,
        "store us": result.store_us,
        "ratio": ratio,
        "server MiB": result.server_kib / 1024,
        "store MiB": result.store_kib / 1024,
        "bytes folded": filled.folded_bytes,
        "bytes stream": filled.stream_bytes,
        "AOF MiB": filled.aof_bytes / 1024**2,
        "errors": len(result.errors),
    }

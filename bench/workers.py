"""What a move costs with two workers, against one: both on CPUs 0 and 1, as the load."""

import statistics

import uvloop

from bench import moves
from bench.moves import Load, Result
from bench.tables import Row


_CPUS = "0,1"
# A shared machine changes from minute to minute: each is measured in turn.
_ROUNDS = 5


def measure() -> list[Row]:
    """A row for each measurement, then the medians, and two against one."""
    results: dict[int, list[Result]] = {1: [], 2: []}
    rows: list[Row] = []
    for _ in range(_ROUNDS):
        for workers, before in results.items():
            result = _measure(workers)
            before.append(result)
            rows.append(_row(f"{workers}", [result]))
    one, two = (_row(f"{workers}, median", results[workers]) for workers in results)
    ratio = {name: _ratio(two[name], one[name]) for name in one}
    return [*rows, one, two, {**ratio, "workers": "two to one", "errors": ""}]


def _measure(workers: int) -> Result:
    load = Load(400)
    options = ("--workers", str(workers))
    return uvloop.run(moves.measure(load, *options, cpus=_CPUS, own_cpus=_CPUS))


def _row(workers: str, results: list[Result]) -> dict[str, object]:
    def median(name: str) -> float:
        return statistics.median([float(getattr(r, name)) for r in results])

    server, store = median("server_us"), median("store_us")
    return {
        "workers": workers,
        "moves/s": median("moves_per_s"),
        "server us": server,
        "store us": store,
        "both us": server + store,
        "p50 ms": median("p50_ms"),
        "p99 ms": median("p99_ms"),
        "slowest seat": median("slowest_seat"),
        "server MiB": median("server_kib") / 1024,
        "errors": sum(len(result.errors) for result in results),
    }


def _ratio(two: object, one: object) -> object:
    return two / one if isinstance(two, float) and isinstance(one, float) else ""

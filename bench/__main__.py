"""`python -m bench`: all measurements, or those named.

The server and its embedded store run on CPU 0, the load on CPU 1, with limits
off. Figures are CPU time by the kernel's accounting where they can be: a
shared machine's wall time says more about its other users.
"""

import dataclasses
import enum
import json
import pathlib
import tempfile
from typing import Annotated

import typer
import uvloop
from rich.console import Console

from bench import machine, moves, replays, tables, workers
from bench.moves import Load, Result


app = typer.Typer(add_completion=False, rich_markup_mode=None)
console = Console(width=150)

JSON, MSGPACK = "samedeal.v1+json", "samedeal.v1+msgpack"


class Suite(enum.StrEnum):
    moves = "moves"
    paced = "paced"
    replay = "replay"
    workers = "workers"


@app.command()
def main(
    suites: Annotated[
        list[Suite] | None, typer.Argument(help="All by default.")
    ] = None,
    seats: Annotated[list[int] | None, typer.Option(help="Seats at a time.")] = None,
    output: Annotated[pathlib.Path, typer.Option("-o", help="JSON goes here.")] = (
        pathlib.Path("bench.json")
    ),
) -> None:
    """Measure, print one table for each suite, and write all figures as JSON."""
    figures: dict[str, list[tables.Row]] = {}
    for suite in suites or list(Suite):
        rows = _run(suite, seats or [100, 400, 1000])
        tables.show(suite.value, rows, console)
        figures[suite.value] = rows
    output.write_text(json.dumps(figures, indent=1) + "\n")
    console.print(f"All figures are in {output}.")


def _run(suite: Suite, seats: list[int]) -> list[tables.Row]:
    match suite:
        case Suite.moves:
            loads = [Load(number) for number in seats]
            loads += [Load(seats[-1], per_race=4), Load(400, subprotocol=MSGPACK)]
            return [_row(_measure(load)) for load in loads]
        case Suite.paced:
            return _paced()
        case Suite.replay:
            return [dataclasses.asdict(rate) for rate in replays.measure()]
        case Suite.workers:
            return workers.measure()


def _paced() -> list[tables.Row]:
    """Two moves a second a seat, at half of what saturates; the disk beside it."""
    top = _measure(Load(400))
    half = Load(int(top.moves_per_s / 2 / 2), rate=2.0, games=1)
    with tempfile.TemporaryDirectory() as folder:
        disk = machine.fsync_ms(pathlib.Path(folder))
    row = {**_row(_measure(half)), "disk p99 ms": moves.percentile(disk, 0.99)}
    return [row]


def _measure(load: Load) -> Result:
    return uvloop.run(moves.measure(load))


def _row(result: Result) -> dict[str, object]:
    load = result.load
    return {
        "load": f"{load.seats} seats, {load.per_race} a race",
        "codec": load.subprotocol.rpartition("+")[2],
        "moves": result.moves,
        "moves/s": result.moves_per_s,
        "server us": result.server_us,
        "store us": result.store_us,
        "p50 ms": result.p50_ms,
        "p99 ms": result.p99_ms,
        "p99.9 ms": result.p999_ms,
        "slowest seat": result.slowest_seat,
        "patch bytes": result.patch_bytes,
        "server MiB": result.server_kib / 1024,
        "store MiB": result.store_kib / 1024,
        "errors": len(result.errors),
    }


if __name__ == "__main__":
    app()

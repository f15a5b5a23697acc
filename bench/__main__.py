"""`python -m bench`: all measurements, or those named.

The server and its embedded store run on CPU 0, the load on CPU 1, with limits
off. Figures are CPU time by the kernel's accounting where they can be: a
shared machine's wall time says more about its other users. "reference ms" is what a fixed
loop took just before and after: figures of different moments compare by it.
"""

import dataclasses
import enum
import json
import pathlib
from collections.abc import Coroutine
from typing import Annotated, Any

import typer
import uvloop
from rich.console import Console

from bench import (
    growth,
    idle,
    moves,
    paced,
    reference,
    replays,
    starts,
    startup,
    tables,
    workers,
)
from bench.moves import Load, Result


app = typer.Typer(add_completion=False, rich_markup_mode=None)
console = Console(width=170)

JSON, MSGPACK = "samedeal.v1+json", "samedeal.v1+msgpack"


class Suite(enum.StrEnum):
    moves = "moves"
    paced = "paced"
    replay = "replay"
    idle = "idle"
    starts = "starts"
    startup = "startup"
    growth = "growth"
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
    if any(row.get("errors") for rows in figures.values() for row in rows):
        console.print("There were errors: the figures do not count.")
        raise typer.Exit(1)


def _run(suite: Suite, seats: list[int]) -> list[tables.Row]:
    match suite:
        case Suite.moves:
            most = seats[-1]
            loads = [Load(number, games=_games(number)) for number in seats]
            some = min(400, most)
            loads += [
                Load(most, per_race=4),
                Load(some, subprotocol=MSGPACK, games=_games(some)),
            ]
            return [_beside(_moves(load)) for load in loads]
        case Suite.paced:
            return [_beside(_paced(seats[-1]))]
        case Suite.replay:
            return [dataclasses.asdict(rate) for rate in replays.measure()]
        case Suite.idle:
            return [_beside(idle.measure())]
        case Suite.starts:
            return [_beside(starts.measure())]
        case Suite.startup:
            return [_beside(startup.measure(races)) for races in (0, 1000, 100_000)]
        case Suite.growth:
            return uvloop.run(growth.measure())
        case Suite.workers:
            return workers.measure()


def _games(seats: int) -> int:
    """So many that it takes some seconds: a shared machine has moods that last one."""
    return max(4, 4000 // seats)


def _beside(work: Coroutine[Any, Any, tables.Row]) -> tables.Row:
    return reference.beside(lambda: uvloop.run(work))


async def _moves(load: Load) -> tables.Row:
    return _row(await moves.measure(load))


async def _paced(seats: int) -> tables.Row:
    result, disk_p99_ms = await paced.measure(seats)
    return {**_row(result), "disk p99 ms": disk_p99_ms}


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

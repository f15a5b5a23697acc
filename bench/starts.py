"""What it costs to start a race: create, ready, and the first view of the board."""

import asyncio
import pathlib
import random
import tempfile
import time

import msgspec

from bench import machine
from bench.moves import percentile
from bench.tables import Row
from bench.wire import Wire, WireError
from samedeal_games import deal, find_variant, left, status, view
from samedeal_protocol import updates
from samedeal_protocol.codec import JSON


_GAME, _VARIANT = "simple-pairs", "standard"


async def measure(races: int = 1000, at_once: int = 50) -> Row:
    """Start so many races of one seat, each by a player of its own.

    Raises:
        WireError: a board is not the one of the race's deal.
    """
    chance = random.Random(3)
    seeds = [chance.randbytes(16) for _ in range(races)]
    with (
        tempfile.TemporaryDirectory() as folder,
        machine.server(pathlib.Path(folder)) as server,
    ):
        machine.stay_on("1")
        wires = [await _arrive(server.port) for _ in seeds]
        times: list[float] = []
        waiting = list(zip(wires, seeds, strict=True))
        cpu_before, began = server.cpu_s(), time.perf_counter()
        await asyncio.gather(*(_start_some(waiting, times) for _ in range(at_once)))
        seconds, cpu_after = time.perf_counter() - began, server.cpu_s()
        server_kib, store_kib = server.memory_kib()
        for wire in wires:
            wire.close()
    times.sort()
    return {
        "races": races,
        "at once": at_once,
        "races/s": races / seconds,
        "server us": 1e6 * (cpu_after[0] - cpu_before[0]) / races,
        "store us": 1e6 * (cpu_after[1] - cpu_before[1]) / races,
        "p50 ms": percentile(times, 0.5),
        "p99 ms": percentile(times, 0.99),
        "server MiB": server_kib / 1024,
        "store MiB": store_kib / 1024,
    }


async def _start_some(waiting: list[tuple[Wire, bytes]], times: list[float]) -> None:
    while waiting:
        wire, seed = waiting.pop()
        began = time.perf_counter()
        race, board = await _start(wire, seed)
        times.append((time.perf_counter() - began) * 1000)
        expected = _board(race, seed)
        if not board.startswith(expected):
            raise WireError(f"{board!r} where {expected!r} was expected")


async def _arrive(port: int) -> Wire:
    wire = await Wire.connect(port, "samedeal.v1+json")
    wire.send(b'{"type":"hello","name":"Starter","id":1}')
    await _until(wire, b'{"type":"welcome"')
    return wire


async def _start(wire: Wire, seed: bytes) -> tuple[str, bytes]:
    """The race's id, and the frame with its board."""
    create = {
        "type": "create",
        "id": 2,
        "game": _GAME,
        "variant": _VARIANT,
        "seats": 1,
        "seed": seed.hex(),
        "countdown_ms": 0,
    }
    wire.send(msgspec.json.encode(create))
    race = str(msgspec.json.decode(await _until(wire, b'{"type":"joined"'))["race"])
    wire.send(msgspec.json.encode({"type": "ready", "race": race, "id": 3}))
    return race, await _until(wire, b'{"type":"view"')


async def _until(wire: Wire, beginning: bytes) -> bytes:
    while not (message := await wire.receive()).startswith(beginning):
        if message.startswith(b'{"type":"error"'):
            raise WireError(message.decode(errors="replace"))
    return message


def _board(race: str, seed: bytes) -> bytes:
    """How the frame with the deal's board begins; what follows is the time."""
    state = deal(find_variant(_GAME, _VARIANT), seed)
    first = updates.View(
        race=race,
        seat=0,
        turn=0,
        piles=view(state),
        left=left(state),
        status=status(state),  # type: ignore[arg-type]
        elapsed_ms=0,
    )
    return JSON.encode(first)[:-2]

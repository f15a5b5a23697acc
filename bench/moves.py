"""How much a durable move costs, and how long its answer takes."""

import asyncio
import contextlib
import gc
import itertools
import pathlib
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from bench import machine
from bench.prepared import PreparedGame, prepare
from bench.wire import Wire, WireError
from samedeal_protocol.codec import CODECS, Codec


# The same id twice within a minute would be the same race again.
_numbers = itertools.count()

_NEWS = [
    frame
    for kind in ("race", "progress", "view")
    for frame in (
        b'"type":"%s"' % kind.encode(),
        msgspec.msgpack.encode({"type": kind})[1:],
    )
]
"""How such updates begin, in either codec."""


@dataclass(frozen=True)
class Load:
    """What is asked of the server.

    Attributes:
        seats: how many play at the same time, each on a connection of its own.
        per_race: seats of one race.
        rate: moves a second of each seat; 0 for as fast as they are answered.
        seconds: how long a paced load lasts; a saturating one ends with its games.
        games: races that each seat plays one after another.
    """

    seats: int
    per_race: int = 1
    subprotocol: str = "samedeal.v1+json"
    game: str = "simple-pairs"
    variant: str = "standard"
    rate: float = 0.0
    games: int = 4


@dataclass
class Result:
    """What came of it; times in ms, CPU in µs a move."""

    load: Load
    moves: int = 0
    seconds: float = 0.0
    moves_per_s: float = 0.0
    server_us: float = 0.0
    store_us: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    p999_ms: float = 0.0
    patch_bytes: float = 0.0
    slowest_seat: float = 0.0
    server_kib: int = 0
    store_kib: int = 0
    errors: list[str] = field(default_factory=list)


class _Race:
    """A started race of one seat or several, ready to be played."""

    def __init__(self, race: str, game: PreparedGame, seat: int) -> None:
        self.id = race
        self.sent, self.patches = game.for_race(race)
        if seat:
            self.patches = [_for_seat(patch, seat) for patch in self.patches]


class _Seat:
    """Plays its races on one connection, checking every answer."""

    def __init__(self, wire: Wire, result: Result) -> None:
        self.races: list[_Race] = []
        self.latencies: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wire = wire
        self._result = result
        self._race = self._turn = 0
        self._asked_s = 0.0
        self._loop = asyncio.get_running_loop()
        self._next = 0.0
        wire.on_message = self._heard

    def start(self, delay_s: float) -> None:
        self._next = self._loop.time() + delay_s
        self._loop.call_later(delay_s, self._ask)

    def close(self) -> None:
        self._wire.close()

    def _ask(self) -> None:
        self._asked_s = time.perf_counter()
        self._wire.send(self.races[self._race].sent[self._turn])

    def _heard(self, payload: bytes) -> None:
        if self.done.done():
            return
        race = self.races[self._race]
        expected = race.patches[self._turn]
        if not payload.startswith(expected):
            if _is_news(payload):
                return
            self._fail(payload, expected)
            return
        self.latencies.append(time.perf_counter() - self._asked_s)
        self._result.patch_bytes += len(payload)
        self._turn += 1
        if self._turn == len(race.patches):
            self._race, self._turn = self._race + 1, 0
            if self._race == len(self.races):
                if not self.done.done():
                    self.done.set_result(None)
                return
        rate = self._result.load.rate
        if not rate:
            self._ask()
            return
        self._next += 1 / rate
        self._loop.call_at(max(self._next, self._loop.time()), self._ask)

    def _fail(self, payload: bytes, expected: bytes) -> None:
        error = f"{payload[:200]!r} where {expected[:200]!r} was expected"
        self._result.errors.append(error)
        if not self.done.done():
            self.done.set_exception(WireError(error))


async def measure(
    load: Load,
    *options: str,
    data: pathlib.Path | None = None,
    cpus: str = "0",
    own_cpus: str = "1",
) -> Result:
    """Run a load against a server of its own, started with these options.

    Args:
        data: where its store is; an empty one of its own where nothing is given.
        cpus: of the server and its store.
        own_cpus: of the load.
    """
    with contextlib.ExitStack() as stack:
        if data is None:
            data = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(machine.server(data, *options, cpus=cpus))
        machine.stay_on(own_cpus)
        return await _run(load, server)


async def _run(load: Load, server: machine.Server) -> Result:
    result = Result(load)
    codec = CODECS[load.subprotocol]
    seats = await _set_up(server, load, codec, result)
    # What was prepared stays; looking through it for garbage would take a while.
    gc.collect()
    gc.freeze()
    try:
        cpu_before, began = server.cpu_s(), time.perf_counter()
        # Ends of games cost more than moves, so they are not to come all at once: a
        # paced load starts over as long as a game lasts, and stops likewise.
        turns = max(len(seat.races[0].patches) for seat in seats)
        spread = turns / load.rate if load.rate else 0.0
        for number, seat in enumerate(seats):
            seat.start(spread * number / len(seats))
        await asyncio.gather(*(seat.done for seat in seats))
        result.seconds = time.perf_counter() - began
        cpu_after = server.cpu_s()
        result.server_kib, result.store_kib = server.memory_kib()
        await _verify(server, seats, result)
    finally:
        gc.unfreeze()
        for seat in seats:
            seat.close()
    _sum_up(result, seats, cpu_before, cpu_after)
    return result


async def _set_up(
    server: machine.Server, load: Load, codec: Codec, result: Result
) -> list[_Seat]:
    games = prepare(load.game, load.variant, codec, 40, seed=7)
    wires = [
        await Wire.connect(server.port, load.subprotocol) for _ in range(load.seats)
    ]
    for wire in wires:
        await _ask(wire, codec, type="hello")
    seats: list[_Seat] = []
    for start in range(0, load.seats, load.per_race):
        group = wires[start : start + load.per_race]
        races = [
            await _start_race(group, codec, load, games[(start + n) % len(games)])
            for n in range(load.games)
        ]
        for number, wire in enumerate(group):
            seat = _Seat(wire, result)
            seat.races = [_Race(race, game, number) for race, game in races]
            seats.append(seat)
    return seats


async def _start_race(
    group: Sequence[Wire], codec: Codec, load: Load, game: PreparedGame
) -> tuple[str, PreparedGame]:
    host, *others = group
    joined = await _ask(
        host,
        codec,
        type="create",
        game=load.game,
        variant=load.variant,
        seats=len(group),
        seed=game.seed.hex(),
        countdown_ms=0,
        time_limit_ms=3_600_000,
    )
    race = str(joined["race"])
    for other in others:
        await _ask(other, codec, type="join", race=race)
    for wire in group:
        wire.send(_encode(codec, {"type": "ready", "race": race}))
    for wire in group:
        while b"view" not in (message := await wire.receive())[:20]:
            if b'"error"' in message:
                raise WireError(message.decode(errors="replace"))
    return race, game


async def _ask(wire: Wire, codec: Codec, **fields: object) -> dict[str, object]:
    """Send a command and return what answers it, by its id."""
    number = next(_numbers)
    wire.send(_encode(codec, {**fields, "id": number}))
    while True:
        message = _decode(codec, await wire.receive())
        if message.get("re") == number:
            if message["type"] == "error":
                raise WireError(str(message))
            return message


async def _verify(
    server: machine.Server, seats: Sequence[_Seat], result: Result
) -> None:
    """A fast wrong server must not pass: every log, as the server serves it."""
    # Imported here, as it is the server's own half of the command.
    from samedeal_cli.verification import verify

    races = {race.id for seat in seats for race in seat.races}
    for race in sorted(races):
        log = await asyncio.to_thread(_fetch, server.port, race)
        report = verify(log)
        if report.faults:
            result.errors.append(f"race {race}: {report.faults}")


def _fetch(port: int, race: str) -> bytes:
    import urllib.request

    url = f"http://127.0.0.1:{port}/races/{race}/log.jsonl"
    with urllib.request.urlopen(url, timeout=10) as answer:
        body: bytes = answer.read()
    return body


def _sum_up(
    result: Result,
    seats: Sequence[_Seat],
    before: tuple[float, float],
    after: tuple[float, float],
) -> None:
    times = sorted(t * 1000 for seat in seats for t in seat.latencies)
    moves = result.moves = len(times)
    result.moves_per_s = moves / result.seconds
    result.server_us = 1e6 * (after[0] - before[0]) / moves
    result.store_us = 1e6 * (after[1] - before[1]) / moves
    result.p50_ms = percentile(times, 0.5)
    result.p99_ms = percentile(times, 0.99)
    result.p999_ms = percentile(times, 0.999)
    result.patch_bytes /= moves
    means = [statistics.fmean(seat.latencies) for seat in seats]
    result.slowest_seat = max(means) / statistics.median(means)


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of the ordered values lie."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _is_news(payload: bytes) -> bool:
    """Of another seat, or of the race: not an answer."""
    head = payload[:24]
    return any(kind in head for kind in _NEWS)


def _for_seat(patch: bytes, seat: int) -> bytes:
    """The answer to another seat than the first."""
    if b'"seat":0' in patch:
        return patch.replace(b'"seat":0', b'"seat":%d' % seat, 1)
    return patch.replace(b"\xa4seat\x00", b"\xa4seat" + bytes((seat,)), 1)


def _encode(codec: Codec, message: dict[str, object]) -> bytes:
    encode = msgspec.json.encode if codec.text else msgspec.msgpack.encode
    return encode(message)


def _decode(codec: Codec, payload: bytes) -> dict[str, object]:
    decode = msgspec.json.decode if codec.text else msgspec.msgpack.decode
    message: dict[str, object] = decode(payload)
    return message

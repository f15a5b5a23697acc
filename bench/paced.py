"""Latency when the server is half busy, beside what the disk needs for a sync."""

import pathlib
import tempfile

from bench import machine, moves
from bench.moves import Load, Result, percentile


async def measure(
    seats: int = 1000, games: int = 2, rate: float = 2.0
) -> tuple[Result, float]:
    """Half of what about as many seats come to that move as fast as they can.

    How many is guessed from what `seats` come to. The thousands that are paced come
    to less at their best, as they do not fit into caches: half of what few come to
    would be all that many can.

    Seats start and stop over as long as a game lasts, so that it is half for all
    games but one.

    Args:
        rate: moves a second of each seat; there are as many seats as it takes.

    Returns:
        What came of it, and the disk's own 99th percentile for a sync (ms), measured
        just before and after, since it cannot be without being in the way.
    """
    few = await moves.measure(Load(seats, games=games))
    many = await moves.measure(Load(_half(few, rate), games=1))
    number = _half(many, rate)
    with tempfile.TemporaryDirectory() as folder:
        disk = machine.fsync_ms(pathlib.Path(folder))
        result = await moves.measure(Load(number, rate=rate, games=games))
        disk += machine.fsync_ms(pathlib.Path(folder))
    result.errors += few.errors + many.errors
    return result, percentile(sorted(disk), 0.99)


def _half(top: Result, rate: float) -> int:
    """So many seats at this rate come to half of it."""
    return max(1, int(top.moves_per_s / 2 / rate))

"""Latency when the server is half busy, beside what the disk needs for a sync."""

import pathlib
import tempfile

from bench import machine, moves
from bench.moves import Load, Result, percentile


async def measure(
    seats: int = 1000, games: int = 2, rate: float = 2.0
) -> tuple[Result, float]:
    """Half of what `seats` come to that move as fast as they can.

    Seats start and stop over as long as a game lasts, so that it is half for all
    games but one.

    Args:
        rate: moves a second of each seat; there are as many seats as it takes.

    Returns:
        What came of it, and the disk's own 99th percentile for a sync (ms), measured
        just before and after, since it cannot be without being in the way.
    """
    top = await moves.measure(Load(seats, games=games))
    number = max(1, int(top.moves_per_s / 2 / rate))
    with tempfile.TemporaryDirectory() as folder:
        disk = machine.fsync_ms(pathlib.Path(folder))
        result = await moves.measure(Load(number, rate=rate, games=games))
        disk += machine.fsync_ms(pathlib.Path(folder))
    result.errors += top.errors
    return result, percentile(sorted(disk), 0.99)

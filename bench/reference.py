"""How fast the machine is at this moment: what other figures can be divided by.

On a machine that others use, too, the same work costs more CPU time in one minute
than in the next, since caches and clock rates are shared.
"""

import os
import statistics
import time
from collections.abc import Callable

from bench.tables import Row


_LOOP = 400_000
_CPU = {0}


def loop_ms() -> float:
    """CPU time of a fixed loop of Python on the CPU where servers are measured."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    if allowed is not None:
        os.sched_setaffinity(0, _CPU)
    try:
        return statistics.median(_once() for _ in range(5))
    finally:
        if allowed is not None:
            os.sched_setaffinity(0, allowed)


def beside(measure: Callable[[], Row]) -> Row:
    """The row with this reference, just before and after, and the load average."""
    before = loop_ms()
    row = measure()
    load = os.getloadavg()[0]
    return {**row, "reference ms": (before + loop_ms()) / 2, "load avg": load}


def _once() -> float:
    began = time.process_time()
    known: dict[int, int] = {}
    for number in range(_LOOP):
        known[number & 1023] = known.get(number & 511, 0) + number
    return (time.process_time() - began) * 1000

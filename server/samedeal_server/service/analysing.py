"""The process that looks back on one race.

`python -m samedeal_server.service.analysing SECONDS` reads the log of a race that is over,
in file form, and writes what it finds as soon as it has it: first a line with the
`analysis` update without any seat, then a line a seat. It runs at the lowest priority
and ends after so many seconds at the latest, whatever became of who asked.
"""

import os
import signal
import sys

import msgspec

from samedeal_games import MAX_NODES
from samedeal_protocol import logfile
from samedeal_protocol.codec import decode_event
from samedeal_server.race.analysis import (
    best_line,
    chance,
    told_of_deal,
    told_of_seat,
)
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import replay


def main() -> None:
    """Look back on the race whose log comes in."""
    signal.alarm(int(sys.argv[1]))
    os.nice(19)
    race = _race_of(sys.stdin.buffer.read())
    deal = best_line(race, MAX_NODES)
    _write(told_of_deal(race, deal))
    for seat in race.taken:
        _write(told_of_seat(seat, chance(race, seat, deal, MAX_NODES)))


def _race_of(data: bytes) -> Race:
    entries = logfile.read(data).entries
    race = replay((decode_event(entry.event), entry.at_ms) for entry in entries)
    assert race is not None
    return race


def _write(found: msgspec.Struct) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

"""`python -m tests.faults`: every scenario, and one table of what came of it.

python -m tests.faults            the short form, as the tests run it
python -m tests.faults --long     the long form, about half an hour
python -m tests.faults --long server valkey
"""

import argparse
import asyncio
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.faults.scenarios.all import LONG, SHORT, Scenario
from tests.faults.table import HEADER, details, line


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--long", action="store_true", help="many more faults")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(LONG))
    chosen = parser.parse_args()
    scenarios = LONG if chosen.long else SHORT
    for name in chosen.names:
        if name not in scenarios:
            parser.error(f"there is no {name!r}; there are {', '.join(scenarios)}")
    print(HEADER, flush=True)
    good = True
    for name in chosen.names or scenarios:
        good &= _run(name, scenarios[name])
    print("All good." if good else "Something was lost, doubled or wrong.")
    return 0 if good else 1


def _run(name: str, scenario: Scenario) -> bool:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="samedeal-faults-") as folder:
        try:
            row = asyncio.run(scenario(Path(folder)))
        except (AssertionError, OSError, TimeoutError):
            traceback.print_exc()
            print(f"{name} did not come to an end.", flush=True)
            return False
    row.seconds = time.monotonic() - began
    print(line(row), flush=True)
    for detail in details(row):
        print(f"    {detail}")
    return row.good


if __name__ == "__main__":
    sys.exit(main())

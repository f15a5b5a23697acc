"""One of several servers on a port, the process that `workers` starts.

`python -m samedeal_server.worker NODE` is the node of that name on the store. It reads
its job from standard input, for the password in a store's URL is nothing for a list of
processes, prints `ready` once it serves, or why it cannot, and ends in order on SIGTERM.
"""

import asyncio
import logging
import sys

import msgspec
import uvloop

from samedeal_server.app import CannotServe, run
from samedeal_server.settings import Settings
from samedeal_server.store import StoreError


READY = "ready\n"


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is told.

    Attributes:
        settings: of all workers; they have a port and the URL of a store.
        log_level: of what goes to standard error.
    """

    settings: Settings
    log_level: int


def main() -> int:
    """Serve until SIGTERM; the exit status."""
    [node] = sys.argv[1:]
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    logging.basicConfig(
        level=job.log_level,
        format=f"%(asctime)s %(levelname)s {node} %(name)s: %(message)s",
    )
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(run(job.settings, lambda app: _say(READY), node))
    except (CannotServe, StoreError) as error:
        _say(str(error))
        return 1
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

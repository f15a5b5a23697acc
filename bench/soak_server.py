"""An ordinary server that also tells what it holds, when asked: for soak and idle.

`python -m bench.soak_server DATA` prints its address, and a line of JSON with what
is in its memory for each SIGUSR1.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from collections import Counter

import uvloop

from samedeal_server.app import App, run
from samedeal_server.settings import Limits, Settings


def main() -> None:
    """Serve until SIGTERM."""
    logging.basicConfig(
        level=logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    errors = _Errors()
    logging.getLogger().addHandler(errors)
    settings = Settings(
        port=0, data=sys.argv[1], limits=Limits.off(), bot_pace_ms=(5, 40), pool=0
    )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(settings, lambda app: _ready(app, errors)))


class _Errors(logging.Handler):
    """Counts what is logged as an error, but for those of the store that is killed."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += record.name != "samedeal_server.store.embedded"


def _ready(app: App, errors: _Errors) -> None:
    def tell() -> None:
        tasks = Counter(_kind(task) for task in asyncio.all_tasks())
        files = len(os.listdir("/proc/self/fd"))
        races = sum(1 for _ in app.hub)
        holds = {"tasks": tasks.total(), "files": files, "races": races, "of": tasks}
        _say({**holds, "errors": errors.count})

    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, tell)
    _say({"url": app.url})


def _kind(task: asyncio.Task[object]) -> str:
    """What a task is about: its name without numbers, or its coroutine."""
    name = task.get_name()
    if name.startswith("Task-"):
        return getattr(task.get_coro(), "__qualname__", name)
    return name.partition(" ")[0]


def _say(values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

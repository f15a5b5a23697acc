"""Several servers on one port, each a process of its own, for several processors.

The process that was started serves nobody. It has the embedded store, unless there
is another, and looks after the workers, each of them an ordinary node on that store.
The kernel spreads new connections over them (SO_REUSEPORT), and a player's may land
on any. None outlives this process, even when it is killed.
"""

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec
from msgspec.structs import replace

from samedeal_server.app import (
    CannotServe,
    cannot_listen,
    data_directory,
    stop_signal,
    url_of,
)
from samedeal_server.net.port import claim
from samedeal_server.processes.ending import ended_in_order
from samedeal_server.processes.leash import leash_of_platform
from samedeal_server.processes.pauses import Pauses
from samedeal_server.settings import Settings
from samedeal_server.store import StoreSettings, start_embedded
from samedeal_server.worker import READY, Job


logger = logging.getLogger(__name__)

# Of the time for an orderly close; the workers' own share comes to less.
_WORKERS_SHARE = 0.7
_STORE_SHARE = 0.2


class Worker:
    """One of the processes, started again whenever it ends."""

    def __init__(self, node: str, job: Job) -> None:
        self._node = node
        self._job = job
        self._leash = leash_of_platform()
        self._process: Process | None = None
        self._supervisor: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns when it serves.

        Raises:
            CannotServe: it does not; in its own words.
        """
        await self._launch()
        self._supervisor = asyncio.create_task(
            self._supervise(), name=f"watch {self._node}"
        )

    async def stop(self, timeout_s: float) -> None:
        """Ends it in order, or by force after `timeout_s`."""
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.wait([self._supervisor])
        process = self._process
        if not await ended_in_order(process, timeout_s):
            logger.warning(
                "Worker %s did not end within %.1f s and is killed.",
                self._node,
                timeout_s,
            )
            assert process is not None
            process.kill()
            await process.wait()
        await self._leash.release()

    # Private methods.

    async def _launch(self) -> None:
        try:
            process = self._process = await asyncio.create_subprocess_exec(
                # -P: what lies in the working directory is none of its modules.
                *(sys.executable, "-P", "-m", "samedeal_server.worker", self._node),
                stdin=PIPE,
                stdout=PIPE,
                # A Ctrl-C in the terminal is for this process, which then ends it.
                start_new_session=True,
                preexec_fn=self._leash.before_exec,
            )
        except OSError as error:
            raise CannotServe(
                f"Worker {self._node} cannot be started: {error.strerror}."
            ) from None
        await self._leash.hold(process.pid)
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(RuntimeError):  # uvloop's, where it has ended.
            process.stdin.write(msgspec.json.encode(self._job))
            process.stdin.close()
        said = (await process.stdout.readline()).decode()
        if said != READY:
            said += (await process.stdout.read()).decode()
            code = await process.wait()
            raise CannotServe(
                said or f"Worker {self._node} ended ({code}) while it started."
            )

    async def _supervise(self) -> None:
        loop = asyncio.get_running_loop()
        pauses = Pauses()
        while True:
            began = loop.time()
            assert self._process is not None
            code = await self._process.wait()
            ended = loop.time()
            logger.warning(
                "Worker %s ended (%s) and is started again.", self._node, code
            )
            await asyncio.sleep(pauses.after(ended - began))
            try:
                await self._launch()
            except CannotServe as error:
                logger.error("%s", error)
                continue
            logger.warning(
                "Worker %s serves again after %.1f s.", self._node, loop.time() - ended
            )


@contextlib.asynccontextmanager
async def running_workers(settings: Settings) -> AsyncIterator[str]:
    """As many servers as the settings say for as long as the block runs; their URL.

    Raises:
        CannotServe, StoreError: they cannot start; the message says what to do.
    """
    async with contextlib.AsyncExitStack() as stack:
        whole_s = settings.shutdown_s
        if settings.redis:
            names = [StoreSettings().node for _ in range(settings.workers)]
        else:
            # The same after a restart: bots' leases are found again at once.
            names = [f"embedded-{number}" for number in range(settings.workers)]
            embedded = await start_embedded(data_directory(settings))
            stack.push_async_callback(embedded.stop, _STORE_SHARE * whole_s)
            settings = replace(settings, redis=embedded.url)
        try:
            claimed = stack.enter_context(claim(settings.host, settings.port))
        except OSError as error:
            raise cannot_listen(settings, error) from None
        port = int(claimed.getsockname()[1])
        settings = replace(settings, port=port)
        level = logging.getLogger().getEffectiveLevel()
        job = Job(settings=settings, log_level=level)
        workers = [Worker(name, job) for name in names]
        stack.push_async_callback(_stop, workers, _WORKERS_SHARE * whole_s)
        await _start(workers)
        claimed.close()
        yield url_of(settings.host, port)


async def run_workers(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Serve with several processes until SIGTERM or SIGINT.

    Args:
        on_ready: called with the URL when all of them take connections.

    Raises:
        CannotServe, StoreError: they cannot start; the message says what to do.
    """
    stop = stop_signal()
    async with running_workers(settings) as url:
        on_ready(url)
        await stop.wait()
        logger.info("Closing.")


# Private functions.


async def _start(workers: Sequence[Worker]) -> None:
    starts = [worker.start() for worker in workers]
    failures = await asyncio.gather(*starts, return_exceptions=True)
    for failure in failures:
        if failure is not None:
            raise failure  # What keeps one from starting keeps all, as a rule.


async def _stop(workers: Sequence[Worker], timeout_s: float) -> None:
    await asyncio.gather(*(worker.stop(timeout_s) for worker in workers))

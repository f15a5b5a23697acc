"""The one place that puts a server together, and takes it apart."""

import asyncio
import contextlib
import dataclasses
import errno
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import platformdirs

from samedeal_server.deals.drawing import Deals
from samedeal_server.deals.pool import Pool
from samedeal_server.garbage import rarely_collected
from samedeal_server.hub.chores import Chores
from samedeal_server.hub.folding import Folding
from samedeal_server.hub.hub import Hub
from samedeal_server.hub.opponents import Opponents
from samedeal_server.net.entry import Entry
from samedeal_server.net.limits import Addresses
from samedeal_server.net.playing import Playing
from samedeal_server.net.server import WebServer
from samedeal_server.net.services import Services
from samedeal_server.pages import in_large_pages
from samedeal_server.service.advice import Advice
from samedeal_server.service.hindsight import Hindsight
from samedeal_server.service.matching import Matching
from samedeal_server.service.people import People
from samedeal_server.settings import Settings
from samedeal_server.store import (
    EmbeddedStore,
    Store,
    StoreSettings,
    open_store,
    start_embedded,
)


logger = logging.getLogger(__name__)

_PROMISES = {
    "always": "every move is synced to disk before it is confirmed",
    "everysec": "a crash of its machine may lose the last second of moves",
    "none": "it has no append-only file, so moves are lost when it stops",
    "unknown": "whether it keeps moves on disk it does not say",
}


class CannotServe(Exception):
    """The server cannot start; the message says what to do."""


class App:
    """A running server.

    Attributes:
        port: where it listens.
    """

    def __init__(
        self, settings: Settings, store: Store, embedded: EmbeddedStore | None
    ) -> None:
        self.port = 0
        self._settings = settings
        self._store = store
        self._embedded = embedded
        self.hub = Hub(store, settings)
        self._people = People(self.hub, store)
        self._opponents = Opponents(store, settings)
        self._folding = Folding(store)
        self._chores = Chores(self.hub, store, self._opponents, settings)
        self.hub.on_change = self._chores.changed
        self.hub.on_load = self._chores.loaded
        self._pool = Pool(store, settings.pool)
        self._hindsight = Hindsight(self.hub, store, settings)
        self._advice = Advice()
        entry = Entry()
        limits = settings.limits
        self._services = entry.services = Services(
            settings=settings,
            store=store,
            hub=self.hub,
            people=self._people,
            matching=Matching(self.hub, store, Deals(self._pool), settings),
            hindsight=self._hindsight,
            advice=self._advice,
            addresses=Addresses(
                limits.connections_per_address, limits.joins_per_minute
            ),
            entry=entry,
            playing=Playing(settings),
        )
        self._web = WebServer(self._services)

    @property
    def url(self) -> str:
        return url_of(self._settings.host, self.port)

    async def start(self) -> None:
        """Serve.

        Raises:
            CannotServe: the port is taken.
        """
        bells = self._store.bells
        bells.listen(
            self.hub.rang,
            self._people.taken_over,
            self._chores.missed_bells,
            self._chores.people_changed,
        )
        await self._say_what_is_promised()
        try:
            self.port = await self._web.start()
        except OSError as error:
            raise cannot_listen(self._settings, error) from None
        self._people.start()
        self._chores.start()
        self._folding.start()
        self._pool.start()

    async def close(self) -> None:
        """Finish what is under way, say goodbye, and let go of everything."""
        self._services.closing = True
        self._web.stop_accepting()
        # Each step has its share, so that a store that does not answer, or a client,
        # does not keep the rest from being done in time.
        whole_s = self._settings.shutdown_s
        await _at_most(0.3 * whole_s, self.hub.settle())
        await _at_most(0.2 * whole_s, self._web.close())
        await _at_most(0.1 * whole_s, self._end_chores())
        self._advice.close()
        self.hub.close()
        await self._store.aclose()
        if self._embedded is not None:
            await self._embedded.stop(0.2 * whole_s)

    async def _end_chores(self) -> None:
        await asyncio.gather(
            self._pool.close(),
            self._hindsight.close(),
            self._opponents.close(),
            self._chores.close(),
            self._folding.close(),
            self._people.close(),
        )

    async def _say_what_is_promised(self) -> None:
        promise = await self._store.promise()
        level = logging.INFO if promise == "always" else logging.WARNING
        version = self._store.version
        logger.log(level, "Store: %s; %s.", version, _PROMISES[promise])


async def _at_most(seconds: float, work: Coroutine[Any, Any, None]) -> None:
    """Do something for so long, and then leave it."""
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError:
        logger.info("Not all was done within %.1f s of closing.", seconds)


@contextlib.asynccontextmanager
async def running(settings: Settings, node: str = "") -> AsyncIterator[App]:
    """A server for as long as the block runs.

    Args:
        node: its name among the nodes on an outside store; empty for any.

    Raises:
        CannotServe, StoreError: it cannot start; the message says what to do.
    """
    store_settings = StoreSettings(
        keep_days=settings.keep_days, wait_replicas=settings.wait_replicas
    )
    if node:
        store_settings = dataclasses.replace(store_settings, node=node)
    embedded = None
    url = settings.redis
    if not url:
        # The only node there can be: a server that was killed and started again
        # still has its leases, and its bots play on at once.
        store_settings = dataclasses.replace(store_settings, node="embedded")
        embedded = await start_embedded(data_directory(settings))
        url = embedded.url
    try:
        store = await open_store(url, store_settings)
    except BaseException:
        if embedded is not None:
            await embedded.stop()
        raise
    app = App(settings, store, embedded)
    try:
        await app.start()
        yield app
    finally:
        await app.close()


async def run(
    settings: Settings, on_ready: Callable[[App], None], node: str = ""
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        on_ready: called when the server takes connections.
        node: as for `running`.

    Raises:
        CannotServe, StoreError: it cannot start; the message says what to do.
    """
    stop = stop_signal()
    async with running(settings, node) as app, rarely_collected(), in_large_pages():
        # Bots and hints think in threads of this process: with Python's 5 ms the
        # event loop would wait so long for them each time that it wakes.
        sys.setswitchinterval(0.0005)
        on_ready(app)
        await stop.wait()
        logger.info("Closing.")


def stop_signal() -> asyncio.Event:
    """Set when this process gets SIGTERM or SIGINT, from now on."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def url_of(host: str, port: int) -> str:
    """Where a server that listens there is reached, from this machine at least."""
    host = _HERE.get(host, host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


_HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""All addresses are none that a browser can open."""


def cannot_listen(settings: Settings, error: OSError) -> CannotServe:
    """What to say of a port that could not be had."""
    where = f"{settings.host}:{settings.port}"
    # The event loop's own words repeat the address.
    reason = error.strerror or str(error)
    if error.errno is not None and error.errno in errno.errorcode:
        reason = os.strerror(error.errno)
    return CannotServe(f"Cannot listen on {where} ({reason}); {_remedy(error)}")


def data_directory(settings: Settings) -> Path:
    """Where the embedded store keeps its data."""
    return Path(settings.data) if settings.data else default_data()


def _remedy(error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return "is another server running there? Choose another with --port."
        case errno.EACCES:
            return "that port needs privileges; choose another with --port."
        case _:
            return "give an address of this machine with --host."


def default_data() -> Path:
    """Where the embedded store keeps its data when nothing else is said."""
    return Path(platformdirs.user_data_dir("samedeal", appauthor=False))

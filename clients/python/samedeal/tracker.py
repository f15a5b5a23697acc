"""A race that is followed: its mirror, and whoever waits for or reads it."""

import asyncio
import weakref
from collections.abc import Callable

from samedeal.errors import NotInRace, SamedealError
from samedeal.feed import Updates
from samedeal.mirror import Mirror, RaceUpdate
from samedeal_protocol.updates import RaceInfo


class Tracker:
    """One race of one client.

    Args:
        mirror: what is known of it.
        ask_sync: called when the own board has fallen behind.

    Attributes:
        watching: it is watched, not played in.
        error: why nothing more will be heard of it, if so.
    """

    def __init__(self, mirror: Mirror, ask_sync: Callable[["Tracker"], None]) -> None:
        self.mirror = mirror
        self.watching = False
        self.error: SamedealError | None = None
        self._ask_sync = ask_sync
        self._feeds: weakref.WeakSet[Updates] = weakref.WeakSet()
        self._waiters: set[asyncio.Future[None]] = set()
        self._held: list[Callable[[SamedealError | None], None]] = []

    def see(self, update: RaceUpdate) -> None:
        """Take in an update about this race and tell whoever waits for it."""
        was_complete = self.mirror.complete
        if not self.mirror.see(update):
            self.sync()
        for feed in list(self._feeds):
            feed.put(update)
        if self.mirror.complete and not was_complete:
            self._end_feeds(None)
        if isinstance(update, RaceInfo) and not self.watching:
            self._check_seat(update)
        self._changed()

    def sync(self) -> None:
        """Have the server bring the own board up to date."""
        if not self.mirror.behind:
            self.mirror.ask_sync()
            self._ask_sync(self)

    def synced(self) -> None:
        """The `race` that answers a `sync` was seen."""
        self.mirror.see_synced()
        self._changed()

    def end(self, error: SamedealError, *, quietly: bool = False) -> None:
        """Nothing more will be heard of this race, for this reason.

        Whoever waits is given it; whoever reads updates too, unless `quietly`.
        """
        self.error = error
        self._end_feeds(None if quietly else error)
        self._changed()

    def revive(self) -> None:
        """The player is in this race (again)."""
        self.error = None
        self.watching = False

    def watch(self) -> None:
        """The race is followed from outside, unless the player has a seat."""
        self.error = None
        self.watching = self.mirror.seat is None

    def updates(self, limit: int) -> Updates:
        """A new reader of what comes from now on."""
        feed = Updates(limit, self)
        if self.error is not None:
            feed.end(self.error)
        else:
            self._feeds.add(feed)
        return feed

    def when_current(self, act: Callable[[SamedealError | None], None]) -> None:
        """Act once the own board is up to date, or cannot become so (the error)."""
        self._held.append(act)
        self._changed()

    async def until(self, condition: Callable[[Mirror], bool]) -> None:
        """Wait until something holds.

        Raises:
            SamedealError: it cannot come to hold any more.
        """
        while not condition(self.mirror):
            if self.error is not None:
                raise self.error
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            try:
                await waiter
            finally:
                self._waiters.discard(waiter)

    def _changed(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        if self._held and (self.error is not None or not self.mirror.behind):
            held, self._held = self._held, []
            for act in held:
                act(self.error)

    def _end_feeds(self, error: SamedealError | None) -> None:
        for feed in list(self._feeds):
            feed.end(error)
        self._feeds.clear()

    def _check_seat(self, info: RaceInfo) -> None:
        """Notice that the seat was freed: by leaving, or put out by the host."""
        if self.mirror.seat is None and info.phase != "ended":
            self.end(
                NotInRace("You have no seat in this race any more.", race=info.race)
            )

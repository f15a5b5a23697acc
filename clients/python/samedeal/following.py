"""The races that a client follows: whom an update is for, and keeping up to date."""

import asyncio
import logging
import weakref
from collections.abc import Callable

from msgspec import UNSET

from samedeal.errors import NoAnswer, NotInRace, SamedealError, UnknownRace
from samedeal.mirror import Mirror
from samedeal.requests import Answer
from samedeal.tracker import Tracker
from samedeal_protocol.commands import Command, Sync, Watch
from samedeal_protocol.updates import (
    Joined,
    Patch,
    Progress,
    RaceInfo,
    Update,
    View,
)


logger = logging.getLogger(__name__)

_SYNC_RETRY = 1.0

Send = Callable[
    [Sync | Watch, Callable[[Answer], None], Callable[[SamedealError], None]], None
]
"""Sends a command before all others: (command, on its answer, on its failing)."""


class Following:
    """Trackers by race. A race is followed for as long as somebody holds it.

    Args:
        send: how a `sync` is sent.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._connected = False
        self._trackers: weakref.WeakValueDictionary[str, Tracker] = (
            weakref.WeakValueDictionary()
        )

    def get(self, race: str | None) -> Tracker | None:
        """The tracker of a race, if it is followed."""
        return None if race is None else self._trackers.get(race)

    def follow(self, race: str, player: str) -> Tracker:
        """Follow a race from now on, or go on with it."""
        tracker = self._trackers.get(race)
        if tracker is None:
            tracker = Tracker(Mirror(race, player), self._sync)
            self._trackers[race] = tracker
        return tracker

    def show(
        self, update: Update, command: Command | None, player: str
    ) -> Tracker | None:
        """Show an update, which may answer a command, to the race it is about.

        Whoever asked must take the tracker that is returned: nobody else may
        hold it yet.
        """
        match update:
            case Joined():
                tracker = self.follow(update.race, player)
                tracker.revive()
                return tracker
            case RaceInfo() | View() | Patch() | Progress():
                pass
            case _:
                return None
        found = self._trackers.get(update.race)
        if isinstance(command, Watch):
            found = found or self.follow(update.race, player)
            found.watch()
        if found is not None:
            found.see(update)
        return found

    def connected(self) -> None:
        """There is a new connection: nothing may have been told meanwhile."""
        self._connected = True
        for tracker in list(self._trackers.values()):
            if tracker.error is None and not tracker.mirror.complete:
                tracker.mirror.ask_sync()
                self._sync(tracker)

    def disconnected(self) -> None:
        """The connection is gone."""
        self._connected = False

    def end(self, error: SamedealError, *, quietly: bool) -> None:
        """Nothing more will be heard of any race; see `Tracker.end`."""
        self._connected = False
        for tracker in list(self._trackers.values()):
            tracker.end(error, quietly=quietly)

    def _sync(self, tracker: Tracker) -> None:
        """Send a `sync`, or its like for a race that is watched."""
        if not self._connected:
            return  # All are synced as soon as there is a connection.
        mirror = tracker.mirror
        command: Sync | Watch
        if tracker.watching and mirror.seat is None and mirror.info is not None:
            by_id = mirror.info.settings.open
            code = mirror.info.code
            command = Watch(race=mirror.race) if by_id else Watch(code=code)
        else:
            turn = mirror.turn
            command = Sync(race=mirror.race, turn=UNSET if turn is None else turn)
        self._send(
            command,
            lambda answer: tracker.synced(),
            lambda error: self._not_synced(tracker, error),
        )

    def _not_synced(self, tracker: Tracker, error: SamedealError) -> None:
        match error:
            case NotInRace() | UnknownRace():
                tracker.end(error)
            case NoAnswer():
                pass  # The connection was cut; the next one begins with a sync.
            case _ if self._connected:
                logger.warning("A race could not be synced yet: %s", error)
                loop = asyncio.get_running_loop()
                loop.call_later(_SYNC_RETRY, self._sync, tracker)
            case _:
                pass

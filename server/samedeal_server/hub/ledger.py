"""What a node knows of one race's log: how far, what it says, its digest."""

from samedeal_protocol.events import Event
from samedeal_protocol.logfile import Digest
from samedeal_server.hub.announce import Step
from samedeal_server.race.audit import advance
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import evolve
from samedeal_server.store.log import START, Entry, Position


class Ledger:
    """Entries in, state out.

    Attributes:
        race: the race after all entries so far; None before the first.
        position: where the log stands after them.
    """

    def __init__(self) -> None:
        self.race: Race | None = None
        self.position: Position = START
        self._digest = Digest()

    @property
    def digest(self) -> str | None:
        """Of the whole log, once the race has ended."""
        return self._digest.hex() if self.race and self.race.ended else None

    def appended(self, event: Event, data: bytes, at_ms: int) -> Step:
        """Reduce an event that was decided here on this very state."""
        before = self.race
        assert before is not None
        self.race = evolve(before, event, at_ms)
        self._digest.add(at_ms, data)
        return event, before, self.race

    def read(self, entry: Entry) -> tuple[Event, Race | None, Race]:
        """Reduce an entry from the store, which is checked first.

        Raises:
            LogFault: it cannot follow; nothing has changed.
        """
        before = self.race
        self.race, event = advance(before, entry.event, entry.at_ms)
        self._digest.add(entry.at_ms, entry.event)
        return event, before, self.race

"""What sessions work with, made once by the app."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samedeal_server.hub.hub import Hub
from samedeal_server.net.limits import Addresses
from samedeal_server.service.advice import Advice
from samedeal_server.service.hindsight import Hindsight
from samedeal_server.service.matching import Matching
from samedeal_server.service.people import People
from samedeal_server.settings import Settings
from samedeal_server.store import Store


if TYPE_CHECKING:
    from samedeal_server.net.entry import Entry
    from samedeal_server.net.playing import Playing


@dataclass
class Services:
    """Attributes:
    closing: the server is going away; no new command is taken.
    """

    settings: Settings
    store: Store
    hub: Hub
    people: People
    matching: Matching
    hindsight: Hindsight
    advice: Advice
    addresses: Addresses
    entry: "Entry"
    playing: "Playing"
    closing: bool = False

    def now_ms(self) -> int:
        """The log's clock."""
        return self.store.log.now_ms()

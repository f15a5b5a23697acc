"""Everything beside the logs: keys that may be lost, or rebuilt from the logs.

Every method raises `StoreUnavailable` when the store does not answer in time.
"""

from dataclasses import dataclass

from .codes import Codes
from .due import Due
from .ended import Ended
from .endings import Endings
from .lobby import Lobby
from .peers import Peers
from .players import Players
from .pools import Pools
from .presence import Presence, Presences


__all__ = ["Presence", "Registry"]


@dataclass
class Registry(Codes, Lobby, Due, Ended, Endings, Players, Presences, Peers, Pools):
    """The side keys, a module for each theme."""

    async def ping(self) -> None:
        """Returns if every process that holds keys answers."""
        await self.nodes.ask_all("PING")

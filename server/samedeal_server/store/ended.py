"""Races that have ended and whose logs are still to be folded."""

from dataclasses import dataclass

from . import keys
from .due import CLAIM
from .nodes import Nodes


@dataclass
class Ended:
    nodes: Nodes

    async def ended_remove(self, race: str) -> None:
        """The log is folded, or is not to be."""
        await self.nodes.call(keys.ENDED, "ZREM", keys.ENDED, race)

    async def ended_claim(self, limit: int, hold_ms: int) -> list[str]:
        """Races whose time has come, as `due_claim` gives them."""
        key = keys.ENDED
        races: list[bytes] = await self.nodes.run(CLAIM, [key], limit, hold_ms)
        return [race.decode() for race in races]

    async def ended_list(self) -> list[str]:
        """All of them, the earliest first."""
        key = keys.ENDED
        races: list[bytes] = await self.nodes.call(key, "ZRANGE", key, 0, -1)
        return [race.decode() for race in races]

"""Seeds proved winnable, by variant; each is given out once."""

from dataclasses import dataclass

from . import keys
from .nodes import Nodes


@dataclass
class Pools:
    nodes: Nodes

    async def pool_add(self, game: str, variant: str, seed: bytes) -> None:
        """Puts a seed into the pool."""
        key = keys.pool(game, variant)
        await self.nodes.call(key, "RPUSH", key, seed)

    async def pool_take(self, game: str, variant: str) -> bytes | None:
        """Takes the oldest seed out, for whoever asks first; None from an empty pool."""
        key = keys.pool(game, variant)
        seed: bytes | None = await self.nodes.call(key, "LPOP", key)
        return seed

    async def pool_size(self, game: str, variant: str) -> int:
        """How many seeds are left."""
        key = keys.pool(game, variant)
        size: int = await self.nodes.call(key, "LLEN", key)
        return size

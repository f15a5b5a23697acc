"""The nodes that share this store, as far as they have shown themselves lately."""

from dataclasses import dataclass

from . import keys
from .nodes import Nodes
from .scripts import Script


_ALIVE_MS = 10_000

# KEYS: the nodes. ARGV: this one, for how long it counts as alive (ms).
_BEAT = Script(
    """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('ZCARD', KEYS[1])
"""
)


@dataclass
class Peers:
    nodes: Nodes

    async def beat(self, node: str) -> int:
        """Shows that `node` is alive; returns how many are, itself included."""
        alive: int = await self.nodes.run(_BEAT, [keys.NODES], node, _ALIVE_MS)
        return alive

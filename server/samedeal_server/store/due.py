"""When each unfinished race next needs looking at, and who looks."""

from dataclasses import dataclass

from . import keys
from .nodes import Nodes
from .scripts import Script


# KEYS: races by when something is due. ARGV: how many at most, for how long to hold
# them (ms).
CLAIM = Script(
    """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call(
  'ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[1])
for _, race in ipairs(due) do
  redis.call('ZADD', KEYS[1], now + ARGV[2], race)
end
return due
"""
)

# KEYS: the lease. ARGV: the node, for how long (ms).
_LEASE = Script(
    """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
)

# KEYS: the lease. ARGV: the node.
_LEASE_DROP = Script(
    """
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 0
"""
)


@dataclass
class Due:
    nodes: Nodes

    async def due_at_most(self, race: str, ms: int) -> None:
        """Has `race` looked at no later than `ms` by the log's clock."""
        await self.nodes.call(keys.DUE, "ZADD", keys.DUE, "LT", ms, race)

    async def due_set(self, race: str, ms: int) -> None:
        """Has `race` looked at `ms`, whatever was planned before."""
        await self.nodes.call(keys.DUE, "ZADD", keys.DUE, ms, race)

    async def due_remove(self, race: str) -> None:
        """The race needs no more looking at."""
        await self.nodes.call(keys.DUE, "ZREM", keys.DUE, race)

    async def due_claim(self, limit: int, hold_ms: int) -> list[str]:
        """Races whose time has come, most overdue first. Each comes due again in
        `hold_ms`, so that another node sees to it should this one die."""
        races: list[bytes] = await self.nodes.run(CLAIM, [keys.DUE], limit, hold_ms)
        return [race.decode() for race in races]

    async def lease(self, race: str, node: str, ms: int) -> bool:
        """Takes or renews the race's lease; False while another node has it."""
        key = keys.lease(race)
        return bool(await self.nodes.run(_LEASE, [key], node, ms))

    async def lease_drop(self, race: str, node: str) -> None:
        """Gives the lease back where `node` has it."""
        await self.nodes.run(_LEASE_DROP, [keys.lease(race)], node)

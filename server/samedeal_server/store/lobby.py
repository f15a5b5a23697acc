"""Where strangers meet: the list of open races, and quick match."""

import hashlib
from dataclasses import dataclass

from . import keys
from .nodes import Nodes
from .scripts import Script


_CANDIDATES = 32
_HOUR_S = 3600

# KEYS: the candidates. ARGV: the one proposed.
_PICK = Script(
    f"""
local found = redis.call('ZRANGE', KEYS[1], 0, {_CANDIDATES - 1})
if #found > 0 then
  return found
end
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
return {{ARGV[1]}}
"""
)


# KEYS: the candidates. ARGV: one more.
_ADD = Script(
    """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
"""
)


@dataclass
class Lobby:
    nodes: Nodes

    async def lobby_add(self, race: str, created_ms: int) -> None:
        """Lists an open race."""
        await self.nodes.call(keys.LOBBY, "ZADD", keys.LOBBY, created_ms, race)

    async def lobby_remove(self, race: str) -> None:
        """Takes a race off the list."""
        await self.nodes.call(keys.LOBBY, "ZREM", keys.LOBBY, race)

    async def lobby_list(self, limit: int = 100) -> list[str]:
        """The open races, newest first, at most `limit`."""
        races: list[bytes] = await self.nodes.call(
            keys.LOBBY, "ZRANGE", keys.LOBBY, 0, limit - 1, "REV"
        )
        return [race.decode() for race in races]

    async def quick_pick(self, game: str, variant: str, proposed: str) -> list[str]:
        """Races that wait for strangers, oldest first, at most 32; where there are
        none, `proposed` becomes one: of many who ask at once, one alone proposes."""
        key = keys.quick(game, variant)
        races: list[bytes] = await self.nodes.run(_PICK, [key], proposed)
        return [race.decode() for race in races]

    async def quick_add(self, game: str, variant: str, race: str) -> None:
        """One more race that waits for strangers, whatever others there are."""
        await self.nodes.run(_ADD, [keys.quick(game, variant)], race)

    async def quick_remove(self, game: str, variant: str, race: str) -> None:
        """The race takes no more strangers."""
        key = keys.quick(game, variant)
        await self.nodes.call(key, "ZREM", key, race)

    async def quick_from(self, race: str, address: str) -> int:
        """Counts one more seat of `race` for an address; how many it has had.

        The address is kept for an hour, as a hash that only this race knows.
        """
        digest = hashlib.sha256(f"{race} {address}".encode()).hexdigest()[:16]
        key = keys.address(race, digest)
        answers = await self.nodes.exchange(
            key, [("MULTI",), ("INCR", key), ("EXPIRE", key, _HOUR_S), ("EXEC",)]
        )
        seats: int = answers[-1][0]
        return seats

"""Who is connected, on any node, and since when those who are not are gone."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from . import keys
from .nodes import Nodes
from .scripts import Script


_KEEP_S = 86_400

_NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

# A player's presence is a hash: generation of the newest connection, its id, until
# when it counts as alive, and, once it is known to be gone, since when. A
# generation is a time, so that it goes up even where the hash was lost.

# KEYS: the presence. ARGV: the connection, the window (ms), seconds to keep.
_CONNECT = Script(
    _NOW
    + """
local known = redis.call('HMGET', KEYS[1], 'generation', 'connection')
local generation = now
if known[2] == ARGV[1] then
  generation = tonumber(known[1])
elseif known[1] then
  generation = math.max(now, known[1] + 1)
end
redis.call('HSET', KEYS[1], 'generation', string.format('%.0f', generation),
  'connection', ARGV[1], 'until', string.format('%.0f', now + ARGV[2]), 'since', '')
redis.call('EXPIRE', KEYS[1], ARGV[3])
return generation
"""
)

# KEYS: the presence. ARGV: the generation, the window (ms), seconds to keep.
_REFRESH = Script(
    _NOW
    + """
local newest = redis.call('HGET', KEYS[1], 'generation')
if newest and tonumber(newest) > tonumber(ARGV[1]) then
  return 1
end
redis.call('HSET', KEYS[1], 'generation', ARGV[1],
  'until', string.format('%.0f', now + ARGV[2]), 'since', '')
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 0
"""
)

# KEYS: the presence. ARGV: the generation.
_DISCONNECT = Script(
    _NOW
    + """
if redis.call('HGET', KEYS[1], 'generation') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'since', string.format('%.0f', now))
end
return 0
"""
)

# KEYS: the presence. ARGV: seconds to keep. Returns 0, or since when gone.
_LOOK = Script(
    _NOW
    + """
local known = redis.call('HMGET', KEYS[1], 'until', 'since')
if known[2] and known[2] ~= '' then
  return tonumber(known[2])
end
if known[1] then
  local till = tonumber(known[1])
  return till >= now and 0 or till
end
redis.call('HSET', KEYS[1], 'since', string.format('%.0f', now))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return now
"""
)


class Presence(NamedTuple):
    """`since_ms` is when the player became disconnected, by the log's clock; 0 while
    connected."""

    connected: bool
    since_ms: int


@dataclass
class Presences:
    nodes: Nodes

    async def connect(self, player: str, connection_id: str) -> int:
        """Makes this the player's connection, and returns its generation: greater
        than that of any before, the same again for the same connection."""
        generation: int = await self.nodes.run(
            _CONNECT,
            [keys.presence(player)],
            connection_id,
            self._window_ms,
            _KEEP_S,
        )
        return generation

    async def refresh(self, alive: Iterable[tuple[str, int]]) -> set[str]:
        """Counts these players' connections as alive for another window; returns
        the players who have a newer connection than the one given."""
        alive = list(alive)
        replaced = await asyncio.gather(
            *(self._refresh(player, generation) for player, generation in alive)
        )
        return {
            player
            for (player, _), is_old in zip(alive, replaced, strict=True)
            if is_old
        }

    async def disconnect(self, player: str, generation: int) -> None:
        """The connection has ended; nothing changes where there is a newer one."""
        await self.nodes.run(_DISCONNECT, [keys.presence(player)], generation)

    async def presence(self, players: Sequence[str]) -> dict[str, Presence]:
        """Who is connected. One never heard of counts as disconnected from now on,
        one not refreshed since the end of its window."""
        since = await asyncio.gather(*(self._look(player) for player in players))
        return {
            player: Presence(ms == 0, ms)
            for player, ms in zip(players, since, strict=True)
        }

    @property
    def _window_ms(self) -> int:
        return self.nodes.settings.presence_window_s * 1000

    async def _refresh(self, player: str, generation: int) -> bool:
        return bool(
            await self.nodes.run(
                _REFRESH,
                [keys.presence(player)],
                generation,
                self._window_ms,
                _KEEP_S,
            )
        )

    async def _look(self, player: str) -> int:
        since: int = await self.nodes.run(_LOOK, [keys.presence(player)], _KEEP_S)
        return since

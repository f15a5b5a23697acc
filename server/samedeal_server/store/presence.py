"""Who is connected, on any node, and since when those who are not are gone."""

import asyncio
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from . import keys
from .nodes import Nodes
from .scripts import Script


_T = TypeVar("_T")

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

# KEYS: the presences. ARGV: the window (ms), seconds to keep, the generation of each.
# Returns for each 1 where there is a newer one.
_REFRESH = Script(
    _NOW
    + """
local call, alive_until = redis.call, string.format('%.0f', now + ARGV[1])
local replaced = {}
for k, key in ipairs(KEYS) do
  local newest = call('HGET', key, 'generation')
  if newest and tonumber(newest) > tonumber(ARGV[k + 2]) then
    replaced[k] = 1
  else
    call('HSET', key, 'generation', ARGV[k + 2], 'until', alive_until, 'since', '')
    call('EXPIRE', key, ARGV[2])
    replaced[k] = 0
  end
end
return replaced
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

# KEYS: the presences. ARGV: seconds to keep. Returns for each 0, or since when gone.
_LOOK = Script(
    _NOW
    + """
local call, gone_since = redis.call, {}
for k, key in ipairs(KEYS) do
  local known = call('HMGET', key, 'until', 'since')
  if known[2] and known[2] ~= '' then
    gone_since[k] = tonumber(known[2])
  elseif known[1] then
    local till = tonumber(known[1])
    gone_since[k] = till >= now and 0 or till
  else
    call('HSET', key, 'since', string.format('%.0f', now))
    call('EXPIRE', key, ARGV[1])
    gone_since[k] = now
  end
end
return gone_since
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
        the players who have a newer connection than the one given.

        One call does it for all, in a cluster one for each: only keys of one slot
        may go together.
        """
        alive = list(alive)
        found = await asyncio.gather(
            *(self._refresh(some) for some in self._together(alive))
        )
        replaced = itertools.chain.from_iterable(found)
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
        found = await asyncio.gather(
            *(self._look(some) for some in self._together(players))
        )
        since = itertools.chain.from_iterable(found)
        return {
            player: Presence(ms == 0, ms)
            for player, ms in zip(players, since, strict=True)
        }

    @property
    def _window_ms(self) -> int:
        return self.nodes.settings.presence_window_s * 1000

    def _together(self, them: Sequence[_T]) -> Iterator[Sequence[_T]]:
        """Those of whom one call may speak."""
        most = 1 if self.nodes.cluster else max(1, len(them))
        return (them[first : first + most] for first in range(0, len(them), most))

    async def _refresh(self, alive: Sequence[tuple[str, int]]) -> list[int]:
        names = [keys.presence(player) for player, _ in alive]
        generations = [generation for _, generation in alive]
        replaced: list[int] = await self.nodes.run(
            _REFRESH, names, self._window_ms, _KEEP_S, *generations
        )
        return replaced

    async def _look(self, players: Sequence[str]) -> list[int]:
        names = [keys.presence(player) for player in players]
        since: list[int] = await self.nodes.run(_LOOK, names, _KEEP_S)
        return since

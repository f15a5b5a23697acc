"""What is known of players: tokens, their races, and what they asked for twice."""

from dataclasses import dataclass

from . import keys
from .nodes import Nodes
from .scripts import Script


_DAY_S = 86_400
_TOKEN_S = 90 * _DAY_S
_CREATED_S = 60

# KEYS: the rematch. ARGV: the new race, the one it may replace or '', seconds.
_REMATCH = Script(
    """
local race = redis.call('GET', KEYS[1])
if race and race ~= ARGV[2] then
  return race
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
return ARGV[1]
"""
)


@dataclass
class Players:
    nodes: Nodes

    async def token_store(self, token_hash: str, player: str, name: str) -> None:
        """Keeps who has a token, known by its hash, for 90 days from last use."""
        key = keys.token(token_hash)
        await self.nodes.call(key, "SET", key, f"{player} {name}", "EX", _TOKEN_S)

    async def token_load(self, token_hash: str) -> tuple[str, str] | None:
        """The player and name of a token; this counts as use."""
        key = keys.token(token_hash)
        found: bytes | None = await self.nodes.call(key, "GETEX", key, "EX", _TOKEN_S)
        if found is None:
            return None
        player, _, name = found.decode().partition(" ")
        return player, name

    async def races_add(self, player: str, race: str) -> None:
        """The player has a seat in an unfinished race."""
        key = keys.races(player)
        await self.nodes.exchange(
            key,
            [("MULTI",), ("SADD", key, race), ("EXPIRE", key, _TOKEN_S), ("EXEC",)],
        )

    async def races_remove(self, player: str, race: str) -> None:
        """The race has ended, or the player has no seat in it any more."""
        key = keys.races(player)
        await self.nodes.call(key, "SREM", key, race)

    async def races_list(self, player: str) -> list[str]:
        """The unfinished races of a player, in no order that means anything."""
        key = keys.races(player)
        races: list[bytes] = await self.nodes.call(key, "SMEMBERS", key)
        return sorted(race.decode() for race in races)

    async def created_reserve(self, player: str, key: str, race: str) -> str:
        """The race of what was asked under `key` first within 60 s: `race`, or an
        earlier one."""
        name = keys.created(player, key)
        earlier: bytes | None = await self.nodes.call(
            name, "SET", name, race, "NX", "GET", "EX", _CREATED_S
        )
        return race if earlier is None else earlier.decode()

    async def created_earlier(self, player: str, key: str) -> str | None:
        """The race of what was asked under `key` within the last 60 s, if any."""
        name = keys.created(player, key)
        earlier: bytes | None = await self.nodes.call(name, "GET", name)
        return None if earlier is None else earlier.decode()

    async def rematch_reserve(
        self, race: str, new: str, instead_of: str | None = None
    ) -> str:
        """The one rematch of `race`: `new`, or what was reserved earlier, unless that
        is `instead_of`, which came to nothing."""
        seconds = self.nodes.settings.keep_days * _DAY_S
        winner: bytes = await self.nodes.run(
            _REMATCH, [keys.rematch(race)], new, instead_of or "", seconds
        )
        return winner.decode()

    async def rematch_get(self, race: str) -> str | None:
        """The rematch of `race`, if one was asked for."""
        key = keys.rematch(race)
        found: bytes | None = await self.nodes.call(key, "GET", key)
        return None if found is None else found.decode()

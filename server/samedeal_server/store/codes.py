"""Codes of six letters by which people find a race."""

import secrets
from dataclasses import dataclass

from . import keys
from .errors import StoreUnavailable
from .nodes import Nodes


_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_DAY_S = 86_400


@dataclass
class Codes:
    nodes: Nodes

    async def reserve_code(self, race: str) -> str:
        """A code that nobody has, for `race`; kept as long as its race may be."""
        seconds = (self.nodes.settings.keep_days + 1) * _DAY_S
        for _ in range(20):
            code = "".join(secrets.choice(_LETTERS) for _ in range(6))
            key = keys.code(code)
            if await self.nodes.call(key, "SET", key, race, "NX", "EX", seconds):
                return code
        raise StoreUnavailable("Twenty codes in a row were taken.")

    async def race_by_code(self, code: str) -> str | None:
        """The race that has `code`, letters of either case."""
        key = keys.code(code.upper())
        race: bytes | None = await self.nodes.call(key, "GET", key)
        return None if race is None else race.decode()

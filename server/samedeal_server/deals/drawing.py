"""Which proved deal a race gets."""

import secrets
from typing import Final

from samedeal_games import Variant
from samedeal_protocol import names
from samedeal_protocol.settings import RaceSettings
from samedeal_server.deals.pool import Pool
from samedeal_server.deals.shipped import SHIPPED


# A race waits so long for the pool; then it is on any deal, and says so.
PATIENCE_S: Final = 3.0


class Deals:
    """What this server offers: proved deals, or any."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @property
    def winnable(self) -> bool:
        """Whether proved deals can be had here."""
        return self._pool.size > 0

    @property
    def default(self) -> names.Deals:
        """What a race is on when nobody has said anything."""
        return "winnable" if self.winnable else "any"

    async def draw(self, variant: Variant, settings: RaceSettings) -> bytes | None:
        """A proved seed for a race with these settings; None where none comes.

        A race that nobody else can join need not wait: for it there are seeds
        that come with the program.

        Raises:
            StoreUnavailable: the pool cannot be asked.
        """
        alone = settings.seats == len(settings.bots) + 1
        seed = await self._pool.draw(variant, 0.0 if alone else PATIENCE_S)
        if seed is None and alone and self.winnable:
            seed = bytes.fromhex(secrets.choice(SHIPPED[variant.game, variant.name]))
        return seed

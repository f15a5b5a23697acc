"""Winnable deals for races, and the background work that provides them."""

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process

from samedeal_games import GAMES, Variant
from samedeal_server.store import Store, StoreUnavailable


logger = logging.getLogger(__name__)

# One node at a time fills the pools; its lease has a name like a race's.
_LEASE = "pool"
_LEASE_MS = 30_000
_LOOK_S = 2.0
_GLANCE_S = 0.1


class Pool:
    """Draws proved deals, and keeps some ready.

    Args:
        size: seeds to keep ready for each variant; 0 for no pool at all.
    """

    def __init__(self, store: Store, size: int) -> None:
        self.size = size
        self._store = store
        self._node = store.nodes.settings.node
        self._prover: Process | None = None
        self._filler: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._urgent: dict[Variant, None] = {}

    def start(self) -> None:
        if self.size:
            self._filler = asyncio.create_task(self._fill_for_ever(), name="deals")

    async def close(self) -> None:
        if self._filler is not None:
            self._filler.cancel()
            await asyncio.gather(self._filler, return_exceptions=True)
        await self._stop_prover()

    async def draw(self, variant: Variant, patience_s: float) -> bytes | None:
        """A seed proved winnable that was never drawn before; None if none comes.

        Raises:
            StoreUnavailable: the pool cannot be asked.
        """
        if not self.size:
            return None
        deadline = asyncio.get_running_loop().time() + patience_s
        while True:
            registry = self._store.registry
            seed = await registry.pool_take(variant.game, variant.name)
            if seed is None:
                self._urgent[variant] = None
            self._wanted.set()
            if seed is not None or asyncio.get_running_loop().time() >= deadline:
                return seed
            await asyncio.sleep(_GLANCE_S)

    # Private methods.

    async def _fill_for_ever(self) -> None:
        while True:
            try:
                if await self._store.registry.lease(_LEASE, self._node, _LEASE_MS):
                    await self._fill()
            except StoreUnavailable as error:
                logger.info("Deals have to wait: %s", error)
            except (OSError, EOFError) as error:
                logger.warning("Deals are not being proved: %s", error)
                await self._stop_prover()
            self._wanted.clear()
            try:
                async with asyncio.timeout(_LOOK_S):
                    await self._wanted.wait()
            except TimeoutError:
                continue

    async def _fill(self) -> None:
        """Add to every pool that wants some, a seed at a time.

        What somebody waits for comes first, then the emptiest.
        """
        registry = self._store.registry
        while True:
            variant = next(iter(self._urgent), None)
            if variant is None:
                variant = await self._emptiest()
            if variant is None:
                await self._stop_prover()
                return
            self._urgent.pop(variant, None)
            seed = await self._prove(variant)
            await registry.pool_add(variant.game, variant.name, seed)
            if not await registry.lease(_LEASE, self._node, _LEASE_MS):
                return

    async def _emptiest(self) -> Variant | None:
        """The variant with the fewest seeds; None where all have enough."""
        registry = self._store.registry
        sizes = [
            (await registry.pool_size(variant.game, variant.name), number)
            for number, variant in enumerate(_VARIANTS)
        ]
        size, number = min(sizes)
        return _VARIANTS[number] if size < self.size else None

    async def _prove(self, variant: Variant) -> bytes:
        if self._prover is None:
            self._prover = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "samedeal_server.deals.proving"),
                str(os.getpid()),
                stdin=PIPE,
                stdout=PIPE,
                start_new_session=True,
            )
        prover = self._prover
        assert prover.stdin is not None and prover.stdout is not None
        prover.stdin.write(f"{variant.game} {variant.name}\n".encode())
        await prover.stdin.drain()
        line = await prover.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError("the process that proves them has ended")
        return bytes.fromhex(line.decode())

    async def _stop_prover(self) -> None:
        prover, self._prover = self._prover, None
        if prover is not None and prover.returncode is None:
            prover.kill()
            await prover.wait()


_VARIANTS = tuple(variant for game in GAMES.values() for variant in game.variants)

"""A whole race on this machine: a server, players over real sockets, bots."""

import asyncio
import signal
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import uvloop

import samedeal
from samedeal_cli.errors import Failure
from samedeal_cli.playing import Pace, Player
from samedeal_games import Variant
from samedeal_server.app import CannotServe, running
from samedeal_server.settings import Limits, Settings
from samedeal_server.store import StoreError


LOOK_S = 0.1

NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo"),
    *("Iris", "Jon", "Kim", "Leo", "Mia", "Nils", "Ola", "Pia"),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Who races at what.

    Attributes:
        levels: of the players who connect as anybody's bot does, one each.
        bots: levels of those that the server plays itself.
    """

    variant: Variant
    levels: Sequence[str]
    bots: Sequence[str]
    pace: Pace


Look = Callable[[samedeal.Race], None]
"""Shown the race, as its first player knows it, a few times a second."""


def race(plan: Plan, look: Look) -> tuple[samedeal.RaceInfo, bytes]:
    """Race on a server of our own; nothing of it is left afterwards.

    Returns:
        What everyone was told at the end, and the race's log in file form.

    Raises:
        Failure: no server can be had here, or it failed in the midst of it.
    """
    with (
        tempfile.TemporaryDirectory(prefix="samedeal-") as data,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        try:
            return runner.run(_race(plan, look, data))
        except (CannotServe, StoreError, samedeal.SamedealError) as error:
            raise Failure(str(error)) from None
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None


async def _race(plan: Plan, look: Look, data: str) -> tuple[samedeal.RaceInfo, bytes]:
    settings = Settings(
        port=0, data=data, limits=Limits.off(), bot_pace_ms=plan.pace.range_ms()
    )
    _end_on_signals()
    async with running(settings) as app, AsyncExitStack() as connections:
        clients = [
            await connections.enter_async_context(
                samedeal.connect(app.url, name=name, bot=True)
            )
            for name, _ in zip(NAMES, plan.levels, strict=False)
        ]
        first = await clients[0].create(
            plan.variant.game,
            plan.variant.name,
            seats=len(plan.levels) + len(plan.bots),
            bots=plan.bots,
            countdown_ms=500,
        )
        races = [first, *[await client.join(first.code) for client in clients[1:]]]
        everyone = asyncio.gather(
            *[
                Player(seat, level, plan.pace).take_part()
                for seat, level in zip(races, plan.levels, strict=True)
            ]
        )
        try:
            while not everyone.done():
                look(first)
                await asyncio.wait([everyone], timeout=LOOK_S)
        finally:
            if not everyone.done():
                # Interrupted: whatever they say to that is not for the terminal.
                everyone.cancel()
                await asyncio.gather(everyone, return_exceptions=True)
        await everyone
        return first.info, await samedeal.fetch_log(app.url, first.id)


def _end_on_signals() -> None:
    """Be told to stop as Ctrl-C does, so that the temporary store goes, too."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)

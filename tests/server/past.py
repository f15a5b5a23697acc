"""Races that began a while ago: their logs are written as if time had passed.

So the minutes that the protocol page speaks of need not be waited for.
"""

from collections.abc import Sequence
from typing import Any

from tests.helpers.raw import Raw
from tests.server.scenes import WINNING

from samedeal_protocol import events
from samedeal_protocol.codec import encode_event
from samedeal_protocol.events import Event
from samedeal_protocol.settings import RaceSettings
from samedeal_server.service import setup
from samedeal_server.service.identity import Player, new_id
from samedeal_server.store import Store, keys


async def lobby_since(ago_ms: int, store: Store, *players: Raw, **create: Any) -> str:
    """A lobby that was opened so long ago, with these players in it; its id."""
    race = new_id()
    create = {**WINNING.create, **create}
    names = RaceSettings.__struct_fields__
    chosen = {name: create[name] for name in names if name in create}
    first = setup.first_events(
        race=race,
        code=await store.registry.reserve_code(race),
        variant=setup.find(create["game"], create["variant"]),
        settings=RaceSettings(**chosen),
        host=Player(players[0].player, "Player 0", ""),
        is_bot=False,
        seed=bytes.fromhex(create["seed"]),
        chosen=True,
    )
    others = [
        events.Joined(seat=seat, player=player.player, name=f"Player {seat}")
        for seat, player in enumerate(players[1:], 1)
    ]
    await _write(store, race, ago_ms, [*first, *others])
    for player in players:
        await store.registry.races_add(player.player, race)
    return race


async def started_since(ago_ms: int, store: Store, *players: Raw, **create: Any) -> str:
    """A race that started so long ago; nobody has moved. Its id."""
    create = {"countdown_ms": 0, "time_limit_ms": 10_000, **create}
    counting_ms = ago_ms + create["countdown_ms"]
    race = await lobby_since(counting_ms + 1000, store, *players, **create)
    countdown = events.Countdown(countdown_ms=create["countdown_ms"])
    await _write(store, race, counting_ms, [countdown])
    return race


async def add(store: Store, race: str, ago_ms: int, *happened: Event) -> None:
    """Write more into a log, as of so long ago."""
    await _write(store, race, ago_ms, happened)


async def _write(
    store: Store, race: str, ago_ms: int, happened: Sequence[Event]
) -> None:
    await store.log.refresh_clock()
    at_ms = store.log.now_ms() - ago_ms
    key = keys.log(race)
    for number, event in enumerate(happened):
        data = encode_event(event)
        await store.nodes.call(key, "XADD", key, f"{at_ms}-{number}", "e", data)
    await store.registry.due_at_most(race, at_ms)

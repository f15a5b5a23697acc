"""Whole races of each variant, and their logs, which say the same."""

import asyncio
import hashlib
from dataclasses import dataclass
from itertools import pairwise

import pytest
from tests.helpers import raw
from tests.helpers.positions import VARIANTS, variant_id
from tests.helpers.raw import Message, Raw
from tests.server.racing import Racer
from tests.server.test_http import get

from samedeal_games import Variant, left, view
from samedeal_protocol import logfile
from samedeal_server.app import App
from samedeal_server.race import audit
from samedeal_server.race.model import Race


@dataclass
class Over:
    """A race that is over, as two players saw it."""

    info: Message
    racers: list[Racer]
    views: list[dict[int, Message]]


async def race_of_four(server: App, clients: list[Raw], variant: Variant) -> Over:
    """Two of us against two built-in bots, to the end."""
    ada, bob = clients
    await ada.hello(name="Ada")
    await bob.hello(name="Bob", bot=True)
    joined = await ada.ask(
        "create",
        game=variant.game,
        variant=variant.name,
        seats=4,
        bots=["greedy", "random"],
        countdown_ms=100,
    )
    race = joined["race"]
    await bob.ask("join", code=joined["code"])
    for client in clients:
        await client.send("ready", race=race)
    racers = [Racer(client, variant, race) for client in clients]
    await asyncio.gather(*(racer.play() for racer in racers))
    info: Message = {}
    views: list[dict[int, Message]] = []
    for client in clients:
        info = await client.until("race", race=race, phase="ended")
        # One's own of the start was taken by the racer.
        views.append(
            {
                seat: await client.until("view", race=race, seat=seat)
                for seat in range(4)
            }
        )
    return Over(info, racers, views)


def replayed(file: bytes) -> Race:
    """The race that an exported log comes to, every entry checked."""
    log = logfile.read(file)
    assert log.digest == log.actual_digest
    race: Race | None = None
    for entry in log.entries:
        race, _ = audit.advance(race, entry.event, entry.at_ms)
    assert race is not None
    return race


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
async def test_a_race_of_four(server: App, variant: Variant) -> None:
    clients = [
        await raw.connect(server.url, subprotocol)
        for subprotocol in (raw.JSON, raw.MSGPACK)
    ]
    over = await race_of_four(server, clients, variant)
    info, views = over.info, over.views[0]
    assert over.views[1] == views

    # Boards kept from patches are those that everyone is shown at the end.
    for own, racer in zip((0, 3), over.racers, strict=True):
        assert racer.piles == views[own]["piles"]
        for field in ("turn", "left", "status", "elapsed_ms"):
            assert racer.last[field] == views[own][field], field

    # The log, replayed, comes to the same boards and the same places.
    response = await get(server, f"/races/{info['race']}/log.jsonl")
    race = replayed(response.body)
    assert logfile.read(response.body).digest == info["digest"]
    assert race.standings is not None
    by_seat = {standing.seat: standing for standing in race.standings}
    assert set(by_seat) == {0, 1, 2, 3}
    for number, shown in enumerate(info["seats"]):
        seat = race.seats[number]
        assert seat is not None
        last = views[number]
        assert view(seat.board) == last["piles"]
        assert left(seat.board) == last["left"] == shown["left"]
        assert seat.turn == last["turn"] == shown["turn"]
        standing = by_seat[number]
        assert standing.place == shown["place"]
        assert standing.status == last["status"] == shown["status"]
        assert standing.elapsed_ms == last["elapsed_ms"] == shown["elapsed_ms"]
        assert shown["status"] in ("won", "stuck", "resigned")

    # Places go by the page's words.
    seats = sorted(info["seats"], key=lambda seat: int(seat["place"]))
    assert seats[0]["place"] == 1
    for ahead, behind in pairwise(seats):
        if ahead["status"] == "won" == behind["status"]:
            assert ahead["elapsed_ms"] <= behind["elapsed_ms"]
        elif behind["status"] != "won":
            assert ahead["status"] == "won" or ahead["left"] <= behind["left"]
        else:
            pytest.fail("Somebody who won is behind somebody who did not.")

    # The commitment was about this seed and salt.
    secret = bytes.fromhex(info["salt"]) + bytes.fromhex(info["seed"])
    named = f"{variant.game}/{variant.name}".encode()
    assert info["commitment"] == hashlib.sha256(secret + named).hexdigest()
    for client in clients:
        await client.close()

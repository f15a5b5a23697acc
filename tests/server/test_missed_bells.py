"""Bells are only bells: with every one of them lost, all still comes, later."""

import pytest
from tests.conftest import Serve
from tests.server.conftest import Connect
from tests.server.scenes import WINNING

from samedeal_server.hub import chores
from samedeal_server.store.bells import Bells


@pytest.fixture(autouse=True)
def no_bells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bells, "ring", lambda self, race: None)
    monkeypatch.setattr(chores, "_MISSED_S", 0.2)
    monkeypatch.setattr(chores, "_SWEEP_S", 0.1)


async def test_progress_comes_without_bells(serve: Serve, connect: Connect) -> None:
    one, other = await serve(), await serve()
    ada, ben = await connect(one, name="Ada"), await connect(other, name="Ben")
    joined = await ada.ask("create", countdown_ms=0, seats=2, **WINNING.create)
    race = joined["race"]
    assert (await ben.ask("join", race=race))["seat"] == 1
    await ada.send("ready", race=race)
    await ben.send("ready", race=race)
    for player in (ada, ben):
        await player.until("view", race=race)
    patch = await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    progress = await ben.until("progress", race=race, seat=0, turn=1)
    assert progress["left"] == patch["left"]
    await ada.ask("resign", race=race)
    await ben.ask("resign", race=race)
    for player in (ada, ben):
        ended = await player.until("race", race=race, phase="ended")
        assert [seat["status"] for seat in ended["seats"]] == ["resigned"] * 2


async def test_a_refusal_does_not_come_from_what_was(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another node did is read before anything is refused for lack of it."""
    monkeypatch.setattr(chores, "_MISSED_S", 1000)
    one, other = await serve(), await serve()
    ada, ben = await connect(one, name="Ada"), await connect(one, name="Ben")
    joined = await ada.ask("create", countdown_ms=0, seats=2, **WINNING.create)
    race = joined["race"]
    watcher = await connect(other, name="Watcher")
    await watcher.ask("watch", code=joined["code"])
    assert (await ben.ask("join", race=race))["seat"] == 1
    for player in (ada, ben):
        await player.send("ready", race=race)
    for player in (ada, ben):
        await player.until("view", race=race)
    for turn, move in enumerate(WINNING.moves[:3]):
        await ada.ask("move", race=race, turn=turn, moves=[move])
    # The other node knows of an empty lobby, or a little more.
    again = await connect(other, token=ada.token)
    patch = await again.ask("move", race=race, turn=3, moves=[WINNING.moves[3]])
    assert (patch["type"], patch["turn"]) == ("patch", 4)
    stale = await ben.ask("move", race=race, turn=7, moves=[WINNING.moves[0]])
    assert (stale["code"], stale["turn"]) == ("stale_turn", 0)

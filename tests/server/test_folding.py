"""Races that ended a while ago: folded, and the same to everybody."""

import json
from typing import Any

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.logs import note_ended, replace
from tests.helpers.raw import Message, Raw
from tests.helpers.waiting import until
from tests.server.conftest import Connect
from tests.server.past import lobby_since, started_since
from tests.server.scenes import WINNING, play, started
from tests.server.test_http import get

from samedeal_server.hub.folding import Folding
from samedeal_server.settings import BadSetting, from_environment
from samedeal_server.store import START, Store, keys


@pytest.fixture
def subprotocol() -> str:
    """One is enough here."""
    return raw.JSON


async def kind(store: Store, race: str) -> bytes:
    key = keys.log(race)
    found: bytes = await store.nodes.call(key, "TYPE", key)
    return found


async def is_folded(store: Store, *races: str) -> None:
    """Wait until a server has folded them, and noted that."""

    async def done() -> bool:
        kinds = [await kind(store, race) for race in races]
        noted = set(races) & set(await store.registry.ended_list())
        return not noted and set(kinds) == {b"string"}

    await until(done)


async def is_noted(store: Store, *races: str) -> None:
    """Wait until it is noted that they are to be folded, and nothing else is left."""

    async def done() -> bool:
        noted = set(await store.registry.ended_list())
        due = await store.nodes.call(keys.DUE, "ZCARD", keys.DUE)
        return set(races) <= noted and due == 0

    await until(done)


async def ended(*players: Raw, moves: int = 3, **settings: Any) -> Message:
    """A race that is over, as its last `race` says."""
    race = await started(*players, **settings)
    for player in players:
        await play(player, race, WINNING.moves[:moves])
        await player.ask("resign", race=race)
    infos = [await player.until("race", phase="ended") for player in players]
    for player in players:
        await player.rest()
    return infos[0]


async def seen(player: Raw, race: str) -> list[Message]:
    """What whoever looks at the race now is shown of it."""
    first = await player.ask("watch", race=race)
    shown = [first, *await player.rest()]
    passing = ("re", "now_ms", "watchers")
    return [{k: v for k, v in m.items() if k not in passing} for m in shown]


async def test_a_folded_race_is_the_same_to_everybody(
    serve: Serve, connect: Connect, store: Store
) -> None:
    first = await serve()
    ada, bob = await connect(first, name="Ada"), await connect(first, name="Bob")
    info = await ended(ada, bob, open=True)
    race = info["race"]
    path = f"/races/{race}"
    files = [(await get(first, f"{path}/{name}")).body for name in _FILES]
    wes = await connect(first, name="Wes")
    before = await seen(wes, race)
    assert [message["type"] for message in before] == ["race", "view", "view"]
    await is_noted(store, race)
    assert await kind(store, race) == b"stream"

    # Another node folds it.
    other = await serve(fold_after_s=0)
    await note_ended(store, race)
    await is_folded(store, race)
    # A third has never heard of it, and the first has it in memory.
    for app in (await serve(), other, first):
        again = [(await get(app, f"{path}/{name}")).body for name in _FILES]
        assert again == files
        late = await connect(app, name="Late")
        assert await seen(late, race) == before
        joined = await late.ask("join", code=info["code"])
        assert (joined["type"], joined["code"]) == ("error", "race_started")
    digest = json.loads(files[0].splitlines()[-1])["digest"]
    assert before[0]["digest"] == info["digest"] == digest


_FILES = ("log.jsonl", "replay.json")


async def test_those_who_raced_come_back_and_race_again(
    serve: Serve, connect: Connect, store: Store
) -> None:
    app = await serve(fold_after_s=0)
    ada, bob = await connect(app, name="Ada"), await connect(app, name="Bob")
    race = (await ended(ada, bob))["race"]
    # Both still listen to it.
    await is_folded(store, race)
    info = await ada.ask("sync", race=race, turn=1)
    assert (info["type"], info["phase"]) == ("race", "ended")
    assert await ada.refused("move", race=race, turn=3, moves=["t0+t1"]) == "finished"
    elsewhere = await connect(await serve(), token=ada.token)
    assert (await elsewhere.ask("sync", race=race))["phase"] == "ended"
    again = await elsewhere.ask("rematch", race=race)
    assert again["type"] == "joined"
    assert (await bob.until("race", race=race, rematch=again["race"]))["digest"]
    assert (await bob.ask("rematch", race=race))["race"] == again["race"]


async def test_a_lobby_that_nobody_started_is_folded(
    serve: Serve, connect: Connect, store: Store
) -> None:
    app = await serve(fold_after_s=0)
    ada = await connect(app, name="Ada")
    day_ms = 86_400_000
    race = await lobby_since(day_ms, store, ada)
    await is_folded(store, race)
    log = (await get(app, f"/races/{race}/log.jsonl")).body
    assert b'"ended"' in log


async def test_what_was_not_folded_in_time_is_found_again(
    serve: Serve, connect: Connect, store: Store
) -> None:
    first = await serve(fold_after_s=3600)
    ada = await connect(first, name="Ada")
    races = [(await ended(ada))["race"] for _ in range(20)]
    await is_noted(store, *races)
    await first.close()
    for race in races:
        await note_ended(store, race)
    later = await serve()
    await is_folded(store, *races)
    for race in races:
        assert (await get(later, f"/races/{race}/log.jsonl")).status == 200


async def test_it_waits_until_its_time_has_come(
    serve: Serve, connect: Connect, store: Store
) -> None:
    app = await serve(fold_after_s=100)
    ada = await connect(app, name="Ada")
    race = (await ended(ada))["race"]
    await is_noted(store, race)
    folding = Folding(store)
    assert not await folding.sweep()
    assert await kind(store, race) == b"stream"
    key = keys.ENDED
    when = float(await store.nodes.call(key, "ZSCORE", key, race))
    at_ms = (await store.log.read(race, START)).entries[-1].at_ms
    assert when == at_ms + 100_000


async def test_a_race_that_went_back_goes_on(
    serve: Serve, connect: Connect, store: Store
) -> None:
    app = await serve(fold_after_s=0)
    ada = await connect(app, name="Ada")
    # Over for its clock, and nobody has it in memory.
    race = await started_since(3_600_000, store, ada)
    await store.registry.due_remove(race)
    assert (await store.log.read(race, START)).entries
    await note_ended(store, race)
    await is_folded(store, race)
    log = (await get(app, f"/races/{race}/log.jsonl")).body
    assert b'"timed_out"' in log and b'"ended"' in log


async def test_what_cannot_be_folded_is_tried_once(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    names = ["a" * 16, "b" * 16, "c" * 16]
    await replace(store, names[0], [("5-0", b"?")])
    await replace(store, names[1], [("5-1", b'{"type":"ended","standings":[]}')])
    for name in names:
        await note_ended(store, name)
    await Folding(store).sweep()
    assert await store.registry.ended_list() == []
    assert [await kind(store, name) for name in names] == [b"stream"] * 2 + [b"none"]
    assert caplog.text.count("stays as it is") == 2


def test_a_time_that_cannot_be() -> None:
    for text in ("-1", "nan", "inf", "1e300", "soon"):
        with pytest.raises(BadSetting):
            from_environment({"SAMEDEAL_FOLD_AFTER_S": text})

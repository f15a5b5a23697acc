"""Every error code of the list, reached; and which comes first where two would do."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from tests.conftest import Serve
from tests.helpers.raw import Message, Raw
from tests.server.conftest import Connect
from tests.server.scenes import (
    COVERED,
    NOWHERE,
    WINNING,
    opened,
    play,
    started,
)

from samedeal_server.app import App
from samedeal_server.net.session import Session
from samedeal_server.service.matching import Matching
from samedeal_server.settings import Limits
from samedeal_server.store import START, Append, AppendResult, Store


CODES = {
    *("bad_message", "hello_first", "bad_token", "bad_name", "unknown_game"),
    *("unknown_variant", "unknown_level", "bad_settings", "unknown_race", "race_full"),
    *("race_started", "not_started", "not_in_race", "not_host", "finished"),
    *("bad_move", "illegal_move", "stale_turn", "nothing_to_undo", "undo_refused"),
    *("too_many_races", "rate_limited", "unavailable", "internal"),
}


@dataclass
class Stage:
    """What a scene may need."""

    app: App
    store: Store
    serve: Serve
    connect: Connect

    async def player(self, name: str = "Ada") -> Raw:
        return await self.connect(self.app, name=name)


Case = tuple[Raw, str, dict[str, Any]]
"""A client, and the command that it is refused with the code."""

Scene = Callable[[Stage], Awaitable[Case]]

SCENES: dict[str, Scene] = {}


def reaching(code: str) -> Callable[[Scene], Scene]:
    def take(scene: Scene) -> Scene:
        SCENES[code] = scene
        return scene

    return take


@reaching("bad_message")
async def _(stage: Stage) -> Case:
    return await stage.player(), "sync", {"race": NOWHERE, "turn": -1}


@reaching("hello_first")
async def _(stage: Stage) -> Case:
    return await stage.connect(stage.app), "games", {}


@reaching("bad_token")
async def _(stage: Stage) -> Case:
    return await stage.connect(stage.app), "hello", {"token": "A" * 43}


@reaching("bad_name")
async def _(stage: Stage) -> Case:
    return await stage.connect(stage.app), "hello", {"name": "x" * 25}


@reaching("unknown_game")
async def _(stage: Stage) -> Case:
    return await stage.player(), "create", {"game": "chess"}


@reaching("unknown_variant")
async def _(stage: Stage) -> Case:
    return await stage.player(), "quick", {"game": "juvenile", "variant": "sealed"}


@reaching("unknown_level")
async def _(stage: Stage) -> Case:
    return await stage.player(), "create", {"game": "juvenile", "bots": ["genius"]}


@reaching("bad_settings")
async def _(stage: Stage) -> Case:
    return await stage.player(), "create", {"game": "juvenile", "seats": 17}


@reaching("unknown_race")
async def _(stage: Stage) -> Case:
    return await stage.player(), "ready", {"race": NOWHERE}


@reaching("race_full")
async def _(stage: Stage) -> Case:
    race = await opened(await stage.player("Bob"), seats=1)
    return await stage.player(), "join", {"race": race}


@reaching("race_started")
async def _(stage: Stage) -> Case:
    race = await started(await stage.player("Bob"))
    return await stage.player(), "join", {"race": race}


@reaching("not_started")
async def _(stage: Stage) -> Case:
    ada = await stage.player()
    return ada, "resign", {"race": await opened(ada)}


@reaching("not_in_race")
async def _(stage: Stage) -> Case:
    race = await opened(await stage.player("Bob"), open=True)
    return await stage.player(), "sync", {"race": race}


@reaching("not_host")
async def _(stage: Stage) -> Case:
    bob, ada = await stage.player("Bob"), await stage.player()
    return ada, "start", {"race": await opened(bob, ada)}


@reaching("finished")
async def _(stage: Stage) -> Case:
    ada, bob = await stage.player(), await stage.player("Bob")
    race = await started(ada, bob)
    await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    return ada, "move", {"race": race, "turn": 1, "moves": ["t0+t1"]}


@reaching("bad_move")
async def _(stage: Stage) -> Case:
    ada = await stage.player()
    race = await started(ada, **COVERED.create)
    return ada, "move", {"race": race, "turn": 0, "moves": COVERED.moves[:2]}


@reaching("illegal_move")
async def _(stage: Stage) -> Case:
    ada = await stage.player()
    return ada, "move", {"race": await started(ada), "turn": 0, "moves": ["t0+t99"]}


@reaching("stale_turn")
async def _(stage: Stage) -> Case:
    ada = await stage.player()
    return ada, "move", {"race": await started(ada), "turn": 1, "moves": ["t0+t1"]}


@reaching("nothing_to_undo")
async def _(stage: Stage) -> Case:
    ada = await stage.player()
    return ada, "undo", {"race": await started(ada, undo=True), "turn": 0}


@reaching("undo_refused")
async def _(stage: Stage) -> Case:
    ada = await stage.player()
    race = await started(ada, undo=True, **COVERED.create)
    await play(ada, race, COVERED.moves[:1])
    return ada, "undo", {"race": race, "turn": 1}


@reaching("too_many_races")
async def _(stage: Stage) -> Case:
    app = await stage.serve(limits=Limits(races_per_player=1))
    ada = await stage.connect(app, name="Ada")
    await opened(ada)
    return ada, "create", {"game": "juvenile"}


@reaching("rate_limited")
async def _(stage: Stage) -> Case:
    app = await stage.serve(limits=Limits(messages_per_s=1, messages_burst=1))
    return await stage.connect(app, name="Ada"), "ping", {}


@reaching("unavailable")
async def _(stage: Stage) -> Case:
    """A server that is closing, and waits for what is under way."""
    app = await stage.serve()
    ada = await stage.connect(app, name="Ada")
    race = await started(ada)
    await stage.store.nodes.ask_all("CLIENT", "PAUSE", 60_000, "WRITE")
    await ada.send("move", race=race, turn=0, moves=WINNING.moves[:1])
    await ada.rest()
    closing = asyncio.create_task(app.close())
    await asyncio.sleep(0)
    assert not closing.done()
    return ada, "move", {"race": race, "turn": 1, "moves": WINNING.moves[1:2]}


@reaching("internal")
async def _(stage: Stage) -> Case:
    """A log that this version cannot reduce."""
    result: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
    event = b'{"type":"invented"}'
    stage.store.log.append(Append(NOWHERE, START, [event], result.set_result))
    await result
    return await stage.player(), "join", {"race": NOWHERE}


# Errors about a race say which; those that have to do with none do not.
OF_A_RACE = {
    *("unknown_race", "race_full", "race_started", "not_started", "not_in_race"),
    *("not_host", "finished", "bad_move", "illegal_move", "stale_turn"),
    *("nothing_to_undo", "undo_refused", "unavailable", "internal"),
}


def test_every_code_has_a_scene() -> None:
    assert set(SCENES) == CODES


@pytest.fixture
async def stage(server: App, store: Store, serve: Serve, connect: Connect) -> Stage:
    return Stage(server, store, serve, connect)


@pytest.mark.parametrize("code", sorted(CODES))
async def test_the_code(stage: Stage, code: str) -> None:
    client, command, fields = await SCENES[code](stage)
    try:
        for command_id in ("one", 2):
            error = await client.ask(command, id=command_id, **fields)
            assert (error["type"], error["code"]) == ("error", code)
            allowed = {"type", "re", "code", "message"}
            if code in OF_A_RACE:
                assert error["race"] == fields["race"]
                allowed.add("race")
            if code == "stale_turn":
                assert error["turn"] == 0
                allowed.add("turn")
            assert set(error) == allowed
            assert 0 < len(error["message"]) <= 400
            assert "\n" not in error["message"]
    finally:
        await stage.store.nodes.ask_all("CLIENT", "UNPAUSE")


async def test_a_log_of_later_rules_is_refused_and_nothing_else(
    stage: Stage,
) -> None:
    """The error names the entry; other races go on."""
    ada = await stage.player()
    fine, later = await started(ada), await opened(ada)
    tail = await stage.store.log.read(later, START)
    entries = [entry.event for entry in tail.entries]
    entries[0] = entries[0].replace(later.encode(), NOWHERE.encode())
    assert b'"rules":1' in entries[0]
    entries[0] = entries[0].replace(b'"rules":1', b'"rules":2')
    result: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
    stage.store.log.append(Append(NOWHERE, START, entries, result.set_result))
    await result
    for command in ("join", "sync", "watch", "resign"):
        error = await ada.ask(command, race=NOWHERE)
        assert (error["code"], error["race"]) == ("internal", NOWHERE)
        assert "entry 0" in error["message"] and "rules" in error["message"]
    await play(ada, fine, WINNING.moves[:2])


async def test_a_fault_of_ours_is_answered_and_no_more_said(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(matching: Matching) -> None:
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr(Matching, "open_races", fail)
    ada = await stage.player()
    error = await ada.ask("lobby")
    assert (error["type"], error["code"]) == ("error", "internal")
    assert "secret" not in error["message"]
    assert (await ada.ask("games"))["type"] == "games"


async def test_a_fault_in_a_session_closes_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Session.receive
    failing: set[str] = set()

    def fail(session: Session, frame: str | bytes) -> Awaitable[None] | None:
        if session.player in failing:
            raise RuntimeError("a secret of ours")
        return whole(session, frame)

    monkeypatch.setattr(Session, "receive", fail)
    ada, bob = await stage.player(), await stage.player("Bob")
    failing.add(ada.player)
    await ada.send("ping")
    assert await ada.closed() == 1011
    assert "secret" not in (ada.socket.close_reason or "")
    assert (await bob.ask("ping"))["type"] == "pong"


async def test_what_was_in_flight_when_the_server_closed_is_answered(
    stage: Stage,
) -> None:
    client, *_ = await SCENES["unavailable"](stage)
    await stage.store.nodes.ask_all("CLIENT", "UNPAUSE")
    assert (await client.until("patch"))["turn"] == 1
    assert await client.closed() == 1001
    assert client.received[-1]["type"] == "closing"


async def test_the_order_of_checks(stage: Stage) -> None:
    """Each case could be refused for the code given and for some that come later."""
    ada, bob = await stage.player("Ada"), await stage.player("Bob")
    watcher, stranger = await stage.player("Wes"), await stage.connect(stage.app)
    lobby = await opened(ada, bob, open=True)
    race = await started(ada, bob, open=True, **COVERED.create)
    await watcher.ask("watch", race=race)
    await play(ada, race, COVERED.moves[:2])
    await ada.ask("resign", race=race)
    two, first = COVERED.moves[:2], COVERED.moves[:1]
    cases: list[tuple[Raw, str, int, list[Any]]] = [
        (stranger, "bad_message", -1, []),
        (stranger, "hello_first", 9, ["x"]),
        (watcher, "bad_message", 0, []),
        (watcher, "not_in_race", 9, ["x"]),
        (ada, "bad_message", 9, [None]),
        # Resends are answered, though the seat is done (in `test_resend`).
        (ada, "stale_turn", 9, ["x"]),
        (ada, "stale_turn", 0, ["x"]),
        (ada, "stale_turn", 1, first),
        (ada, "bad_move", 2, ["x"]),
        (ada, "bad_move", 2, two),
        (ada, "finished", 2, ["t0+t99"]),
        (bob, "stale_turn", 9, ["x"]),
        (bob, "bad_move", 0, ["t0+t99", "x"]),
        (bob, "illegal_move", 0, ["t0+t99"]),
    ]
    for client, code, turn, moves in cases:
        given = await client.refused("move", race=race, turn=turn, moves=moves)
        assert given == code, (code, turn, moves)
    for client, code in ((ada, "not_started"), (watcher, "not_in_race")):
        given = await client.refused("move", race=lobby, turn=9, moves=["x"])
        assert given == code
    assert await watcher.refused("move", race="x", turn=9, moves=["x"]) == (
        "unknown_race"
    )


async def test_errors_change_nothing(stage: Stage) -> None:
    """After every refusal that a race knows, it is as it was."""
    ada, bob = await stage.player("Ada"), await stage.player("Bob")
    race = await started(ada, bob, undo=True, open=True)
    await play(ada, race, WINNING.moves[:1])
    await bob.until("progress")

    async def shown() -> list[Message]:
        await bob.send("sync", race=race)
        rest = await bob.rest()
        for message in rest:
            message.pop("starts_in_ms", None)
        return rest

    before = await shown()
    refused: list[tuple[str, dict[str, Any]]] = [
        ("ready", {}),
        ("start", {"seat": 5}),
        ("kick", {"seat": 1}),
        ("rematch", {}),
        ("move", {"turn": 0, "moves": WINNING.moves[1:2]}),
        ("move", {"turn": 1, "moves": ["nonsense"]}),
        ("move", {"turn": 1, "moves": ["t0+t99"]}),
        ("move", {"turn": 1, "moves": [*WINNING.moves[1:], "t0+t1"]}),
        ("undo", {"turn": 0}),
        ("undo", {"turn": 9}),
    ]
    for command, fields in refused:
        await ada.ask(command, race=race, **fields)
    assert await bob.refused("move", race=race, turn=3, moves=["t0+t1"]) == "stale_turn"
    assert await shown() == before

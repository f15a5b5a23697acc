"""Plain HTTP on the same port: health, and the log of a race that is over."""

import asyncio
import hashlib
import json
import re
from dataclasses import dataclass

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.raw import Raw
from tests.server.conftest import Arrive
from tests.server.scenes import NOWHERE, WINNING, opened, play, started

from samedeal_server.app import App


pytestmark = pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)


@dataclass
class Response:
    status: int
    headers: dict[str, str]
    body: bytes


async def get(app: App, path: str, method: str = "GET") -> Response:
    """What the server answers; it closes the connection itself."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    async with asyncio.timeout(raw.PATIENCE_S):
        answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    assert int(headers["content-length"]) == len(body)
    return Response(int(first.split()[1]), headers, body)


async def ended(player: Raw) -> raw.Message:
    """A race that is over, as its last `race` says."""
    race = await started(player)
    await play(player, race, WINNING.moves[:3])
    await player.ask("resign", race=race)
    info = await player.until("race", phase="ended")
    await player.until("view")
    return info


async def test_health(arrive: Arrive, server: App) -> None:
    response = await get(server, "/healthz")
    assert (response.status, response.body) == (200, b"ok\n")


async def test_a_log_is_served_in_file_form(arrive: Arrive, server: App) -> None:
    ada = await arrive("Ada")
    info = await ended(ada)
    response = await get(server, f"/races/{info['race']}/log.jsonl")
    assert response.status == 200
    assert response.headers["content-type"] == "application/x-ndjson"
    *lines, last, nothing = response.body.split(b"\n")
    assert nothing == b""
    body = b"".join(line + b"\n" for line in lines)
    digest = hashlib.sha256(body).hexdigest()
    assert last.decode() == f'{{"digest":"{digest}"}}'
    assert info["digest"] == digest
    events: list[raw.Message] = []
    for index, line in enumerate(lines):
        entry = json.loads(line)
        assert list(entry) == ["index", "at_ms", "event"]
        assert entry["index"] == index
        assert type(entry["at_ms"]) is int
        # No spaces, and the event's bytes as they are stored.
        assert (
            line
            == json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode()
        )
        events.append(entry["event"])
    assert [event["type"] for event in events] == [
        *("created", "joined", "ready", "countdown"),
        *("moved", "moved", "moved", "resigned", "ended"),
    ]
    assert all(next(iter(event)) == "type" for event in events)


async def test_what_the_events_of_a_log_say(arrive: Arrive, server: App) -> None:
    ada = await arrive("Zoë 🂡")
    info = await ended(ada)
    response = await get(server, f"/races/{info['race']}/log.jsonl")
    # Raw UTF-8.
    assert "Zoë 🂡".encode() in response.body
    entries = [json.loads(line) for line in response.body.splitlines()[:-1]]
    created, joined, ready, countdown, moved, *_, resigned, over = (
        entry["event"] for entry in entries
    )
    assert created == {
        "type": "created",
        "race": info["race"],
        "code": info["code"],
        "game": "juvenile",
        "variant": "one-deck",
        "rules": 1,
        "settings": info["settings"],
        "chosen": True,
        "quick": False,
        "host": ada.player,
        "seed": WINNING.seed,
        "salt": info["salt"],
        "commitment": info["commitment"],
    }
    given = bytes.fromhex(info["salt"] + info["seed"]) + b"juvenile/one-deck"
    assert info["commitment"] == hashlib.sha256(given).hexdigest()
    assert joined == {
        "type": "joined",
        "seat": 0,
        "player": ada.player,
        "name": "Zoë 🂡",
    }
    assert ready == {"type": "ready", "seat": 0, "ready": True}
    assert countdown == {"type": "countdown", "countdown_ms": 0}
    first = {"type": "moved", "seat": 0, "turn": 0, "moves": WINNING.moves[:1]}
    assert moved == first
    assert resigned == {"type": "resigned", "seat": 0}
    elapsed = info["seats"][0]["elapsed_ms"]
    assert over == {
        "type": "ended",
        "standings": [
            {
                "seat": 0,
                "place": 1,
                "status": "resigned",
                "left": 46,
                "elapsed_ms": elapsed,
            }
        ],
    }
    # One append: the race, its host and its bots have one time.
    assert entries[0]["at_ms"] == entries[1]["at_ms"]
    assert elapsed == entries[-2]["at_ms"] - entries[3]["at_ms"]


async def test_bots_and_undo_and_leaving_in_the_log(
    arrive: Arrive, server: App
) -> None:
    ada, robot = await arrive("Ada"), await arrive("Robot", bot=True)
    race = await opened(ada, robot, undo=True, countdown_ms=0, **WINNING.create)
    await ada.ask("kick", race=race, seat=1)
    await ada.ask("start", race=race)
    await ada.until("view")
    await play(ada, race, WINNING.moves[:1])
    await ada.ask("undo", race=race, turn=1)
    await ada.ask("resign", race=race)
    await ada.until("race", phase="ended")
    response = await get(server, f"/races/{race}/log.jsonl")
    events = [json.loads(line)["event"] for line in response.body.splitlines()[:-1]]
    by_type = {event["type"]: event for event in events}
    assert events[2]["bot"] == "external"
    assert by_type["left"] == {"type": "left", "seat": 1}
    assert by_type["undone"] == {"type": "undone", "seat": 0, "turn": 1}


async def test_ready_twice_and_moves_refused_are_not_logged(
    arrive: Arrive, server: App
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob, countdown_ms=0, **WINNING.create)
    for _ in range(3):
        await ada.ask("ready", race=race)
    await ada.ask("start", race=race)
    await ada.until("view")
    await ada.refused("move", race=race, turn=0, moves=["t0+t99"])
    for _ in range(2):
        await ada.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    for player in (ada, bob):
        for _ in range(2):
            await player.ask("leave", race=race)
    await ada.until("race", phase="ended")
    response = await get(server, f"/races/{race}/log.jsonl")
    events = [json.loads(line)["event"] for line in response.body.splitlines()[:-1]]
    assert [event["type"] for event in events] == [
        *("created", "joined", "joined", "ready", "countdown"),
        *("moved", "resigned", "resigned", "ended"),
    ]


async def test_a_race_that_is_not_over_has_no_log(arrive: Arrive, server: App) -> None:
    ada = await arrive("Ada")
    for race in (await opened(ada), await started(ada)):
        response = await get(server, f"/races/{race}/log.jsonl")
        assert response.status == 409
        # A sentence, and nothing of the race.
        assert re.fullmatch(rb"[^\n]+\.\n", response.body)
        assert WINNING.seed.encode() not in response.body


async def test_a_lobby_that_everybody_left_has_a_log(
    arrive: Arrive, server: App
) -> None:
    ada = await arrive("Ada")
    race = await opened(ada)
    await ada.ask("leave", race=race)
    response = await get(server, f"/races/{race}/log.jsonl")
    assert response.status == 200
    assert b'{"type":"ended","standings":[]}' in response.body


async def test_there_is_no_such_log(arrive: Arrive, server: App) -> None:
    malformed = ("x", "a" * 15, "a" * 17, "A" * 16, "a" * 15 + "1", "a" * 15 + "%61")
    for race in (NOWHERE, *malformed, "..", "%2e%2e", "a" * 15 + "%0a"):
        assert (await get(server, f"/races/{race}/log.jsonl")).status == 404


async def test_a_log_is_served_by_any_node(
    arrive: Arrive, server: App, serve: Serve
) -> None:
    ada = await arrive("Ada")
    race = (await ended(ada))["race"]
    other = await serve()
    bodies = [
        (await get(app, f"/races/{race}/log.jsonl")).body for app in (server, other)
    ]
    assert bodies[0] == bodies[1]


async def test_ws_without_an_upgrade(arrive: Arrive, server: App) -> None:
    """The page does not say; an answer, though, and no crash."""
    assert (await get(server, "/ws")).status == 426
    assert (await get(server, "/nothing/here")).status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
@pytest.mark.parametrize("path", ["/", "/healthz", "/ws", "/races/a/log.jsonl"])
async def test_nothing_is_written_over_http(
    arrive: Arrive, server: App, method: str, path: str
) -> None:
    answer = await get(server, path, method)
    assert answer.status == 405
    assert answer.headers["allow"] == "get, head"


async def test_the_head_of_what_is_there(arrive: Arrive, server: App) -> None:
    for path in ("/", "/healthz", "/races/a/log.jsonl"):
        whole = await get(server, path)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        async with asyncio.timeout(raw.PATIENCE_S):
            answer = (await reader.read()).decode()
        writer.close()
        assert answer.endswith("\r\n\r\n")
        assert int(answer.split()[1]) == whole.status
        assert f"Content-Length: {len(whole.body)}" in answer

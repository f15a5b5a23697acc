"""Looking back on a race that is over: what could have become of its deal."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.clients.cli.made_logs import MadeLog, whole
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.raw import Message, Raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import NOWHERE, WINNING, opened, play, started
from tests.server.test_http import get

from samedeal_games import apply_move, left, parse_move
from samedeal_protocol import logfile
from samedeal_protocol.codec import decode_event
from samedeal_server.app import App
from samedeal_server.race.analysis import analyse, told_of_deal, told_of_seat
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import replay
from samedeal_server.service import hindsight
from samedeal_server.settings import Limits


# Where it is not about what is told: each looks back in a process of its own.
in_json = pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)

# Both seats could clear this deal for a while.
LOSING = whole("juvenile", "seventeen-piles")


async def over(*players: Raw, log: MadeLog = LOSING) -> str:
    """A race that is over, played as the log was; its id."""
    race = await started(
        *players,
        game=log.race.variant.game,
        variant=log.race.variant.name,
        seed=log.race.seed,
    )
    for seat, player in enumerate(players):
        moves = [text for turn in log.seat(seat).turns for text in turn]
        await play(player, race, moves)
        if log.seat(seat).closed:
            await player.ask("resign", race=race)
    for player in players:
        await player.until("race", phase="ended")
        await player.until("view", seat=len(players) - 1)
    return race


async def resigned(player: Raw) -> str:
    """Another race that is over, of one seat."""
    race = await started(player)
    await player.ask("resign", race=race)
    await player.until("race", race=race, phase="ended")
    return race


async def logged(app: App, race: str) -> Race:
    """The race as its served log has it."""
    data = (await get(app, f"/races/{race}/log.jsonl")).body
    entries = logfile.read(data).entries
    state = replay((decode_event(entry.event), entry.at_ms) for entry in entries)
    assert state is not None
    return state


def expected(race: Race) -> Message:
    """What is to be told of a race: the rules' own words, worked out here."""
    found = analyse(race, range(16))
    deal = told_of_deal(race, found.deal)
    told: Message = {
        "race": race.id,
        "verdict": deal.verdict,
        "left": deal.left,
        "exact": deal.exact,
        "line": [*deal.line],
        "seats": [],
    }
    for seat in race.taken:
        one = told_of_seat(seat, found.chances.get(seat.number))
        names = ("seat", "left", "turn", "lost_by", "certain", "line")
        fields = {name: getattr(one, name) for name in names}
        told["seats"].append({k: v for k, v in fields.items() if v is not _UNSET})
    return told


_UNSET = told_of_seat(LOSING.seat(0), None).turn


def without(message: Message, *names: str) -> Message:
    return {key: value for key, value in message.items() if key not in names}


async def test_every_seat_is_told_what_lost_it(arrive: Arrive, server: App) -> None:
    ada, bob, wes = await arrive("Ada"), await arrive("Bob"), await arrive("Wes")
    race = await over(ada, bob)
    told = await ada.ask("analyse", race=race)
    assert told["type"] == "analysis"
    state = await logged(server, race)
    assert without(told, "type", "re") == expected(state)
    assert told["verdict"] == "won" and len(told["seats"]) == 2
    for seat in told["seats"]:
        taken = state.seat(seat["seat"])
        assert taken is not None
        assert seat["certain"] and seat["lost_by"] in taken.turns[seat["turn"]]
        # A line that would have won from there.
        board = state.deal
        for turn in taken.turns[: seat["turn"]]:
            for text in turn:
                board = apply_move(board, parse_move(text))
        for text in seat["line"]:
            board = apply_move(board, parse_move(text))
        assert left(board) == 0
    # The same for whoever asks, seat by seat, and over HTTP.
    await wes.ask("watch", race=race)
    for asker in (bob, wes):
        one = await asker.ask("analyse", race=race, seat=1)
        assert one == {**told, "re": one["re"], "seats": told["seats"][1:]}
    response = await get(server, f"/races/{race}/analysis.json")
    assert (response.status, response.headers["content-type"]) == (
        *(200, "application/json"),
    )
    assert json.loads(response.body) == without(told, "re")


@in_json
async def test_what_lies_where_a_server_runs_is_none_of_its_code(
    arrive: Arrive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hashlib.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    ada, bob = await arrive("Ada"), await arrive("Bob")
    told = await ada.ask("analyse", race=await over(ada, bob))
    assert told["type"] == "analysis"
    assert told["verdict"] == "won"


async def test_a_deal_that_nobody_could_clear(arrive: Arrive, server: App) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await over(ada, bob, log=whole("juvenile"))
    told = await ada.ask("analyse", race=race)
    assert (told["verdict"], told["exact"]) == ("lost", True)
    assert without(told, "type", "re") == expected(await logged(server, race))
    assert [set(seat) for seat in told["seats"]] == [{"seat", "left"}] * 2
    assert min(seat["left"] for seat in told["seats"]) >= told["left"] > 0


async def test_before_the_end_nothing_is_told(arrive: Arrive, server: App) -> None:
    ada, wes = await arrive("Ada"), await arrive("Wes")

    async def refused(race: str, code: str, status: int = 409) -> None:
        for asker in (ada, wes):
            assert await asker.refused("analyse", race=race) == code
            # No seat either: which are taken is not told by the way.
            for seat in (0, 7):
                assert await asker.refused("analyse", race=race, seat=seat) == code
        response = await get(server, f"/races/{race}/analysis.json")
        assert response.status == status
        assert response.body.count(b"\n") == 1 and len(response.body) < 200

    lobby = await opened(ada, seats=2)
    await refused(lobby, "not_started")
    await ada.ask("leave", race=lobby)
    await refused(lobby, "not_started")  # It ended, and nobody had played.
    counting = await opened(ada, countdown_ms=60_000)
    await ada.ask("start", race=counting)
    await refused(counting, "not_started")
    racing = await started(ada)
    await play(ada, racing, WINNING.moves[:2])
    before = await ada.ask("sync", race=racing, turn=1)
    await refused(racing, "race_started")
    await refused(NOWHERE, "unknown_race", 404)
    await refused("nonsense", "unknown_race", 404)
    # Errors change nothing.
    await ada.rest()
    after = await ada.ask("sync", race=racing, turn=1)
    assert without(after, "re", "starts_in_ms") == without(before, "re", "starts_in_ms")
    await ada.ask("resign", race=racing)
    assert (await ada.ask("analyse", race=racing, seat=0))["type"] == "analysis"
    assert await ada.refused("analyse", race=racing, seat=1) == "not_in_race"


async def test_a_race_that_only_the_store_knows(
    arrive: Arrive, connect: Connect, serve: Serve
) -> None:
    """Another node has never heard of it."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await over(ada, bob)
    other = await serve()
    eve = await connect(other, name="Eve")
    told = await eve.ask("analyse", race=race)
    assert without(told, "type", "re") == expected(await logged(other, race))


class Gate:
    """Holds back what looks at races, and counts how often it does."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.looked = 0
        self._whole = hindsight._look_back

    async def look_back(self, data: bytes) -> list[bytes]:
        self.looked += 1
        await self.open.wait()
        return await self._whole(data)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    gate = Gate()
    monkeypatch.setattr(hindsight, "_look_back", gate.look_back)
    return gate


@in_json
async def test_it_delays_no_move_of_who_asked(arrive: Arrive, gate: Gate) -> None:
    ada = await arrive("Ada")
    first, second = await resigned(ada), await started(ada)
    await ada.send("analyse", id="long", race=first)
    await play(ada, second, WINNING.moves[:3])
    assert not any(message.get("re") == "long" for message in ada.received)
    gate.open.set()
    assert (await ada.answer("long"))["race"] == first


@in_json
async def test_what_takes_long_goes_on_and_is_told_to_who_asks_again(
    connect: Connect, serve: Serve, gate: Gate
) -> None:
    app = await serve(unavailable_s=0.4)
    ada, bob = await connect(app, name="Ada"), await connect(app, name="Bob")
    race = await resigned(ada)
    for asker in (ada, bob):
        assert await asker.refused("analyse", race=race) == "unavailable"
    response = await get(app, f"/races/{race}/analysis.json")
    assert (response.status, response.headers["retry-after"]) == (503, "1")
    gate.open.set()
    async with asyncio.timeout(10):
        while (await bob.ask("analyse", race=race))["type"] == "error":
            pass
    assert (await ada.ask("analyse", race=race))["type"] == "analysis"
    assert gate.looked == 1


@in_json
async def test_how_many_one_address_may_ask_for(
    connect: Connect, serve: Serve, gate: Gate
) -> None:
    app = await serve(limits=Limits(analyses_per_address=1), unavailable_s=0.2)
    ada = await connect(app, name="Ada")
    first, second = await resigned(ada), await resigned(ada)
    assert await ada.refused("analyse", race=first) == "unavailable"
    assert await ada.refused("analyse", race=second) == "rate_limited"
    response = await get(app, f"/races/{second}/analysis.json")
    assert (response.status, response.headers["retry-after"]) == (429, "1")
    # To wait for the same race costs nothing.
    assert await ada.refused("analyse", race=first) == "unavailable"
    gate.open.set()
    for race in (first, second):
        async with asyncio.timeout(10):
            while (await ada.ask("analyse", race=race))["type"] == "error":
                pass


@in_json
async def test_how_many_a_server_takes_on(
    connect: Connect, serve: Serve, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hindsight, "_MOST_WAITING", 1)
    app = await serve(unavailable_s=0.2)
    ada = await connect(app, name="Ada")
    first, second = await resigned(ada), await resigned(ada)
    for race in (first, second):
        error = await ada.ask("analyse", race=race)
        assert error["code"] == "unavailable"
    assert "Many races" in error["message"]
    assert gate.looked == 1


@in_json
async def test_what_time_has_cut_short_is_unknown(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of what was played, the best is told."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await over(ada, bob)
    monkeypatch.setattr(hindsight, "PATIENCE_S", 0)
    told = await ada.ask("analyse", race=race)
    best = min(seat.left for seat in LOSING.race.taken)
    assert (told["verdict"], told["exact"], told["left"]) == ("unknown", False, best)
    assert [without(seat, "left") for seat in told["seats"]] == [
        {"seat": 0, "certain": False},
        {"seat": 1, "certain": False},
    ]
    board = LOSING.race.deal
    for text in told["line"]:
        board = apply_move(board, parse_move(text))
    assert left(board) == best


@in_json
async def test_a_seat_that_time_was_too_short_for_began_on_the_deal(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await over(ada, bob)
    whole = hindsight._look_back

    async def first(data: bytes) -> list[bytes]:
        return (await whole(data))[:1]

    monkeypatch.setattr(hindsight, "_look_back", first)
    told = await ada.ask("analyse", race=race)
    assert told["verdict"] == "won"
    for number, seat in enumerate(told["seats"]):
        known = {"seat": number, "turn": 0, "line": told["line"], "certain": False}
        assert without(seat, "left") == known


@in_json
async def test_where_no_process_can_be_had(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said, and is not for ever."""
    ada = await arrive("Ada")
    race = await resigned(ada)
    with monkeypatch.context() as patch:
        for program in ("/bin/false", "/nowhere"):
            patch.setattr(sys, "executable", program)
            assert await ada.refused("analyse", race=race) == "unavailable"
    assert (await ada.ask("analyse", race=race))["type"] == "analysis"


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Process]]:
    """Processes that were started for an analysis, and do not get on."""
    made: list[Process] = []
    start: Callable[..., Any] = asyncio.create_subprocess_exec

    async def start_stopped(*given: Any, **options: Any) -> Process:
        process: Process = await start(*given, **options)
        process.send_signal(signal.SIGSTOP)
        made.append(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_stopped)
    yield made
    assert all(process.returncode is not None for process in made)


@in_json
async def test_a_server_that_closes_leaves_no_process(
    connect: Connect, serve: Serve, stopped: list[Process]
) -> None:
    app = await serve(unavailable_s=0.4)
    ada = await connect(app, name="Ada")
    race = await resigned(ada)
    assert await ada.refused("analyse", race=race) == "unavailable"
    assert len(stopped) == 1
    await app.close()
    assert stopped[0].returncode == -signal.SIGKILL


@in_json
async def test_a_process_that_hangs_is_ended(
    arrive: Arrive, stopped: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hindsight, "PATIENCE_S", 1)
    ada = await arrive("Ada")
    told = await ada.ask("analyse", race=await resigned(ada))
    assert told["verdict"] == "unknown"
    assert stopped[0].returncode == -signal.SIGKILL

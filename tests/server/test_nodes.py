"""Several nodes on one store: any of them serves any race."""

import asyncio
import json

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.server.conftest import Arrive, Connect
from tests.server.past import started_since
from tests.server.scenes import WINNING, opened, play, seat_of, started
from tests.server.test_http import get

from samedeal_server.app import App
from samedeal_server.hub.hub import Hub
from samedeal_server.store import Store


pytestmark = pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)


@pytest.fixture
async def other(serve: Serve) -> App:
    """A second node; `server` is the first."""
    return await serve()


async def events_of(app: App, race: str) -> list[raw.Message]:
    """A race's events, from its served log."""
    body = (await get(app, f"/races/{race}/log.jsonl")).body
    return [json.loads(line)["event"] for line in body.splitlines()[:-1]]


async def logged(app: App, race: str) -> list[str]:
    """Their types."""
    return [event["type"] for event in await events_of(app, race)]


async def test_lobby_codes_and_the_list_are_the_same(
    arrive: Arrive, connect: Connect, other: App
) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    race = await opened(ada, open=True)
    [listed] = (await bob.ask("lobby"))["races"]
    assert (listed["race"], listed["taken"]) == (race, 1)
    joined = await bob.ask("join", code=listed["code"])
    assert (joined["race"], joined["seat"]) == (race, 1)
    info = await ada.until("race")
    assert [seat["connected"] for seat in info["seats"]] == [True, True]
    await ada.ask("ready", race=race)
    info = await bob.until("race")
    while not seat_of(info, 0)["ready"]:
        info = await bob.until("race")


async def test_progress_crosses(arrive: Arrive, connect: Connect, other: App) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    wes = await connect(other, name="Wes")
    race = await started(ada, bob, open=True)
    await wes.ask("watch", race=race)
    await play(ada, race, WINNING.moves[:5])
    for player in (bob, wes):
        last = await player.until("progress", turn=5)
        assert (last["seat"], last["left"]) == (0, 42)
    await play(bob, race, WINNING.moves[:2])
    assert (await ada.until("progress", turn=2))["seat"] == 1
    assert (await wes.until("progress", seat=1, turn=2))["left"] == 48


async def test_the_end_is_told_everywhere(
    arrive: Arrive, connect: Connect, server: App, other: App
) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    race = await started(ada, bob)
    won = await ada.ask("move", race=race, turn=0, moves=WINNING.moves)
    assert (await bob.until("progress", status="won"))["left"] == 0
    await bob.ask("resign", race=race)
    infos = [await p.until("race", phase="ended") for p in (ada, bob)]
    assert infos[0]["digest"] == infos[1]["digest"]
    assert seat_of(infos[1], 0)["elapsed_ms"] == won["elapsed_ms"]
    for player in (ada, bob):
        for seat in (0, 1):
            await player.until("view", seat=seat)
    for app in (server, other):
        assert (await logged(app, race)).count("ended") == 1


async def test_both_move_at_once(
    arrive: Arrive, connect: Connect, server: App, other: App
) -> None:
    """Two nodes append to one log: each move is in it once."""
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    race = await started(ada, bob)
    await asyncio.gather(
        play(ada, race, WINNING.moves[:20]), play(bob, race, WINNING.moves[:20])
    )
    for player, seat in ((ada, 1), (bob, 0)):
        assert (await player.until("progress", turn=20))["seat"] == seat
    for player in (ada, bob):
        await player.ask("resign", race=race)
    await ada.until("race", phase="ended")
    assert (await logged(server, race)).count("moved") == 40


async def test_one_command_sent_to_both(
    arrive: Arrive, connect: Connect, server: App, other: App
) -> None:
    """The player goes over to another node and sends again: appended once."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    await ada.send("move", race=race, turn=0, moves=WINNING.moves[:1])
    there = await connect(other, token=ada.token)
    patch = await there.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
    assert (patch["type"], patch["from"], patch["turn"]) == ("patch", 0, 1)
    for player in (there, bob):
        await player.ask("resign", race=race)
    await bob.until("race", phase="ended")
    assert (await logged(server, race)).count("moved") == 1


async def test_a_newer_connection_elsewhere_takes_over(
    arrive: Arrive, connect: Connect, other: App, server: App
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    there = await connect(other, token=ada.token)
    # By a bell, long before the nodes compare who is where.
    async with asyncio.timeout(5):
        assert await ada.closed() == 4000
    assert seat_of(await bob.ask("sync", race=race), 0)["connected"] is True
    await there.ask("sync", race=race)
    await play(there, race, WINNING.moves[:1])
    assert (await bob.until("progress", turn=1))["seat"] == 0
    # And back again.
    back = await connect(server, token=ada.token)
    assert await there.closed() == 4000
    await play(back, race, WINNING.moves[1:2], turn=1)


async def test_without_any_bell_what_is_asked_for_is_up_to_date(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nodes that never hear of each other: a player who goes over loses nothing."""

    def deaf(hub: Hub, race: str) -> None:
        """Bells ring unheard."""

    monkeypatch.setattr(Hub, "rang", deaf)
    one, two = await serve(), await serve()
    ada, bob = await connect(one, name="Ada"), await connect(two, name="Bob")
    wes = await connect(two, name="Wes")
    race = await started(ada, open=True)
    await bob.ask("watch", race=race)
    for turn, command in ((1, "sync"), (2, "join")):
        await play(ada, race, WINNING.moves[turn - 1 : turn], turn - 1)
        await ada.close()
        ada = await connect(two if turn == 1 else one, token=ada.token)
        await ada.ask(command, race=race)
        view = await ada.until("view")
        assert view["turn"] == turn
    info = await wes.ask("watch", race=race)
    assert seat_of(info, 0)["turn"] == 2
    # Whoever listened there is told what was read on the way.
    assert (await bob.until("progress", turn=2))["left"] == 48


async def test_who_is_connected_is_seen_everywhere(
    arrive: Arrive, connect: Connect, other: App
) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    race = await opened(ada, bob)
    await bob.close()
    info = await ada.until("race")
    while seat_of(info, 1)["connected"]:
        info = await ada.until("race")
    back = await connect(other, token=bob.token)
    while not seat_of(info, 1)["connected"]:
        info = await ada.until("race")
    assert (await back.ask("sync", race=race))["type"] == "race"


async def test_a_node_new_to_a_race_knows_who_is_away(
    arrive: Arrive, connect: Connect, other: App
) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    races = [await opened(ada, bob, cleo), await started(ada, bob, cleo)]
    await bob.close()
    for race in races:
        info = await ada.until("race", race=race)
        assert [seat["connected"] for seat in info["seats"]] == [True, False, True]
    there = await connect(other, token=ada.token)
    for race in races:
        info = await there.ask("sync", race=race)
        while seat_of(info, 1)["connected"]:
            info = await there.until("race", race=race)
        assert seat_of(info, 2)["connected"] is True


async def test_quick_match_meets(arrive: Arrive, connect: Connect, other: App) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    for player in (ada, bob):
        await player.send("quick", id="q", game="doublets")
    joined = [await player.answer("q") for player in (ada, bob)]
    assert joined[0]["race"] == joined[1]["race"]
    assert {message["seat"] for message in joined} == {0, 1}


async def test_a_rematch_meets(arrive: Arrive, connect: Connect, other: App) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    race = await started(ada, bob)
    for player in (ada, bob):
        await player.ask("resign", race=race)
    for player in (ada, bob):
        await player.until("race", phase="ended")
    joined = await ada.ask("rematch", race=race)
    info = await bob.until("race", race=race, rematch=joined["race"])
    assert info["phase"] == "ended"
    assert (await bob.ask("rematch", race=race))["race"] == joined["race"]


async def test_somebody_put_out_hears_of_it_elsewhere(
    arrive: Arrive, connect: Connect, other: App
) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    race = await opened(ada, bob)
    assert len((await ada.ask("sync", race=race))["seats"]) == 2
    assert (await ada.ask("kick", race=race, seat=1))["type"] == "race"
    info = await bob.until("race")
    while len(info["seats"]) == 2:
        info = await bob.until("race")
    assert await bob.refused("ready", race=race) == "not_in_race"


async def test_bots_go_on_from_another_node(
    serve: Serve, connect: Connect, arrive: Arrive, store: Store
) -> None:
    """The node that drove them is gone; another has the lease after it."""
    first = await serve(bot_pace_ms=(100, 100))
    ada = await connect(first, name="Ada")
    race = await started(ada, seats=2, bots=["greedy"])
    await ada.until("progress", seat=1)
    await first.close()
    second = await serve()
    back = await connect(second, token=ada.token)
    await back.ask("sync", race=race)
    await back.ask("resign", race=race)
    info = await back.until("race", phase="ended")
    assert seat_of(info, 1)["status"] in ("won", "stuck")


async def test_a_countdown_whose_node_is_gone(
    serve: Serve, connect: Connect, arrive: Arrive
) -> None:
    first, second = await serve(), await serve()
    ada, bob = await connect(first, name="Ada"), await connect(second, name="Bob")
    race = await opened(ada, bob, countdown_ms=400, **WINNING.create)
    await ada.ask("start", race=race)
    await first.close()
    assert await ada.closed() == 1001
    view = await bob.until("view")
    assert view["piles"] == WINNING.start["piles"]


async def test_a_race_past_its_limit_is_ended_once_by_two(
    connect: Connect, server: App, other: App, store: Store, arrive: Arrive
) -> None:
    ada, bob = await arrive("Ada"), await connect(other, name="Bob")
    race = await started_since(9_600, store, ada, bob)
    for player in (ada, bob):
        await player.ask("sync", race=race)
    infos = [await player.until("race", phase="ended") for player in (ada, bob)]
    assert infos[0]["digest"] == infos[1]["digest"]
    events = await logged(server, race)
    assert (events.count("timed_out"), events.count("ended")) == (1, 1)


async def test_races_that_nobody_answers_in(
    serve: Serve, connect: Connect, store: Store
) -> None:
    """One starts, one times out and ends, though their node went and another came."""
    first = await serve()
    ada, bob = await connect(first, name="Ada"), await connect(first, name="Bob")
    starting = await opened(ada, bob, open=True, countdown_ms=1000)
    ending = await started_since(9_000, store, ada, bob, open=True)
    await ada.ask("start", race=starting)
    for player in (ada, bob):
        await player.ask("sync", race=ending)
        await player.vanish()
    await first.close()

    second = await serve()
    wes = await connect(second, name="Wes")
    assert (await wes.ask("watch", race=starting))["phase"] == "countdown"
    info = await wes.ask("watch", race=ending)
    begun = await wes.until("race", race=starting, phase="racing")
    assert begun["starts_in_ms"] <= 0
    # Nothing is heard until the limit.
    if info["phase"] != "ended":
        info = await wes.until("race", race=ending, phase="ended")
    assert [seat["status"] for seat in info["seats"]] == ["timed_out"] * 2
    assert [seat["elapsed_ms"] for seat in info["seats"]] == [10_000] * 2
    assert [seat["place"] for seat in info["seats"]] == [1, 1]
    assert await logged(second, ending) == [
        *("created", "joined", "joined", "countdown", "timed_out", "ended")
    ]
    events = await events_of(second, ending)
    assert events[-2] == {"type": "timed_out", "seats": [0, 1]}

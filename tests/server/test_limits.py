"""What one client may do, and what becomes of it when it does more."""

import contextlib

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.raw import Raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import WINNING, line, opened, play, seat_of, started
from websockets.exceptions import ConnectionClosed, InvalidStatus

from samedeal_server.net import server as net_server
from samedeal_server.settings import Limits, Settings
from samedeal_server.store import Store, keys


LONG = line("juvenile", "seventeen-piles", "won")


async def test_messages_a_second_and_bursts(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits(refusals=0))
    client = await connect(app, name="Ada")
    began_ms = client.received[0]["now_ms"]
    for number in range(150):
        await client.send("ping", id=number)
    answers = [await client.answer(number) for number in range(150)]
    pongs = [m for m in answers if m["type"] == "pong"]
    errors = [m for m in answers if m["type"] == "error"]
    assert {m["code"] for m in errors} == {"rate_limited"}
    took_s = (pongs[-1]["now_ms"] - began_ms) / 1000
    assert 79 <= len(pongs) <= 79 + 40 * took_s + 2
    assert [m["type"] for m in answers[:79]] == ["pong"] * 79
    # The connection lives, and tokens come back.
    while (await client.ask("ping"))["type"] != "pong":
        pass


async def test_too_many_refusals_close_the_connection(
    connect: Connect, serve: Serve
) -> None:
    app = await serve(limits=Limits(messages_per_s=1, messages_burst=1, refusals=200))
    client = await connect(app, name="Ada")
    for number in range(220):
        await client.send("ping", id=number)
    assert await client.closed() == 1008
    errors = [m for m in client.received if m["type"] == "error"]
    assert 200 <= len(errors) <= 203
    assert {m["code"] for m in errors} == {"rate_limited"}


async def test_pings_and_fragments_count_too(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits(messages_per_s=1, messages_burst=1, refusals=20))
    for flood in (pings, fragments):
        client = await connect(app, name="Ada")
        await flood(client, 15)
        assert (await client.ask("ping"))["code"] == "rate_limited"
        with contextlib.suppress(ConnectionClosed):
            await flood(client, 30)
        assert await client.closed() == 1008


async def pings(client: Raw, count: int) -> None:
    for number in range(count):
        await client.socket.ping(b"%d" % number)


async def fragments(client: Raw, count: int) -> None:
    whole = client.encode({"type": "ping", "id": "whole"})
    if client.binary:
        await client.socket.send([*count * [b""], whole])
    else:
        await client.socket.send([*count * [""], whole.decode()])


@pytest.mark.parametrize("junk", [{"type": "no_such"}, [], {"type": "ping", "t": None}])
async def test_messages_that_are_none_count_too(
    connect: Connect, serve: Serve, junk: object
) -> None:
    app = await serve(limits=Limits(messages_per_s=1, messages_burst=1, refusals=20))
    client = await connect(app, name="Ada")
    for _ in range(30):
        await client.send_object(junk)
    assert await client.closed() == 1008
    errors = [m for m in client.received if m["type"] == "error"]
    assert {m["code"] for m in errors} == {"bad_message"}


async def test_whoever_says_no_hello_is_counted_too(
    connect: Connect, serve: Serve
) -> None:
    app = await serve(limits=Limits(messages_per_s=1, messages_burst=1, refusals=20))
    client = await connect(app)
    for _ in range(30):
        await client.send("ping")
    assert await client.closed() == 1008
    assert {m["code"] for m in client.received} == {"hello_first"}


async def test_the_order_with_other_refusals(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits(messages_per_s=1, messages_burst=3))
    client = await connect(app, name="Ada")
    await client.ask("ping")
    await client.ask("ping")
    assert await client.refused("no_such") == "bad_message"
    assert await client.refused("resign", race="nonsense") == "rate_limited"
    assert await client.refused("move", race="nonsense") == "bad_message"


async def test_connections_of_an_address(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits(connections_per_address=2))
    first, _ = await connect(app, name="Ada"), await connect(app)
    with pytest.raises(InvalidStatus) as refusal:
        await connect(app)
    assert refusal.value.response.status_code == 429
    await first.close()
    await connect(app, name="Ada")


async def test_joins_by_code_of_an_address(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits(joins_per_minute=3))
    ada, bob = await connect(app, name="Ada"), await connect(app, name="Bob")
    race = await opened(ada, open=True)
    code = (await ada.ask("sync", race=race))["code"]
    assert await ada.refused("join", code="AAAAAA") == "unknown_race"
    assert await bob.refused("watch", code="nonsense") == "unknown_race"
    assert (await bob.ask("join", code=code))["type"] == "joined"
    for player in (ada, bob):
        assert await player.refused("join", code=code) == "rate_limited"
        assert await player.refused("watch", code=code) == "rate_limited"
    # By id there is nothing to guess.
    assert (await bob.ask("join", race=race))["type"] == "joined"
    assert (await bob.ask("watch", race=race))["type"] == "race"


async def test_unfinished_races_of_a_player(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits(races_per_player=3))
    ada, bob = await connect(app, name="Ada"), await connect(app, name="Bob")
    over = await started(ada)
    await ada.ask("resign", race=over)
    await ada.until("race", phase="ended")
    mine = await opened(ada)
    his = await opened(bob, open=True)
    await ada.ask("join", race=his)
    await ada.ask("quick", game="juvenile")
    for command, fields in (
        ("create", {"game": "juvenile"}),
        ("join", {"race": await opened(bob)}),
        ("quick", {"game": "doublets"}),
        ("rematch", {"race": over}),
    ):
        assert await ada.refused(command, **fields) == "too_many_races", command
    # What one has a seat in is no more.
    assert (await ada.ask("join", race=his))["type"] == "joined"
    assert (await ada.ask("quick", game="juvenile"))["type"] == "joined"
    await ada.ask("leave", race=mine)
    assert (await ada.ask("rematch", race=over))["type"] == "joined"


async def test_the_default_is_sixteen_races(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits(messages_per_s=0))
    ada = await connect(app, name="Ada")
    for _ in range(16):
        assert (await ada.ask("create", game="juvenile"))["type"] == "joined"
    assert await ada.refused("create", game="juvenile") == "too_many_races"


async def test_lobby_events_of_a_seat(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob)
    # Taking the seat was the first of a hundred.
    for number in range(99):
        info = await bob.ask("ready", race=race, ready=number % 2 == 0)
        assert info["type"] == "race", number
    assert await bob.refused("ready", race=race, ready=False) == "rate_limited"
    # What changes nothing is no event; leaving is always possible, coming back not.
    assert (await bob.ask("ready", race=race, ready=True))["type"] == "race"
    assert (await ada.ask("ready", race=race, ready=False))["type"] == "race"
    assert (await bob.ask("leave", race=race))["type"] == "race"
    assert await bob.refused("join", race=race) == "rate_limited"


def test_the_defaults_are_the_page_s() -> None:
    settings, limits = Settings(), Limits()
    assert settings.message_bytes == 8192
    assert settings.dead_peer_s == 20
    assert (settings.send_queue_s, settings.send_queue_bytes) == (10, 2**20)
    assert settings.unavailable_s < 5
    assert settings.keep_days == 30
    assert (limits.messages_per_s, limits.messages_burst) == (40, 80)
    assert limits.refusals == 200
    assert limits.connections_per_address == 200
    assert limits.joins_per_minute == 60
    assert limits.races_per_player == 16
    assert limits.quick_seats_per_address == 0
    assert limits.analyses_per_address == 4


async def test_what_is_over_is_kept_for_some_days(
    connect: Connect, serve: Serve, store: Store
) -> None:
    app = await serve(keep_days=2)
    ada = await connect(app, name="Ada")
    race = await started(ada)
    await ada.ask("resign", race=race)
    code = (await ada.until("race", phase="ended"))["code"]
    for key in (keys.log(race), keys.code(code)):
        # The code is kept longer before the end, lest it be lost.
        seconds = -1
        while not 0 < seconds <= 2 * 86_400:
            await ada.ask("ping")
            seconds = await store.nodes.call(key, "TTL", key)
        assert seconds > 86_400


async def test_limits_off_is_no_limit(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for number in range(300):
        await ada.send("ping", id=number)
    for number in range(300):
        assert (await ada.answer(number))["type"] == "pong"


async def test_one_seat_of_an_address_in_a_quick_race(
    connect: Connect, serve: Serve
) -> None:
    """A setting, off by default: strangers from one address do not meet."""
    app = await serve(limits=Limits(quick_seats_per_address=1))
    ada, bob = await connect(app, name="Ada"), await connect(app, name="Bob")
    first = await ada.ask("quick", game="juvenile")
    second = await bob.ask("quick", game="juvenile")
    assert second["type"] == "joined"
    assert second["race"] != first["race"]


# Slow readers.


def stop_reading(client: raw.Raw) -> None:
    """As a client whose screen is off: what comes stays in the network."""
    client.socket.transport.pause_reading()


def go_on_reading(client: raw.Raw) -> None:
    client.socket.transport.resume_reading()


async def test_a_reader_too_slow_for_its_own_patches(
    connect: Connect, serve: Serve
) -> None:
    app = await serve(send_queue_bytes=20_000)
    slow, quick = await connect(app, name="Slow"), await connect(app, name="Quick")
    race = await started(slow, quick)
    stop_reading(slow)
    # Far more than networks hold by themselves.
    for _ in range(1500):
        await slow.send("games")
    # Nobody else notices; and by then the server has read all of it.
    for turn in range(5):
        moves = WINNING.moves[turn : turn + 1]
        await quick.ask("move", race=race, turn=turn, moves=moves)
    go_on_reading(slow)
    assert await slow.closed() == 4001
    back = await connect(app, token=slow.token)
    await back.ask("sync", race=race)
    assert (await back.ask("resign", race=race))["type"] == "patch"


@pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)
async def test_a_reader_whose_patches_wait_too_long(
    connect: Connect, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net_server, "_LOOK_S", 0.05)
    app = await serve(send_queue_s=0.3, send_queue_bytes=2**30)
    slow, quick = await connect(app, name="Slow"), await connect(app, name="Quick")
    race = await started(slow, quick)
    stop_reading(slow)
    for _ in range(1500):
        await slow.send("games")
    # It does not take the closing handshake either, and is cut off.
    info = await quick.until("race", race=race)
    assert seat_of(info, 0)["connected"] is False
    go_on_reading(slow)
    assert await slow.closed() in (4001, 1006)


async def test_a_slow_reader_gets_the_newest_progress(
    connect: Connect, serve: Serve
) -> None:
    app = await serve()
    slow, quick = await connect(app, name="Slow"), await connect(app, name="Quick")
    race = await started(slow, quick, **LONG.create)
    stop_reading(slow)
    await play(quick, race, LONG.moves)
    go_on_reading(slow)
    await slow.until("progress", turn=len(LONG.moves))
    told = [m for m in slow.received if m["type"] == "progress"]
    assert len(told) < len(LONG.moves)

"""What one bad connection may cost: itself, and nobody else."""

import asyncio
import socket
import time
from urllib.parse import urlsplit

from tests.conftest import Serve
from tests.faults.crowd import Crowd
from tests.faults.table import details, line
from tests.helpers import raw
from tests.helpers.raw import Raw

from samedeal_server.app import App
from samedeal_server.settings import Limits


# How late others may be served meanwhile, on a machine that is busy with tests.
_LATE_S = 1.0


async def arrive(server: App, **hello: str) -> Raw:
    client = await raw.connect(server.url)
    await client.hello(**hello)
    return client


async def worst_ping_s(client: Raw, done: asyncio.Event) -> float:
    """The longest that an answer took until `done`."""
    worst = 0.0
    while not done.is_set():
        began = time.monotonic()
        await client.ask("ping")
        worst = max(worst, time.monotonic() - began)
        await asyncio.sleep(0.005)
    return worst


async def test_a_reader_that_takes_nothing_is_closed_and_nobody_else_waits(
    serve: Serve,
) -> None:
    server = await serve(send_queue_bytes=200_000, dead_peer_s=60.0)
    other = await arrive(server, name="Other")
    where = urlsplit(server.url)
    # A small window, so that what is not read waits in the server.
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.setblocking(False)
    await asyncio.get_running_loop().sock_connect(small, (where.hostname, where.port))
    slow = await raw.connect(server.url, sock=small)
    await slow.hello(name="Slow")
    slow.socket.transport.pause_reading()
    done = asyncio.Event()
    worst = asyncio.create_task(worst_ping_s(other, done))
    for _ in range(3000):  # Each answer has the rules of all games.
        await slow.send("games")
    slow.socket.transport.resume_reading()
    assert await slow.closed() == 4001
    done.set()
    assert await worst < _LATE_S
    # Whoever is closed comes back and goes on.
    again = await raw.connect(server.url)
    assert (await again.hello(token=slow.token))["player"] == slow.player
    await again.close()
    await other.close()


async def test_a_flood_is_refused_and_then_closed(serve: Serve) -> None:
    server = await serve(limits=Limits())
    other, flood = await arrive(server, name="Other"), await arrive(server)
    done = asyncio.Event()
    worst = asyncio.create_task(worst_ping_s(other, done))
    refused = Limits().messages_burst + Limits().refusals
    for _ in range(refused + 100):
        await flood.send("ping")
    assert await flood.closed() == 1008
    done.set()
    assert await worst < _LATE_S
    errors = [one["code"] for one in flood.received if one["type"] == "error"]
    assert set(errors) == {"rate_limited"}
    await other.close()


async def test_a_half_open_connection_is_found(serve: Serve) -> None:
    server = await serve(dead_peer_s=1.5)
    ada, bob = await arrive(server, name="Ada"), await arrive(server, name="Bob")
    joined = await ada.ask("create", game="juvenile", seats=2)
    await bob.ask("join", race=joined["race"])
    # Nothing is read any more, so no ping is answered; nothing is closed either.
    bob.socket.transport.pause_reading()
    began = time.monotonic()
    while True:
        info = await ada.until("race")
        seats = {seat["player"]: seat["connected"] for seat in info["seats"]}
        if not seats.get(bob.player, True):
            break
    assert time.monotonic() - began < 5
    assert seats[ada.player]
    await ada.close()
    await bob.vanish()


async def test_sixteen_seats_all_move_at_once(server: App) -> None:
    urls = [server.url]
    async with Crowd(
        lambda: urls, tables=1, people=16, bots=0, think_s=0, game="simple-pairs",
        variant="standard",
    ) as crowd:  # fmt: skip
        await crowd.race_while(asyncio.create_task(asyncio.sleep(0.5)))
        row = await crowd.judge("sixteen seats", 0, server.url)
    assert row.good, "\n".join([line(row), *details(row)])
    assert row.verdict.acknowledged >= 16
    assert row.stall_s < 2 * _LATE_S


async def test_a_connection_that_lives_long_does_not_hold_all_its_races(
    server: App,
) -> None:
    ada = await arrive(server, name="Ada")
    for _ in range(40):
        joined = await ada.ask("create", game="juvenile", seats=1, countdown_ms=0)
        await ada.send("start", race=joined["race"])
        await ada.send("resign", race=joined["race"])
        await ada.until("race", race=joined["race"], phase="ended")
    await server.hub.drop_idle()
    assert len(list(server.hub)) <= 17
    await ada.close()

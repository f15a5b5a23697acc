"""A log damaged by hand, or from a newer version: that race alone is refused."""

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.raw import Raw

from samedeal_server.store import Store, keys


DAMAGES = {
    "not JSON": ("e", b"\x00\xff{"),
    "unknown event": ("e", b'{"type":"teleported","seat":0}'),
    "not a possible move": (
        "e",
        b'{"type":"moved","seat":0,"turn":0,"moves":["t0+t99"]}',
    ),
    "a turn too far": ("e", b'{"type":"moved","seat":0,"turn":9,"moves":["t0+t1"]}'),
    "a second beginning": ("e", b'{"type":"ready","seat":0,"ready":true}'),
    "another field": ("x", b"{}"),
}


async def begun(client: Raw) -> str:
    """A race with one seat that has started; its id."""
    joined = await client.ask("create", game="juvenile", seats=1, countdown_ms=0)
    race = str(joined["race"])
    await client.send("start", race=race)
    await client.until("view", race=race)
    await client.rest()
    return race


@pytest.mark.parametrize("field, event", DAMAGES.values(), ids=DAMAGES.keys())
async def test_a_damaged_race_is_refused_and_no_other(
    serve: Serve, store: Store, field: str, event: bytes
) -> None:
    server = await serve()
    ada, bob = await raw.connect(server.url), await raw.connect(server.url)
    await ada.hello(name="Ada")
    await bob.hello(name="Bob")
    race, other = await begun(ada), await begun(bob)
    length = await store.log.length(race)
    await store.nodes.call(keys.log(race), "XADD", keys.log(race), "*", field, event)
    # The server finds out when it would write, and says so, naming the entry.
    error = await ada.ask("resign", race=race)
    assert (error["type"], error["code"]) == ("error", "internal")
    assert f"entry {length}" in error["message"]
    for command in ("sync", "resign", "join"):
        error = await ada.ask(command, race=race)
        assert (error["code"], error["race"]) == ("internal", race)
        assert f"entry {length}" in error["message"]
    assert await store.log.length(race) == length + 1
    # A node that never saw it in order says the same.
    late = await serve()
    ada_again = await raw.connect(late.url)
    await ada_again.hello(token=ada.token)
    error = await ada_again.ask("sync", race=race)
    assert error["code"] == "internal" and f"entry {length}" in error["message"]
    # The other race goes on, and so does the sweep over both.
    assert (await bob.ask("resign", race=other))["type"] == "patch"
    await bob.until("race", race=other, phase="ended")
    for client in (ada, bob, ada_again):
        await client.close()


async def test_those_who_listen_are_told(serve: Serve, store: Store) -> None:
    server, other = await serve(), await serve()
    ada = await raw.connect(server.url)
    await ada.hello(name="Ada")
    race = await begun(ada)
    await store.nodes.call(keys.log(race), "XADD", keys.log(race), "*", "e", b"?")
    # Another node rings: whoever listens here hears that the race is lost.
    store.bells.ring(race)
    error = await ada.until("error", race=race)
    assert error["code"] == "internal" and "re" not in error
    await ada.close()
    assert other.port

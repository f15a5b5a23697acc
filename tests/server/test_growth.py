"""Nothing grows with the number of races that have ended."""

import gc
import secrets
from collections import Counter
from collections.abc import Sized
from typing import Any

from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.compiled import interpreted_only
from tests.helpers.raw import Message, Raw
from tests.helpers.waiting import until
from tests.server.scenes import WINNING

from samedeal_server.app import App
from samedeal_server.store import Store, keys


def game(**settings: Any) -> Message:
    """What `create` says; under an id of its own, also after coming again."""
    return {"countdown_ms": 0, "id": secrets.token_hex(8), **settings}


async def finish(race: str, *players: Raw) -> None:
    """From everybody's seat in the lobby to the end."""
    for player in players:
        await player.send("ready", race=race)
    for player in players:
        await player.until("view", race=race)
        await player.ask("move", race=race, turn=0, moves=WINNING.moves[:1])
        await player.ask("resign", race=race)
    for player in players:
        await player.until("race", race=race, phase="ended")


async def each_kind(ada: Raw, bob: Raw) -> int:
    """A race of each kind, to its end; how many there were."""
    alone = await ada.ask("create", **game(**WINNING.create, seats=1))
    await finish(alone["race"], ada)
    bot = await ada.ask("create", **game(**WINNING.create, seats=2, bots=["greedy"]))
    await finish(bot["race"], ada)
    two = await ada.ask("create", **game(game="juvenile", seats=2, open=True))
    [listed] = (await bob.ask("lobby"))["races"]
    await bob.ask("join", code=listed["code"])
    for player in (ada, bob):
        await player.send("ready", race=two["race"])
    for player in (ada, bob):
        await player.until("view", race=two["race"])
        await player.ask("resign", race=two["race"])
    again = await ada.ask("rematch", race=two["race"])
    assert (await bob.ask("rematch", race=two["race"]))["race"] == again["race"]
    for player in (ada, bob):
        await player.ask("leave", race=again["race"])
    quick = await ada.ask("quick", game="juvenile")
    assert (await bob.ask("quick", game="juvenile"))["race"] == quick["race"]
    for player in (ada, bob):
        await player.ask("leave", race=quick["race"])
    return 5


async def batch(app: App, store: Store, tokens: list[str], rounds: int) -> int:
    """Races that end, are folded and forgotten; how many there were."""
    ada, bob = [await raw.connect(app.url) for _ in tokens]
    for player, token in zip((ada, bob), tokens, strict=True):
        await player.hello(token=token)
    count = sum([await each_kind(ada, bob) for _ in range(rounds)])
    for player in (ada, bob):
        await player.close()

    async def is_over() -> bool:
        """Even the last of them is put away, folded and dropped."""
        left = [
            await store.nodes.call(key, "ZCARD", key) for key in (keys.DUE, keys.ENDED)
        ]
        # A timer may hold a race for as long as a command may take.
        return not any(left) and not list(app.hub) and not held()["LiveRace"]

    await until(is_over)
    return count


async def lasting(store: Store) -> dict[str, int]:
    """What is in the store for good: every such key and its size."""
    [found] = (await store.nodes.ask_all("KEYS", "*")).values()
    sizes = dict[str, int]()
    for key in (name.decode() for name in found):
        if await store.nodes.call(key, "TTL", key) == -1:
            kind = (await store.nodes.call(key, "TYPE", key)).decode()
            command = {"zset": "ZCARD", "set": "SCARD", "list": "LLEN"}[kind]
            sizes[key] = await store.nodes.call(key, command, key)
    return sizes


def held() -> Counter[str]:
    """How many objects of the server's there are, and how much is in each kind's
    collections."""
    gc.collect()
    found = Counter[str]()
    for item in gc.get_objects():
        kind: type[object] = type(item)
        if not str(kind.__module__).startswith("samedeal_"):
            continue
        found[kind.__qualname__] += 1
        slots = [
            name for one in kind.__mro__ for name in vars(one).get("__slots__", ())
        ]
        for name in (*slots, *getattr(item, "__dict__", ())):
            value = getattr(item, name, None)
            if isinstance(value, Sized) and not isinstance(value, str | bytes):
                found[f"{kind.__qualname__}.{name}"] += len(value)
    return found


@interpreted_only
async def test_nothing_grows_with_the_races_that_have_ended(
    serve: Serve, store: Store
) -> None:
    app = await serve(fold_after_s=0)
    tokens: list[str] = []
    for name in ("Ada", "Bob"):
        player = await raw.connect(app.url)
        tokens.append((await player.hello(name=name))["token"])
        await player.close()
    await batch(app, store, tokens, 2)
    before, objects = await lasting(store), held()
    assert objects["LogClock._ahead_ms"] > 0
    count = await batch(app, store, tokens, 6)
    assert await lasting(store) == before == {keys.NODES: 1}
    grown = held() - objects
    assert not {what: n for what, n in grown.items() if n > 3}, f"after {count} races"
    # What is left of a race goes by itself.
    [found] = (await store.nodes.ask_all("KEYS", keys.log("*"))).values()
    assert len(found) == count + 10
    for key in found:
        assert await store.nodes.call(key, "TYPE", key) == b"string"

"""The first command: who one is, and who one was."""

import base64
import re

from tests.conftest import Serve
from tests.helpers.raw import Raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import opened, seat_of, started

import samedeal_server
from samedeal_server.app import App
from samedeal_server.settings import Limits
from samedeal_server.store import Store


async def test_a_new_player_is_welcomed(connect: Connect, server: App) -> None:
    client = await connect(server)
    welcome = await client.hello()
    assert set(welcome) == {
        *("type", "re", "player", "name", "token", "server"),
        *("now_ms", "heartbeat_ms", "limits", "races"),
    }
    assert re.fullmatch("[a-z2-7]{16}", welcome["player"])
    assert re.fullmatch("[A-Za-z0-9_-]{43}", welcome["token"])
    assert len(base64.urlsafe_b64decode(welcome["token"] + "=")) == 32
    assert welcome["name"] == "Player"
    assert welcome["server"] == samedeal_server.__version__
    assert type(welcome["now_ms"]) is int and welcome["now_ms"] > 1_700_000_000_000
    assert type(welcome["heartbeat_ms"]) is int and welcome["heartbeat_ms"] > 0
    assert welcome["races"] == []
    assert await client.rest() == []


async def test_the_limits_are_told(connect: Connect, serve: Serve) -> None:
    app = await serve(limits=Limits())
    client = await connect(app)
    welcome = await client.hello()
    assert welcome["limits"] == {
        "message_bytes": 8192,
        "moves": 64,
        "seats": 16,
        "races": 16,
        "messages_per_s": 40,
    }


async def test_players_differ(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Ada")
    assert ada.player != bob.player
    assert ada.token != bob.token


async def test_a_name_is_composed_and_trimmed(arrive: Arrive) -> None:
    for given, name in (
        ("  Ada  ", "Ada"),
        ("e\u0301clair", "éclair"),
        ("Ada Lovelace", "Ada Lovelace"),
        ("x" * 24, "x" * 24),
        ("e\u0301" * 24, "é" * 24),
        ("𝒜" * 24, "𝒜" * 24),
        ("👩", "👩"),
    ):
        client = await arrive(given)
        assert client.received[0]["name"] == name


BAD_NAMES = {
    "empty": "",
    "blank": "   ",
    "long": "x" * 25,
    "control": "a\nb",
    "nul": "a\0b",
    "format": "a\u200bb",
    "joiner": "a\u200db",
    "override": "a\u202eb",
    "private use": "\ue000",
    "unassigned": "\u0378",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "no-break space": "a\u00a0b",
    "ideographic space": "\u3000",
    "hangul choseong filler": "\u115f",
    "hangul jungseong filler": "\u1160",
    "hangul filler": "\u3164",
    "halfwidth hangul filler": "\uffa0",
}


async def test_a_bad_name_is_refused_and_may_be_mended(
    connect: Connect, server: App
) -> None:
    client = await connect(server)
    for fault, name in BAD_NAMES.items():
        assert await client.refused("hello", name=name) == "bad_name", fault
        assert await client.refused("games") == "hello_first"
    await client.hello(name="Ada")


async def test_before_hello_there_is_nothing_else(
    connect: Connect, server: App
) -> None:
    client = await connect(server)
    for command in ("games", "lobby", "ping"):
        assert await client.refused(command) == "hello_first"
    assert await client.refused("no_such_thing") == "hello_first"
    assert await client.refused("resign", race="nonsense") == "hello_first"
    assert await client.refused("move", race="a") == "bad_message"
    assert await client.refused("hello", name=1) == "bad_message"
    await client.hello()


async def test_a_second_hello_is_refused(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    assert await ada.refused("hello") == "bad_message"
    assert await ada.refused("hello", token=ada.token) == "bad_message"
    assert await ada.types() == []


async def test_a_token_brings_the_player_back(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada = await arrive("Ada")
    lobby, racing = await opened(ada), await started(ada)
    over = await started(ada)
    await ada.send("resign", race=over)
    await ada.until("race", race=over, phase="ended")
    await ada.close()
    again = await connect(server)
    welcome = await again.hello(token=ada.token)
    assert welcome["player"] == ada.player
    assert welcome["name"] == "Ada"
    assert welcome["token"] == ada.token
    assert sorted(welcome["races"]) == sorted([lobby, racing])


async def test_a_token_is_kept_as_a_hash_for_ninety_days(
    arrive: Arrive, store: Store
) -> None:
    ada = await arrive("Ada")
    secret = ada.token.encode()
    bare = base64.urlsafe_b64decode(ada.token + "=")
    [keys] = (await store.nodes.ask_all("KEYS", "*")).values()
    assert keys
    tokens: list[int] = []
    for key in keys:
        stored = await store.nodes.call(key.decode(), "DUMP", key)
        assert not any(form in key + stored for form in (secret, bare))
        if key.startswith(b"samedeal:token:"):
            tokens.append(await store.nodes.call(key.decode(), "TTL", key))
    day_s = 24 * 60 * 60
    assert len(tokens) == 1
    assert 89 * day_s < tokens[0] <= 90 * day_s


async def test_a_race_that_one_has_left_is_not_one_s_own(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada, bob, cleo = await arrive("Ada"), await arrive("Bob"), await arrive("Cleo")
    race = await opened(ada, bob, cleo)
    await bob.ask("leave", race=race)
    await ada.ask("kick", race=race, seat=2)
    for gone in (bob, cleo):
        again = await connect(server)
        assert (await again.hello(token=gone.token))["races"] == []


async def test_any_other_token_is_refused_and_one_may_try_again(
    connect: Connect, server: App
) -> None:
    client = await connect(server)
    for token in ("", "nonsense", "A" * 43, "é" * 20, "a" * 5000):
        assert await client.refused("hello", token=token) == "bad_token"
        assert await client.refused("hello", token=token, name="Ada") == "bad_token"
        assert await client.refused("games") == "hello_first"
    assert (await client.hello())["player"]


async def test_a_token_with_a_bad_name_changes_nothing(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada = await arrive("Ada")
    again = await connect(server)
    assert await again.refused("hello", token=ada.token, name="\n") == "bad_name"
    assert await ada.types() == []
    assert (await again.hello(token=ada.token))["name"] == "Ada"


async def test_a_new_name_is_for_later_races(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada = await arrive("Ada")
    before = await opened(ada)
    again = await connect(server)
    welcome = await again.hello(token=ada.token, name="Countess")
    assert (welcome["player"], welcome["name"]) == (ada.player, "Countess")
    info = await again.ask("sync", race=before)
    assert seat_of(info, 0)["name"] == "Ada"
    await again.ask("create", game="juvenile")
    assert seat_of(await again.until("race"), 0)["name"] == "Countess"
    await again.close()
    later = await connect(server)
    assert (await later.hello(token=ada.token))["name"] == "Countess"


async def test_a_program_is_shown_as_one(arrive: Arrive) -> None:
    ada, robot = await arrive("Ada"), await arrive("Robot", bot=True)
    race = await opened(ada, robot)
    info = await ada.ask("sync", race=race)
    assert "bot" not in seat_of(info, 0)
    assert seat_of(info, 1)["bot"] == "external"


async def test_a_newer_connection_takes_over(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await started(ada, bob)
    newer = await connect(server)
    await newer.hello(token=ada.token)
    assert await ada.closed() == 4000
    assert await newer.rest() == []
    assert seat_of(await bob.ask("sync", race=race), 0)["connected"] is True
    await newer.ask("sync", race=race)
    await newer.until("view")
    assert (await newer.ask("resign", race=race))["type"] == "patch"


async def test_a_wrong_token_takes_nothing_over(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada = await arrive("Ada")
    other = await connect(server)
    await other.refused("hello", token=ada.token[:-1] + "!")
    await other.hello()
    assert await ada.types() == []


async def test_others_see_who_is_connected(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob)
    await bob.close()
    info = await ada.until("race")
    assert [seat["connected"] for seat in info["seats"]] == [True, False]
    back = await connect(server)
    await back.hello(token=bob.token)
    info = await ada.until("race")
    assert [seat["connected"] for seat in info["seats"]] == [True, True]
    assert await back.rest() == []
    assert (await back.ask("sync", race=race))["type"] == "race"


async def test_updates_come_after_sync_join_or_watch(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada, bob)
    code = (await ada.ask("sync", race=race))["code"]

    async def came_back(*ask: str, **fields: str) -> Raw:
        client = await connect(server)
        await client.hello(token=bob.token)
        assert await client.rest() == []
        if ask:
            await client.ask(*ask, **fields)
            await client.rest()
        return client

    bob = await came_back()
    await ada.ask("ready", race=race)
    assert await bob.types() == []
    for command in ("sync", "join", "watch"):
        bob = await came_back(command, race=race)
        await ada.ask("ready", race=race, ready=False)
        await ada.ask("ready", race=race)
        assert await bob.types() == ["race", "race"], command
    bob = await came_back("watch", code=code)
    await ada.ask("ready", race=race, ready=False)
    assert await bob.types() == ["race"]

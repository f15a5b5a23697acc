"""A race is made: its settings, what everyone may know of it, and asked twice."""

import re
from typing import Any

from tests.conftest import Serve
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import DEFAULTS, WINNING, opened, seat_of

from samedeal_server.app import App
from samedeal_server.store import Store


async def test_the_answer_is_joined_and_then_race(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    joined = await ada.ask("create", game="juvenile")
    assert set(joined) == {"type", "re", "race", "code", "seat"}
    assert re.fullmatch("[a-z2-7]{16}", joined["race"])
    assert re.fullmatch("[A-HJ-NP-Z]{6}", joined["code"])
    assert joined["seat"] == 0
    [info] = await ada.rest()
    commitment = info.pop("commitment")
    assert re.fullmatch("[0-9a-f]{64}", commitment)
    assert info == {
        "type": "race",
        "race": joined["race"],
        "code": joined["code"],
        "game": "juvenile",
        "variant": "one-deck",
        "settings": DEFAULTS,
        "chosen": False,
        "phase": "lobby",
        "host": 0,
        "seats": [
            {
                "seat": 0,
                "player": ada.player,
                "name": "Ada",
                "ready": False,
                "connected": True,
                "left": 52,
                "turn": 0,
                "status": "waiting",
                "elapsed_ms": 0,
            }
        ],
        "watchers": 0,
    }


async def test_settings_are_told_as_resolved(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    chosen = {
        "seats": 16,
        "bots": ["greedy", "random", "greedy"],
        "countdown_ms": 60_000,
        "time_limit_ms": 3_600_000,
        "undo": True,
        "open": True,
        "deals": "any",
    }
    await ada.ask("create", game="doublets", variant="sealed", **chosen)
    info = await ada.until("race")
    assert info["settings"] == chosen
    assert (info["game"], info["variant"]) == ("doublets", "sealed")


async def test_bots_are_seated_and_ready(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    await ada.ask("create", game="juvenile", bots=["greedy", "random", "greedy"])
    info = await ada.until("race")
    seats = info["seats"]
    assert [seat.get("bot") for seat in seats] == [None, "greedy", "random", "greedy"]
    assert [seat["seat"] for seat in seats] == [0, 1, 2, 3]
    assert [seat["ready"] for seat in seats] == [False, True, True, True]
    assert all(seat["connected"] for seat in seats)
    assert len({seat["name"].casefold() for seat in seats}) == 4
    assert info["host"] == 0


AT_THEIR_BOUNDS: list[dict[str, Any]] = [
    {"seats": 1},
    {"seats": 16},
    {"seats": 2, "bots": ["random"]},
    {"seats": 16, "bots": ["random"] * 15},
    {"countdown_ms": 0},
    {"countdown_ms": 60_000},
    {"time_limit_ms": 10_000},
    {"time_limit_ms": 3_600_000},
    {"deals": "any"},
    {"seed": "0" * 32, "deals": "any"},
]

OUT_OF_RANGE: list[dict[str, Any]] = [
    {"seats": 0},
    {"seats": -1},
    {"seats": 17},
    {"seats": 2**53 - 1},
    {"seats": 1, "bots": ["random"]},
    {"seats": 3, "bots": ["random"] * 3},
    {"bots": ["random"] * 8},
    {"countdown_ms": -1},
    {"countdown_ms": 60_001},
    {"time_limit_ms": 9_999},
    {"time_limit_ms": 3_600_001},
    {"deals": "winnable"},
    {"deals": "easy"},
    {"deals": ""},
    {"seed": ""},
    {"seed": "0" * 31},
    {"seed": "0" * 33},
    {"seed": "A" * 32},
    {"seed": "g" * 32},
    {"seed": "0" * 31 + "\n"},
    {"seed": "٠" * 32},
    {"seed": "0" * 32, "deals": "winnable"},
]


async def test_settings_at_their_bounds(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for settings in AT_THEIR_BOUNDS:
        joined = await ada.ask("create", game="juvenile", **settings)
        assert joined["type"] == "joined", settings
        info = await ada.until("race")
        resolved = {name: settings[name] for name in settings if name != "seed"}
        assert info["settings"] == {**DEFAULTS, **resolved}


async def test_settings_out_of_range(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for settings in OUT_OF_RANGE:
        code = await ada.refused("create", game="juvenile", **settings)
        assert code == "bad_settings", settings
    assert await ada.rest() == []


async def test_what_is_unknown(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    assert await ada.refused("create", game="chess") == "unknown_game"
    assert await ada.refused("create", game="Juvenile") == "unknown_game"
    assert await ada.refused("create", game="") == "unknown_game"
    for variant in ("three-decks", "", "sealed", "One-deck"):
        code = await ada.refused("create", game="juvenile", variant=variant)
        assert code == "unknown_variant"
    for bots in (["genius"], ["greedy", "external"], [""]):
        code = await ada.refused("create", game="juvenile", bots=bots)
        assert code == "unknown_level"
    assert await ada.rest() == []


async def test_a_chosen_seed_is_said_to_be_chosen_and_not_told(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    await ada.ask("create", **WINNING.create)
    info = await ada.until("race")
    assert info["chosen"] is True
    assert not {"seed", "salt", "digest"} & info.keys()
    assert "seed" not in info["settings"]
    for frame in ada.frames:
        text = frame if isinstance(frame, str) else frame.decode("latin-1")
        assert WINNING.seed not in text


async def test_two_races_on_one_seed_have_different_commitments(
    arrive: Arrive,
) -> None:
    ada = await arrive("Ada")
    commitments: set[str] = set()
    for _ in range(2):
        await ada.ask("create", **WINNING.create)
        commitments.add((await ada.until("race"))["commitment"])
    assert len(commitments) == 2


async def test_the_same_id_gives_the_same_race(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    first = await ada.ask("create", id="mine", game="juvenile")
    await ada.rest()
    again = await ada.ask("create", id="mine", game="juvenile")
    assert again == first
    assert [m["type"] for m in await ada.rest()] == ["race"]
    # Whatever else the message says.
    for other in ({"game": "doublets"}, {"game": "chess"}, {"game": "", "seats": 99}):
        assert await ada.ask("create", id="mine", **other) == first
        assert (await ada.until("race"))["game"] == "juvenile"


async def test_ids_of_different_type_or_player_are_different(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    races = [
        (await player.ask("create", id=command_id, game="juvenile"))["race"]
        for player in (ada, bob)
        for command_id in ("1", 1, "s1", -1, "", "one")
    ]
    assert len(set(races)) == 12


async def test_without_an_id_each_is_a_new_race(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    races: set[str] = set()
    for _ in range(2):
        await ada.send("create", game="juvenile")
        races.add((await ada.until("joined"))["race"])
    assert len(races) == 2


async def test_a_refused_create_does_not_use_up_its_id(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    assert await ada.refused("create", id=7, game="chess") == "unknown_game"
    assert (await ada.ask("create", id=7, game="juvenile"))["type"] == "joined"


async def test_the_same_id_after_reconnecting_on_another_node(
    arrive: Arrive, connect: Connect, serve: Serve
) -> None:
    ada = await arrive("Ada")
    first = await ada.ask("create", id="mine", game="juvenile")
    other = await connect(await serve(), token=ada.token)
    assert await other.ask("create", id="mine", game="juvenile") == first


async def test_after_a_minute_the_same_id_is_a_new_race(
    arrive: Arrive, store: Store
) -> None:
    ada = await arrive("Ada")
    first = await ada.ask("create", id="mine", game="juvenile")
    [key] = (await store.nodes.ask_all("KEYS", "*:created:*")).popitem()[1]
    assert 50 < await store.nodes.call(key.decode(), "TTL", key) <= 60
    # As if the minute were over.
    await store.nodes.call(key.decode(), "DEL", key)
    again = await ada.ask("create", id="mine", game="juvenile")
    assert again["race"] != first["race"]


async def test_asked_twice_at_once_it_is_one_race(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada = await arrive("Ada")
    for _ in range(2):
        await ada.send("create", id="mine", game="juvenile")
    first, again = await ada.answer("mine"), await ada.answer("mine")
    assert first == again


async def test_the_id_of_a_race_that_one_has_left(arrive: Arrive) -> None:
    """Answered as `join`: the lobby takes the player in again."""
    ada, bob = await arrive("Ada"), await arrive("Bob")
    joined = await ada.ask("create", id="mine", game="juvenile")
    await bob.ask("join", race=joined["race"])
    await ada.ask("leave", race=joined["race"])
    again = await ada.ask("create", id="mine", game="juvenile")
    assert (again["race"], again["seat"]) == (joined["race"], 0)


async def test_nobody_s_deal_is_stuck_at_once(arrive: Arrive) -> None:
    """One in ten deals of Juvenile is; a seed that the server draws is not."""
    ada = await arrive("Ada")
    race = ""
    for _ in range(40):
        race = await opened(ada, seats=1, countdown_ms=0)
        await ada.send("ready", race=race)
        assert (await ada.until("view", race=race))["status"] == "playing"
    info = await ada.ask("sync", race=race)
    assert seat_of(info, 0)["status"] == "playing"

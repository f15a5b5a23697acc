"""Reading messages: what is one, what is none, and which id an answer carries."""

from typing import Any

import msgspec.msgpack
import pytest
from tests.helpers import raw
from tests.helpers.raw import Raw
from tests.server.conftest import Arrive, Connect
from tests.server.scenes import NOWHERE, opened

from samedeal_server.app import App


async def error_for(client: Raw, frame: str | bytes) -> raw.Message:
    """What a frame is answered with, which is an error; the connection lives."""
    await client.rest()
    await client.socket.send(frame)
    [error] = await client.rest()
    assert error["type"] == "error"
    assert 0 < len(error["message"]) <= 400
    return error


# Ids.


async def test_an_id_comes_back_on_the_first_answer(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    texts, numbers = ("", "a", "é" * 64, "x" * 64), (0, 1, -1, 2**53 - 1, -(2**53) + 1)
    for command_id in (*texts, *numbers):
        await ada.send("create", id=command_id, game="juvenile")
        joined = await ada.next()
        assert joined["type"] == "joined"
        assert joined["re"] == command_id
        assert type(joined["re"]) is type(command_id)
        assert "re" not in await ada.next()
        await ada.send("resign", id=command_id, race=NOWHERE)
        error = await ada.next()
        assert (error["code"], error["re"]) == ("unknown_race", command_id)
        assert type(error["re"]) is type(command_id)


async def test_without_an_id_there_is_no_re(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    await ada.send("create", game="juvenile")
    await ada.send("resign", race=NOWHERE)
    assert not any("re" in message for message in await ada.rest())


async def test_bad_messages_carry_a_usable_id(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for command_id in ("x", 7, "", 0):
        for message in (
            {"type": "no_such"},
            {"type": 5},
            {},
            {"type": "move"},
            {"type": "create", "game": None},
            {"type": "join"},
            {"type": "join", "race": NOWHERE, "code": "ABCDEF"},
            {"type": "sync", "race": NOWHERE, "turn": -1},
        ):
            await ada.send_object({**message, "id": command_id})
            error = await ada.next()
            assert (error["type"], error["code"]) == ("error", "bad_message")
            assert error["re"] == command_id
            assert type(error["re"]) is type(command_id)


async def test_what_is_no_id(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    numbers = (2**53, -(2**53), 2**63, 1.0, 1.5)
    others: tuple[Any, ...] = ("x" * 65, True, False, None, [], {}, ["x"])
    for command_id in (*numbers, *others):
        for kind in ("ping", "no_such"):
            await ada.send_object({"type": kind, "id": command_id})
            error = await ada.next()
            assert (error["code"], "re" in error) == ("bad_message", False)


# Fields.


async def test_unknown_fields_are_ignored(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    extra = {"x": None, "y": [1, {"z": 2.5}], "from": "me", "": "", "typ": "hello"}
    joined = await ada.ask("create", game="juvenile", **extra)
    assert joined["type"] == "joined"
    assert (await ada.ask("ping", **extra))["type"] == "pong"


WRONG: dict[str, dict[str, Any]] = {
    "null": {"type": "create", "game": "juvenile", "variant": None},
    "null in a list": {"type": "create", "game": "juvenile", "bots": [None]},
    "a missing field": {"type": "create"},
    "a number for a text": {"type": "create", "game": 1},
    "a text for a number": {"type": "create", "game": "juvenile", "seats": "8"},
    "a float for an integer": {"type": "create", "game": "juvenile", "seats": 8.0},
    "a bool for an integer": {"type": "create", "game": "juvenile", "seats": True},
    "an integer for a bool": {"type": "create", "game": "juvenile", "undo": 1},
    "a text for a list": {"type": "create", "game": "juvenile", "bots": "greedy"},
    "an object for a list": {"type": "create", "game": "juvenile", "bots": {}},
    "a list for a text": {"type": "join", "code": ["ABCDEF"]},
    "too great": {"type": "create", "game": "juvenile", "seats": 2**53},
    "too small": {"type": "create", "game": "juvenile", "seats": -(2**53)},
    "far too great": {"type": "create", "game": "juvenile", "seats": 2**64 - 1},
    "a negative turn": {"type": "move", "race": NOWHERE, "turn": -1, "moves": ["x"]},
    "a float turn": {"type": "undo", "race": NOWHERE, "turn": 0.0},
    "a bool turn": {"type": "undo", "race": NOWHERE, "turn": False},
    "a negative turn in sync": {"type": "sync", "race": NOWHERE, "turn": -1},
    "a null turn in sync": {"type": "sync", "race": NOWHERE, "turn": None},
    "a number among moves": {"type": "move", "race": "x", "turn": 0, "moves": [1]},
    "a text for moves": {"type": "move", "race": "x", "turn": 0, "moves": "t0+t1"},
    "no moves": {"type": "move", "race": "x", "turn": 0, "moves": []},
    "65 moves": {"type": "move", "race": "x", "turn": 0, "moves": ["t0+t1"] * 65},
    "a text for ready": {"type": "ready", "race": NOWHERE, "ready": "yes"},
    "a race that is a number": {"type": "resign", "race": 1},
    "neither race nor code": {"type": "join"},
    "both race and code": {"type": "join", "race": NOWHERE, "code": "ABCDEF"},
    "neither, watching": {"type": "watch"},
    "both, watching": {"type": "watch", "race": NOWHERE, "code": "ABCDEF"},
    "a seat that is a text": {"type": "kick", "race": NOWHERE, "seat": "1"},
    "a list for t": {"type": "ping", "t": []},
    "null for t": {"type": "ping", "t": None},
    "an unknown type": {"type": "joined"},
    "a type in capitals": {"type": "PING"},
    "no type": {"race": NOWHERE},
    "a null type": {"type": None},
    "a type that is a number": {"type": 1},
}


async def test_messages_that_do_not_fit(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for fault, message in WRONG.items():
        frame = ada.encode(message)
        error = await error_for(ada, frame if ada.binary else frame.decode())
        assert error["code"] == "bad_message", fault


async def test_messages_that_are_no_object(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    values: tuple[Any, ...] = ([], "ping", 1, None, True, [{"type": "ping"}])
    for value in values:
        await ada.send_object(value)
        error = await ada.next()
        assert (error["code"], "re" in error) == ("bad_message", False)


async def test_a_ping_brings_its_t_back(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for t in ("", "x" * 64, 0, -1, 2**53 - 1, 1.5, -0.25):
        pong = await ada.ask("ping", t=t)
        assert pong["t"] == t and type(pong["t"]) is type(t)
        assert set(pong) == {"type", "re", "t", "now_ms"}
    pong = await ada.ask("ping")
    assert "t" not in pong and type(pong["now_ms"]) is int


# Texts that are no JSON, or none of ours.


DEEP = '{"type":"ping","x":' + "[" * 4000 + "]" * 4000 + "}"

TEXTS = {
    "nothing": "",
    "blank": " ",
    "cut off": '{"type":"ping"',
    "trailing": '{"type":"ping"}{"type":"ping"}',
    "a trailing byte": '{"type":"ping"}x',
    "a trailing comma": '{"type":"ping",}',
    "a byte-order mark": '\ufeff{"type":"ping"}',
    "NaN": '{"type":"ping","t":NaN}',
    "NaN in an unknown field": '{"type":"ping","x":NaN}',
    "Infinity": '{"type":"ping","t":Infinity}',
    "an endless number": '{"type":"ping","t":1e999}',
    "single quotes": "{'type':'ping'}",
    "a comment": '{"type":"ping"}//',
    "a NUL": '{"type":"ping"}\0',
    "a control character in a text": '{"type":"ping","t":"\n"}',
    "a lone surrogate": '{"type":"ping","t":"\\ud800"}',
    "nested too deeply": DEEP,
    "only brackets": "[" * 8000,
    "a huge number": '{"type":"ping","t":1' + "0" * 400 + "}",
    "a huge id": '{"type":"ping","id":1' + "0" * 400 + "}",
    "a key that is no text": '{"type":"ping",1:2}',
}


@pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)
async def test_texts_that_are_no_message(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for fault, text in TEXTS.items():
        assert (await error_for(ada, text))["code"] == "bad_message", fault


@pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)
async def test_json_that_is_written_otherwise(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for text in (
        ' \n\t{ "type" : "ping" , "id" : 1 } \r\n',
        '{"id":1,"\\u0074ype":"p\\u0069ng"}',
        '{"id":1,"type":"ping","t":"\\ud83d\\ude00"}',
    ):
        await ada.socket.send(text)
        assert (await ada.answer(1))["type"] == "pong"


@pytest.mark.parametrize("subprotocol", [raw.JSON], indirect=True)
async def test_a_float_that_is_whole_is_still_a_float(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for number in ("8.0", "8e0", "0.8e1", "80e-1"):
        text = f'{{"type":"create","game":"juvenile","seats":{number}}}'
        assert (await error_for(ada, text))["code"] == "bad_message", number


# Bytes that are no MessagePack, or none of ours.

pack = msgspec.msgpack.encode
Ext = msgspec.msgpack.Ext


def packed_map(*items: bytes) -> bytes:
    return bytes([0x80 | len(items) // 2]) + b"".join(items)


PING = (pack("type"), pack("ping"))

PACKED = {
    "nothing": b"",
    "cut off": pack({"type": "ping"})[:-1],
    "trailing": pack({"type": "ping"}) * 2,
    "a trailing byte": pack({"type": "ping"}) + b"\0",
    "the byte that is never used": b"\xc1",
    "bin for a text": pack({"type": "create", "game": b"juvenile"}),
    "bin for the type": pack({"type": b"ping"}),
    "bin for an id": pack({"type": "ping", "id": b"x"}),
    "bin for t": pack({"type": "ping", "t": b"x"}),
    "ext for a number": pack({"type": "sync", "race": NOWHERE, "turn": Ext(1, b"\0")}),
    "ext for t": pack({"type": "ping", "t": Ext(1, b"x")}),
    "a time stamp": pack({"type": "ping", "t": Ext(-1, b"\0\0\0\1")}),
    "ext alone": pack(Ext(1, b"x")),
    "a key that is a number": packed_map(*PING, pack(1), pack(2)),
    "a key that is nil": packed_map(*PING, pack(None), pack(2)),
    "a key that is bin": packed_map(*PING, pack(b"x"), pack(2)),
    "a key that is a list": packed_map(*PING, pack([]), pack(2)),
    "NaN": packed_map(*PING, pack("t"), b"\xcb\x7f\xf8" + bytes(6)),
    "infinity": packed_map(*PING, pack("t"), b"\xcb\x7f\xf0" + bytes(6)),
    "text that is not UTF-8": packed_map(*PING, pack("t"), b"\xa1\xff"),
    "nested too deeply": packed_map(*PING, pack("x"), b"\x91" * 8000 + b"\xc0"),
    "only lists": b"\x91" * 8000,
    "a list that promises much": b"\xdd\xff\xff\xff\xff",
    "a map that promises much": b"\xdf\xff\xff\xff\xff" + pack("type"),
    "a text that promises much": packed_map(*PING, pack("t"), b"\xdb\xff\xff\xff\xff"),
}


@pytest.mark.parametrize("subprotocol", [raw.MSGPACK], indirect=True)
async def test_bytes_that_are_no_message(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    for fault, data in PACKED.items():
        assert (await error_for(ada, data))["code"] == "bad_message", fault


@pytest.mark.parametrize("subprotocol", [raw.MSGPACK], indirect=True)
async def test_messagepack_that_is_written_otherwise(arrive: Arrive) -> None:
    """Longer forms of the same values; a float of four bytes."""
    ada = await arrive("Ada")
    long_map = b"\xde\0\3"
    items = b"\xd9\4type" + b"\xda\0\4ping" + pack("id") + b"\xcd\0\1"
    for t in (b"\xca\x3f\xc0\0\0", b"\xcb\x3f\xf8" + bytes(6)):
        await ada.socket.send(long_map + items + pack("t") + t)
        assert (await ada.answer(1))["t"] == 1.5


# Answers.


async def test_nothing_told_is_null(
    arrive: Arrive, connect: Connect, server: App
) -> None:
    ada = await arrive("Ada")
    await opened(ada, bots=["greedy"], open=True)
    await ada.ask("games")
    await ada.ask("lobby")
    await ada.refused("create", game="chess")

    for frame in ada.frames:
        if isinstance(frame, str):
            assert "null" not in frame
        else:
            assert "None" not in repr(msgspec.msgpack.decode(frame))


async def test_errors_about_a_race_carry_it(arrive: Arrive) -> None:
    ada, bob = await arrive("Ada"), await arrive("Bob")
    race = await opened(ada)
    for command, fields in (
        ("ready", {}),
        ("move", {"turn": 0, "moves": ["t0+t1"]}),
        ("kick", {"seat": 0}),
        ("watch", {}),
    ):
        error = await bob.ask(command, race=race, **fields)
        assert (error["type"], error["race"]) == ("error", race)
    assert "race" not in await bob.ask("create", game="chess")
    # By code, too: the race that was found.
    code = (await ada.ask("sync", race=race))["code"]
    await ada.ask("start", race=race)
    error = await bob.ask("join", code=code)
    assert (error["code"], error["race"]) == ("race_started", race)
    assert "race" not in await bob.ask("join", code="AAAAAA")


async def test_messages_of_errors_stay_short(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    long = "x" * 7000
    for command, fields in (
        ("create", {"game": long}),
        ("create", {"game": "juvenile", "variant": long}),
        ("create", {"game": "juvenile", "bots": [long]}),
        ("create", {"game": "juvenile", "seed": long}),
        ("create", {"game": "juvenile", "deals": long}),
        ("join", {"race": long}),
        ("join", {"code": long}),
        (long, {"id": 1}),
    ):
        await ada.refused(command, **fields)


async def test_the_catalogue(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    message = await ada.ask("games")
    assert set(message) == {"type", "re", "games"}
    hidden = {}
    for game in message["games"]:
        assert set(game) == {"game", "title", "rules", "default", "variants"}
        assert game["default"] in [variant["variant"] for variant in game["variants"]]
        for variant in game["variants"]:
            assert set(variant) == {"variant", "title", "about", "hidden"}
            hidden[game["game"], variant["variant"]] = variant["hidden"]
    assert hidden == {
        ("juvenile", "one-deck"): False,
        ("juvenile", "two-decks"): True,
        ("juvenile", "seventeen-piles"): False,
        ("simple-pairs", "standard"): True,
        ("doublets", "reserve"): True,
        ("doublets", "sealed"): True,
        ("private-lane", "by-suit"): False,
        ("private-lane", "any-suit"): False,
        ("straight-fifteens", "either"): True,
        ("straight-fifteens", "straight"): True,
        ("straight-fifteens", "four-of-a-kind"): True,
        ("straight-fifteens", "courts-apart"): True,
    }

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from samedeal_protocol import commands, updates
from samedeal_protocol.codec import (
    CODECS,
    JSON,
    MSGPACK,
    BadEvent,
    BadMessage,
    Codec,
    Frame,
    decode_event,
)


GOLDEN = Path(__file__).parent / "golden"
RACE = "k3v7q2mzt5ad6xwp"
HIGHEST = 2**53 - 1
DEEP = 20_000

codecs = pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
fuzz = settings(max_examples=250)


def frame(codec: Codec, message: Any) -> Frame:
    """What a client would send for `message`, of plain Python values."""
    if codec.text:
        return msgspec.json.encode(message).decode()
    return msgspec.msgpack.encode(message)


def refusal(codec: Codec, sent: Frame) -> BadMessage:
    with pytest.raises(BadMessage) as caught:
        codec.decode_command(sent)
    return caught.value


def refused(codec: Codec, **message: Any) -> BadMessage:
    return refusal(codec, frame(codec, message))


def accepted(codec: Codec, **message: Any) -> commands.Command:
    return codec.decode_command(frame(codec, message))


# The two subprotocols.


def test_there_are_two_codecs_by_subprotocol() -> None:
    assert {name: codec.text for name, codec in CODECS.items()} == {
        "samedeal.v1+json": True,
        "samedeal.v1+msgpack": False,
    }


def test_json_is_compact_raw_utf_8_with_the_type_first() -> None:
    hello = commands.Hello(id=1, name="Zoë 😀")
    text = '{"type":"hello","id":1,"name":"Zoë 😀","bot":false}'
    assert JSON.encode_command(hello) == text.encode()


def test_a_text_frame_is_decoded_as_it_comes() -> None:
    assert JSON.decode_command('{"type":"hello","name":"Zoë"}') == commands.Hello(
        name="Zoë"
    )
    assert JSON.decode_command(' \n{ "name" : "\\u0041", "type" : "hello" } ') == (
        commands.Hello(name="A")
    )


# What an id is, and that it comes back.


@codecs
@pytest.mark.parametrize("id", ["", "a", "1", "é" * 64, 0, 1, -HIGHEST, HIGHEST])
def test_an_id_comes_back_as_it_was_given(codec: Codec, id: str | int) -> None:
    command = accepted(codec, type="lobby", id=id)
    assert command.id == id
    assert type(command.id) is type(id)
    for bad in (
        refused(codec, type="move", id=id),
        refused(codec, type="no such type", id=id),
        refused(codec, type=7, id=id),
        refused(codec, id=id),
        refused(codec, type="join", id=id),
        refused(codec, type="kick", race=RACE, seat=None, id=id),
    ):
        assert bad.re == id
        assert type(bad.re) is type(id)


@codecs
@pytest.mark.parametrize(
    "id", ["a" * 65, True, False, 1.0, None, [], {}, 2**53, -(2**53), 2**63]
)
def test_an_id_that_is_none_is_refused_and_does_not_come_back(
    codec: Codec, id: Any
) -> None:
    assert refused(codec, type="lobby", id=id).re is None
    assert refused(codec, type="no such type", id=id).re is None


# Which type.


@codecs
def test_a_type_that_is_not_there_is_told_apart(codec: Codec) -> None:
    assert refused(codec, type="teleport", id=1).unknown
    assert "'teleport'" in str(refused(codec, type="teleport"))
    assert not refused(codec, type="move").unknown
    assert not refused(codec, type=None).unknown
    assert not refused(codec, id=1).unknown
    assert len(str(refused(codec, type="x" * 8000))) < 100


@codecs
@pytest.mark.parametrize("type_name", ["welcome", "patch", "moved", "", "Hello"])
def test_only_commands_are_commands(codec: Codec, type_name: str) -> None:
    assert refused(codec, type=type_name).unknown


@codecs
@pytest.mark.parametrize("message", [None, True, 1, 1.5, "hello", [], [{}], {}])
def test_a_message_is_an_object_with_a_type(codec: Codec, message: Any) -> None:
    bad = refusal(codec, frame(codec, message))
    assert bad.re is None
    assert "type" in str(bad)


# Fields.


@codecs
def test_unknown_fields_are_ignored(codec: Codec) -> None:
    command = accepted(
        codec, type="undo", race=RACE, turn=3, x=None, y=[{"z": 1.5}], turns=-1
    )
    assert command == commands.Undo(race=RACE, turn=3)


WHOLE = [
    ("move", "turn", {"race": RACE, "moves": ["t0+t1"]}),
    ("undo", "turn", {"race": RACE}),
    ("sync", "turn", {"race": RACE}),
    ("kick", "seat", {"race": RACE}),
    ("create", "seats", {"game": "juvenile"}),
    ("create", "countdown_ms", {"game": "juvenile"}),
    ("create", "time_limit_ms", {"game": "juvenile"}),
]


@codecs
@pytest.mark.parametrize(("type_name", "field", "others"), WHOLE)
def test_an_integer_is_nothing_else(
    codec: Codec, type_name: str, field: str, others: dict[str, Any]
) -> None:
    for good in (0, 1, HIGHEST):
        command = accepted(codec, type=type_name, **others, **{field: good})
        assert getattr(command, field) == good
    wrong: list[Any] = [True, False, 1.0, 0.5, "1", None, [1], {}]
    for bad in (*wrong, HIGHEST + 1, -HIGHEST - 1, 2**64 - 1):
        message = {"type": type_name, "id": 5, **others, field: bad}
        assert refused(codec, **message).re == 5


@codecs
@pytest.mark.parametrize(("type_name", "field", "others"), WHOLE[:4])
def test_turns_and_seats_are_not_negative(
    codec: Codec, type_name: str, field: str, others: dict[str, Any]
) -> None:
    for value in (-1, -HIGHEST):
        assert "`int` >= 0" in str(
            refused(codec, type=type_name, **others, **{field: value})
        )


@pytest.mark.parametrize("length", [20, 400, 8000])
def test_a_number_too_long_for_any_machine_is_refused(length: int) -> None:
    digits = "9" * length
    turn = f'{{"type":"undo","id":5,"race":"{RACE}","turn":{digits}}}'
    assert refusal(JSON, turn).re == 5
    assert refusal(JSON, f'{{"type":"lobby","id":{digits}}}').re is None
    assert refusal(JSON, f'{{"type":"ping","id":5,"t":{digits}e400}}').re == 5


@pytest.mark.parametrize(
    ("codec", "field"),
    [(JSON, b"1e999"), (MSGPACK, b"\xa2\xff\xfe"), (MSGPACK, b"\xc7\x01\xffa")],
)
def test_an_id_comes_back_beside_what_cannot_be_read(
    codec: Codec, field: bytes
) -> None:
    for type_name in ("hello", "nope"):
        if codec is JSON:
            outline = f'{{"type":"{type_name}","id":5,"name":{field.decode()}}}'
            bad = refusal(codec, outline)
        else:
            bad = refusal(
                codec, packed(THREE, "type", type_name, "id", 5, "name", field)
            )
        assert bad.re == 5
        assert bad.unknown == (type_name == "nope")


@codecs
@pytest.mark.parametrize(
    ("type_name", "required"),
    [
        ("hello", {}),
        ("create", {"game": "juvenile"}),
        ("join", {"code": "QWXYZA"}),
        ("ready", {"race": RACE}),
        ("move", {"race": RACE, "turn": 0, "moves": ["t0+t1"]}),
        ("watch", {"race": RACE}),
        ("sync", {"race": RACE}),
        ("ping", {}),
    ],
)
def test_null_is_not_a_value(
    codec: Codec, type_name: str, required: dict[str, Any]
) -> None:
    command = accepted(codec, type=type_name, **required)
    for field in msgspec.structs.fields(command):
        message = {"type": type_name, **required, field.encode_name: None}
        assert re.search("null|None", str(refused(codec, **message)))


@codecs
@pytest.mark.parametrize("value", [0, 1, "true", "", [], {}, 1.0])
def test_a_boolean_is_nothing_else(codec: Codec, value: Any) -> None:
    refused(codec, type="ready", race=RACE, ready=value)
    refused(codec, type="hello", bot=value)
    refused(codec, type="create", game="doublets", undo=value)


@codecs
@pytest.mark.parametrize("value", [0, 1.5, True, [], {}, ["a"]])
def test_a_text_is_nothing_else(codec: Codec, value: Any) -> None:
    refused(codec, type="hello", name=value)
    refused(codec, type="start", race=value)
    refused(codec, type="move", race=RACE, turn=0, moves=[value])
    refused(codec, type="create", game="doublets", bots=[value])


@codecs
@pytest.mark.parametrize("type_name", ["join", "watch"])
def test_exactly_one_of_race_and_code(codec: Codec, type_name: str) -> None:
    assert accepted(codec, type=type_name, race=RACE).id is msgspec.UNSET
    assert accepted(codec, type=type_name, code="").id is msgspec.UNSET
    for fields in ({}, {"race": RACE, "code": "QWXYZA"}):
        bad = refused(codec, type=type_name, id="j", **fields)
        assert str(bad) == "Give exactly one of race and code."
        assert bad.re == "j"


@codecs
def test_a_list_has_one_to_sixty_four_moves(codec: Codec) -> None:
    for count in (1, 64):
        moves = ["t0+t1"] * count
        command = accepted(codec, type="move", race=RACE, turn=0, moves=moves)
        assert command == commands.Move(race=RACE, turn=0, moves=moves)
    for count in (0, 65):
        refused(codec, type="move", race=RACE, turn=0, moves=["t0+t1"] * count)
    refused(codec, type="move", race=RACE, turn=0, moves="t0+t1")


@codecs
@pytest.mark.parametrize("t", ["", "x" * 64, 0, -HIGHEST, HIGHEST, 0.5, -1e300])
def test_a_ping_carries_a_text_or_a_number(codec: Codec, t: str | float) -> None:
    command = accepted(codec, type="ping", t=t)
    assert command == commands.Ping(t=t)
    pong = codec.decode_update(codec.encode(updates.Pong(t=t, now_ms=1)))
    assert pong == updates.Pong(t=t, now_ms=1)


@codecs
@pytest.mark.parametrize("t", ["x" * 65, True, None, [], 2**53, -(2**53)])
def test_a_ping_carries_nothing_else(codec: Codec, t: Any) -> None:
    assert refused(codec, type="ping", id=5, t=t).re == 5


# Frames that are not even that.


@pytest.mark.parametrize(
    "sent",
    [
        "",
        " ",
        "{",
        '{"type":"lobby"',
        '{"type":"lobby"}}',
        '{"type":"lobby"} x',
        '{"type":"lobby"}{"type":"lobby"}',
        '{"type":"lobby",}',
        "{'type':'lobby'}",
        '{type:"lobby"}',
        '{"type":"ping","t":NaN}',
        '{"type":"ping","t":Infinity}',
        '{"type":"ping","t":-Infinity}',
        '{"type":"ping","t":1e999}',
        '{"type":"ping","x":NaN}',
        '{"type":"ping","t":01}',
        '{"type":"ping","t":0x1}',
        '{"type":"ping","t":+1}',
        '{"type":"hello","name":"\\ud800"}',
        '{"type":"hello","name":"\ud800"}',
        '{"type":"hello","name":"\n"}',
        '\ufeff{"type":"lobby"}',
        '{"type":"lobby"}\x00',
        "/* */",
    ],
)
def test_what_is_not_json_is_refused(sent: str) -> None:
    bad = refusal(JSON, sent)
    assert bad.re is None
    assert not bad.unknown


def packed(*parts: bytes | Any) -> bytes:
    """Parts as they are where they are bytes, else each in MessagePack."""
    return b"".join(
        part if isinstance(part, bytes) else msgspec.msgpack.encode(part)
        for part in parts
    )


BIN_AB = b"\xc4\x02ab"
EXT_A = b"\xd4\x01a"
TWO, THREE = b"\x82", b"\x83"


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\xc1",
        b"\x81",
        packed({"type": "lobby"})[:-1],
        packed({"type": "lobby"}, b"\x00"),
        packed({"type": "lobby"}, {"type": "lobby"}),
        packed(TWO, "type", "hello", "name", b"\xa2\xff\xfe"),
        packed(TWO, "type", "hello", "name", b"\xa3\xed\xa0\x80"),
        packed(TWO, "type", "hello", [], 1),
        packed(TWO, "type", "hello", {}, 1),
        packed(TWO, "type", "hello", EXT_A, 1),
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        packed(TWO, "type", "nope", "x", b"\xdd\xff\xff\xff\xff"),
        packed(TWO, "type", "create", "bots", b"\xdd\xff\xff\xff\xff"),
        packed(TWO, "type", "lobby", "x", b"\xdb\xff\xff\xff\xff"),
    ],
)
def test_what_is_not_messagepack_is_refused(sent: bytes) -> None:
    assert refusal(MSGPACK, sent).re is None


@pytest.mark.parametrize(
    "sent",
    [
        packed(THREE, "type", "hello", "id", 5, "name", BIN_AB),
        packed(THREE, "type", "hello", "id", 5, "name", EXT_A),
        packed(THREE, "type", b"\xc4\x05hello", "id", 5, "name", "Zoë"),
        packed(THREE, "type", "ping", "id", 5, "t", BIN_AB),
        packed(THREE, "type", "ping", "id", 5, "t", EXT_A),
        packed(THREE, "type", "ping", "id", 5, "t", math.nan),
        packed(THREE, "type", "ping", "id", 5, "t", math.inf),
        packed(THREE, "type", "ping", "id", 5, "t", -math.inf),
        packed(THREE, "type", "lobby", "id", 5, 1, 2),
        packed(THREE, "type", "lobby", "id", 5, b"\xc4\x01x", 2),
        packed(THREE, "type", "lobby", "id", 5, None, 2),
        packed(THREE, "type", "lobby", "id", 5, True, 2),
    ],
)
def test_messagepack_has_the_types_of_json_alone(sent: bytes) -> None:
    assert refusal(MSGPACK, sent).re == 5


@pytest.mark.parametrize(
    ("codec", "sent"),
    [
        (JSON, "[" * DEEP),
        (JSON, "[" * DEEP + "]" * DEEP),
        (JSON, '{"type":"lobby","x":' + "[" * DEEP + "]" * DEEP + "}"),
        (JSON, '{"type":"lobby","x":' + '{"a":' * DEEP + "1" + "}" * DEEP + "}"),
        (JSON, '{"type":"nope","x":' + "[" * DEEP + "]" * DEEP + "}"),
        (MSGPACK, b"\x91" * DEEP + b"\x01"),
        (MSGPACK, packed(TWO, "type", "lobby", "x", b"\x91" * DEEP, 1)),
        (MSGPACK, packed(TWO, "type", "nope", "x", b"\x91" * DEEP, 1)),
        (MSGPACK, packed(TWO, "type", "lobby", "x", b"\x81\xa1a" * DEEP, 1)),
    ],
)
def test_nesting_too_deep_is_a_bad_message(codec: Codec, sent: Frame) -> None:
    refusal(codec, sent)
    with pytest.raises(BadMessage):
        codec.decode_update(sent)


# Updates and events.


@codecs
def test_an_update_of_a_later_version_is_none(codec: Codec) -> None:
    assert codec.decode_update(frame(codec, {"type": "fanfare", "x": 1})) is None


@codecs
@pytest.mark.parametrize(
    "message", [None, [], {}, {"type": 1}, {"type": "pong"}, {"type": "joined"}]
)
def test_what_is_no_update_is_refused(codec: Codec, message: Any) -> None:
    with pytest.raises(BadMessage):
        codec.decode_update(frame(codec, message))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"type":"teleported","seat":0}',
        b'{"type":"left"}',
        b'{"type":"left","seat":true}',
        b'{"type":"left","seat":0.0}',
        b'{"type":"left","seat":null}',
        b'{"type":"left","seat":0}\n{}',
        b'\xef\xbb\xbf{"type":"left","seat":0}',
        b'{"type":"joined","seat":0,"player":"p","name":"\xff"}',
        b'{"type":"left","seat":0,"x":' + b"[" * DEEP + b"]" * DEEP + b"}",
        b'{"type":"moved","seat":0,"turn":0,"moves":"t0+t1"}',
        b'{"type":"joined","seat":0,"player":"p","name":"N","bot":null}',
    ],
)
def test_what_is_no_event_is_refused(data: bytes) -> None:
    with pytest.raises(BadEvent):
        decode_event(data)


# Whatever comes in.

texts = st.text(max_size=12) | st.sampled_from(["type", "id", "race", "code", "turn"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.sampled_from([0, 1, HIGHEST, HIGHEST + 1, -HIGHEST - 1])
    | st.floats()
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)
    ),
    max_leaves=8,
)
# What MessagePack can write, and JSON cannot.
odd = (
    st.binary(max_size=8)
    | st.builds(msgspec.msgpack.Ext, st.integers(-128, 127), st.binary(max_size=12))
    | st.dictionaries(
        st.integers(-5, 5) | st.binary(max_size=3) | st.none(), values, max_size=2
    )
)


def stored(*kinds: str) -> list[bytes]:
    paths = sorted(GOLDEN.iterdir())
    return [p.read_bytes().strip() for p in paths if p.name.startswith(kinds)]


COMMANDS = stored("command.")
EVERYTHING = stored("command.", "update.", "event.")


@st.composite
def bent(draw: st.DrawFn, whatever: st.SearchStrategy[Any]) -> Any:
    """Draw a command that was good until a field was set, added or dropped."""
    message = msgspec.json.decode(draw(st.sampled_from(COMMANDS)))
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from([*message, "race", "code", "turn", "more"]))
        if draw(st.integers(0, 3)):
            message[name] = draw(whatever)
        else:
            message.pop(name, None)
    return message


@st.composite
def garbled(draw: st.DrawFn, to_bytes: Callable[[Any], bytes]) -> bytes:
    """Draw a stored sample with some of its bytes changed, dropped or doubled."""
    stored_bytes = draw(st.sampled_from(EVERYTHING))
    data = bytearray(to_bytes(msgspec.json.decode(stored_bytes)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 2))] = draw(st.binary(max_size=2))
    return bytes(data)


def check(codec: Codec, sent: Frame) -> None:
    """Nothing but a command or a BadMessage comes of a frame; likewise an update."""
    try:
        command = codec.decode_command(sent)
    except BadMessage as bad:
        answer = updates.Error(
            re=msgspec.UNSET if bad.re is None else bad.re,
            code="bad_message",
            message=str(bad),
        )
        assert codec.decode_update(codec.encode(answer)) == answer
    else:
        assert codec.decode_command(codec.encode_command(command)) == command
    try:
        update = codec.decode_update(sent)
    except BadMessage:
        return
    if update is not None:
        codec.encode(update)


@fuzz
@given(st.text() | st.text(st.sampled_from('{}[]":,\\ud0123eE+-.ntfalsrue \ufeff')))
def test_any_text_is_a_command_or_a_bad_message(sent: str) -> None:
    check(JSON, sent)


@fuzz
@given(st.binary())
def test_any_bytes_are_a_command_or_a_bad_message(sent: bytes) -> None:
    check(JSON, sent)
    check(MSGPACK, sent)


@fuzz
@given(bent(values) | values)
def test_any_value_in_json_is_a_command_or_a_bad_message(message: Any) -> None:
    check(JSON, frame(JSON, message))


@fuzz
@given(bent(values | odd) | values | odd)
def test_any_value_in_messagepack_is_a_command_or_a_bad_message(message: Any) -> None:
    check(MSGPACK, frame(MSGPACK, message))


@fuzz
@given(garbled(msgspec.json.encode))
def test_garbled_json_is_a_message_or_refused(sent: bytes) -> None:
    check(JSON, sent)
    try:
        decode_event(sent)
    except BadEvent:
        pass


@fuzz
@given(garbled(msgspec.msgpack.encode))
def test_garbled_messagepack_is_a_message_or_refused(sent: bytes) -> None:
    check(MSGPACK, sent)

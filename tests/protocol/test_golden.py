"""Stored samples of every message and event: they must decode for ever.

`golden/KIND.TYPE.json` has every field that the type began with. A
`golden/KIND.TYPE.LABEL.json` shows another form: `minimal` the one with nothing that
may be absent, others fields that were added later. A sample is never edited: an old
client or log goes on saying what it said.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from samedeal_protocol.codec import JSON, MSGPACK, decode_event, encode_event
from samedeal_protocol.commands import Command
from samedeal_protocol.events import Event
from samedeal_protocol.updates import Update


class Kind(NamedTuple):
    union: Any
    decode: Callable[[bytes], Any]
    encode: Callable[[Any], bytes]
    again: Callable[[Any], Any] | None
    """Through MessagePack and back; the log is JSON alone."""


def repacked_command(command: Command) -> Command:
    return MSGPACK.decode_command(MSGPACK.encode_command(command))


def repacked_update(update: Update) -> Update | None:
    return MSGPACK.decode_update(MSGPACK.encode(update))


KINDS = {
    "command": Kind(
        Command, JSON.decode_command, JSON.encode_command, repacked_command
    ),
    "update": Kind(Update, JSON.decode_update, JSON.encode, repacked_update),
    "event": Kind(Event, decode_event, encode_event, None),
}
SAMPLES = sorted((Path(__file__).parent / "golden").iterdir())
TYPES = [
    (name, member) for name, kind in KINDS.items() for member in kind.union.__args__
]

# Left out by a client, these come back with their value.
WRITTEN_OUT = {
    "command.hello.minimal": {"bot": False},
    "command.ready.minimal": {"ready": True},
}

# Of these fields a message has exactly one.
EITHER = {("command", "join"), ("command", "watch")}

samples = pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
types = pytest.mark.parametrize(
    ("name", "member"), TYPES, ids=lambda value: getattr(value, "__name__", value)
)


def stored(path: Path) -> bytes:
    data = path.read_bytes()
    assert data.endswith(b"\n")
    return data[:-1]


def tag(member: Any) -> str:
    return str(member.__struct_config__.tag)


@samples
def test_a_sample_decodes_to_its_type(path: Path) -> None:
    name, type_name, *_ = path.stem.split(".")
    message = KINDS[name].decode(stored(path))
    assert tag(message) == type_name
    assert type(message) in KINDS[name].union.__args__


@samples
def test_a_sample_encodes_to_the_same_bytes(path: Path) -> None:
    kind, data = KINDS[path.stem.split(".")[0]], stored(path)
    encoded = kind.encode(kind.decode(data))
    if added := WRITTEN_OUT.get(path.stem):
        assert msgspec.json.decode(encoded) == msgspec.json.decode(data) | added
    else:
        assert encoded == data


@pytest.mark.parametrize(
    "path",
    [path for path in SAMPLES if not path.name.startswith("event.")],
    ids=lambda path: path.stem,
)
def test_a_sample_is_the_same_in_messagepack(path: Path) -> None:
    kind, data = KINDS[path.stem.split(".")[0]], stored(path)
    message = kind.decode(data)
    assert kind.again is not None
    assert kind.again(message) == message
    packed = msgspec.msgpack.encode(msgspec.json.decode(data))
    is_command = kind.union is Command
    decode = MSGPACK.decode_command if is_command else MSGPACK.decode_update
    assert decode(packed) == message


@types
def test_some_sample_of_every_type_has_every_field(name: str, member: Any) -> None:
    stem = f"{name}.{tag(member)}"
    paths = [p for p in SAMPLES if p.stem == stem or p.stem.startswith(f"{stem}.")]
    assert paths
    found = [msgspec.json.decode(path.read_bytes()) for path in paths]
    assert any(
        is_whole(member, sample, (name, tag(member)) in EITHER) for sample in found
    )


@types
def test_every_type_has_a_sample_without_what_may_be_absent(
    name: str, member: Any
) -> None:
    optional = {key for key, field in fields(member).items() if not field.required}
    path = Path(__file__).parent / "golden" / f"{name}.{tag(member)}.minimal.json"
    assert path.exists() == bool(optional)
    if optional:
        sample = set(msgspec.json.decode(path.read_bytes()))
        if (name, tag(member)) in EITHER:
            assert len(sample & {"race", "code"}) == 1
            sample -= {"race", "code"}
        assert sample == {"type"} | set(fields(member)) - optional


@samples
def test_a_field_of_a_later_version_is_ignored(path: Path) -> None:
    kind, data = KINDS[path.stem.split(".")[0]], stored(path)
    later = data[:-1] + b',"later":{"x":[1,null,{}]},"null":null}'
    assert kind.decode(later) == kind.decode(data)


def fields(member: Any) -> dict[str, msgspec.structs.FieldInfo]:
    """A struct's fields by their name on the wire."""
    return {field.encode_name: field for field in msgspec.structs.fields(member)}


def is_whole(member: Any, sample: dict[str, Any], either: bool = False) -> bool:
    """Whether a sample and the structs within it have every field, and no list in it
    is empty; where `either`, but one of race and code."""
    missing = set(fields(member)) - set(sample)
    if not missing <= {"race", "code"} or len(missing) != either:
        return False
    message = msgspec.convert(sample, member)
    for name, field in fields(member).items():
        value: Any = getattr(message, field.name)
        inside: Any = sample.get(name)
        if isinstance(inside, list):
            if not inside:
                return False
            value, inside = value[0], sample[name][0]
        if isinstance(value, msgspec.Struct) and not is_whole(type(value), inside):
            return False
    return True

"""Frames to messages and back, in JSON and MessagePack; built once.

Whatever bytes come in, decoding gives a message or raises `BadMessage`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import UNSET

from samedeal_protocol.commands import Command, Join, Ping, Watch
from samedeal_protocol.events import Event
from samedeal_protocol.names import (
    MAX_SAFE_INTEGER,
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    CorrelationId,
)
from samedeal_protocol.updates import Update


Frame = str | bytes
"""A WebSocket message: text frames are `str`, binary frames `bytes`."""


class BadMessage(ValueError):
    """A frame is not a message of this protocol; str() says what is wrong.

    Attributes:
        re: the command's `id`, if the frame is an object with a usable one.
        unknown: the frame is an object, but of no known `type`.
    """

    def __init__(
        self, message: str, re: CorrelationId | None = None, unknown: bool = False
    ) -> None:
        super().__init__(message)
        self.re = re
        self.unknown = unknown


class BadEvent(ValueError):
    """Bytes from a log are not an event of this version; str() says why."""


@dataclass(frozen=True, slots=True)
class Codec:
    """One subprotocol.

    `encode` and `encode_command` give the bytes of a frame; in JSON it is a
    text frame's UTF-8.
    """

    subprotocol: str
    text: bool
    encode: Callable[[Update], bytes]
    encode_command: Callable[[Command], bytes]
    _decode_command: Callable[[Frame], Command]
    _decode_update: Callable[[Frame], Update]
    _decode_outline: Callable[[Frame], dict[Any, msgspec.Raw]]
    _decode_any: Callable[[bytes], Any]

    def decode_command(self, frame: Frame) -> Command:
        """The command in `frame`.

        Raises:
            BadMessage: there is none.
        """
        try:
            command = self._decode_command(frame)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise self._explain(frame, error, _COMMAND_TYPES) from None
        if type(command) not in _JUDGED:
            return command
        match command:
            case Ping(t=float() as t) if not math.isfinite(t):
                raise _misfit(command, "The field t is not a finite number.")
            case Join() | Watch() if (command.race is UNSET) == (command.code is UNSET):
                raise _misfit(command, "Give exactly one of race and code.")
            case _:
                return command

    def decode_update(self, frame: Frame) -> Update | None:
        """The update in `frame`; None for a type that this version lacks.

        Raises:
            BadMessage: it is not an update at all.
        """
        try:
            return self._decode_update(frame)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            explained = self._explain(frame, error, _UPDATE_TYPES)
            if explained.unknown:
                return None
            raise explained from None

    def _explain(
        self, frame: Frame, error: Exception, known: frozenset[str]
    ) -> BadMessage:
        if isinstance(error, RecursionError):
            return BadMessage("The message is nested too deeply.")
        # Field by field, so that an id is found beside whatever cannot be read.
        try:
            outline = self._decode_outline(frame)
        except msgspec.ValidationError:
            return BadMessage("A message is an object with a type.")
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return BadMessage(f"The message cannot be read: {error}.")
        re = _usable_id(self._field(outline, "id"))
        kind = self._field(outline, "type")
        if isinstance(kind, str) and kind not in known:
            shown = kind if len(kind) <= 40 else kind[:40] + "…"
            return BadMessage(f"There is no message type {shown!r}.", re, True)
        return BadMessage(f"The message does not fit its type: {error}.", re)

    def _field(self, outline: dict[Any, msgspec.Raw], name: str) -> object:
        """The value of a field; None where there is none that can be read."""
        try:
            return self._decode_any(outline[name])
        except (KeyError, msgspec.DecodeError, RecursionError, UnicodeError):
            return None


def decode_event(data: bytes) -> Event:
    """The event stored as `data`.

    Raises:
        BadEvent: it is none that this version knows.
    """
    try:
        return _decode_event(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadEvent(str(error)) from None


def _misfit(command: Command, message: str) -> BadMessage:
    return BadMessage(message, None if command.id is UNSET else command.id)


def _usable_id(value: object) -> CorrelationId | None:
    if isinstance(value, str):
        return value if len(value) <= 64 else None
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) <= MAX_SAFE_INTEGER else None
    return None


def _tags(union: Any) -> frozenset[str]:
    return frozenset(member.__struct_config__.tag for member in union.__args__)


_JUDGED: Final = frozenset((Ping, Join, Watch))
"""Commands of which types and ranges alone do not say whether they are good. Asked by
`type`, as `isinstance` takes its time to say no of a Struct."""

_COMMAND_TYPES: Final = _tags(Command)
_UPDATE_TYPES: Final = _tags(Update)
_encode_json = msgspec.json.Encoder().encode
encode_event: Final[Callable[[Event], bytes]] = _encode_json
"""The event as it is stored: compact JSON, `type` first, raw UTF-8."""

_encode_msgpack = msgspec.msgpack.Encoder().encode
_decode_event = msgspec.json.Decoder(Event).decode

JSON: Final = Codec(
    SUBPROTOCOL_JSON,
    True,
    _encode_json,
    _encode_json,
    msgspec.json.Decoder(Command).decode,
    msgspec.json.Decoder(Update).decode,
    msgspec.json.Decoder(dict[str, msgspec.Raw]).decode,
    msgspec.json.Decoder().decode,
)
MSGPACK: Final = Codec(
    SUBPROTOCOL_MSGPACK,
    False,
    _encode_msgpack,
    _encode_msgpack,
    msgspec.msgpack.Decoder(Command).decode,  # type: ignore[arg-type]
    msgspec.msgpack.Decoder(Update).decode,  # type: ignore[arg-type]
    msgspec.msgpack.Decoder(dict[Any, msgspec.Raw]).decode,  # type: ignore[arg-type]
    msgspec.msgpack.Decoder().decode,
)
CODECS: Final = {codec.subprotocol: codec for codec in (JSON, MSGPACK)}

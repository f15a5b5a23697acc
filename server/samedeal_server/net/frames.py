"""The frame that nearly all are: one whole message, short (RFC 6455, section 5.2).

Pure functions on bytes, which are worth compiling.
"""

from typing import Final


INCOMPLETE: Final = 0
"""In place of an end: the rest of the frame is still to come."""
WRONG: Final = -1
"""Its length is written in more bytes than it needs, or is none that there can be."""
OTHER: Final = -2
"""It is not masked, or longer than a message may be."""

_MASKED: Final = 0x80
_SHORT: Final = 126
"""Payloads below this have their length in the second byte; at it, in two more."""
_LONG: Final = 127
"""Eight bytes of length follow."""
_LONG_FROM: Final = 1 << 16
"""From here on a length takes eight bytes."""

_BYTES: Final = [bytes((byte,)) for byte in range(256)]
_LENGTH_FOLLOWS: Final = bytes((_SHORT,))
_OFTEN: Final = 1024
"""Headers of payloads below this many bytes are kept, once made."""
_HEADERS: Final[dict[int, bytes]] = {}


def span(data: bytes, longest: int, at: int = 0) -> tuple[int, int]:
    """Where the payload of the frame at `at` begins and ends, its mask before it.

    Args:
        longest: payload that is taken.

    Returns:
        Begin and end in `data`; the end is `INCOMPLETE`, `WRONG` or `OTHER` where
        there is no such frame (yet).
    """
    size = len(data)
    if size < at + 2:
        return 0, INCOMPLETE
    length, start = data[at + 1] - _MASKED, at + 6
    if length == _SHORT:
        if size < at + 4:
            return 0, INCOMPLETE
        length, start = data[at + 2] << 8 | data[at + 3], at + 8
        if length < _SHORT:
            return 0, WRONG
    elif length == _LONG:
        if size < at + 10:
            return 0, INCOMPLETE
        length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 14
        if not _LONG_FROM <= length < 1 << 63:
            return 0, WRONG
    if not 0 <= length <= longest:
        return 0, OTHER
    end = start + length
    return (start, end) if end <= size else (0, INCOMPLETE)


def framed(first: int, payload: bytes) -> bytes | None:
    """A frame as a server sends it, with this first byte; None where it is too long."""
    size = len(payload)
    if size < _SHORT:
        return _BYTES[first] + _BYTES[size] + payload
    if size >= _LONG_FROM:
        return None
    header = _HEADERS.get(first << 16 | size)
    if header is None:
        header = _BYTES[first] + _LENGTH_FOLLOWS + size.to_bytes(2, "big")
        if size < _OFTEN:
            _HEADERS[first << 16 | size] = header
    return header + payload

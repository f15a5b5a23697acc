"""What is taken for a whole frame is one, whatever it comes in."""

import struct

from hypothesis import given, strategies as st
from websockets.frames import Frame, Opcode

from samedeal_server.net.frames import INCOMPLETE, OTHER, WRONG, framed, span


LONGEST = 70_000
MASK = b"\x01\x02\x03\x04"

sizes = st.one_of(
    st.integers(0, 300), st.sampled_from([65_535, 65_536, LONGEST, LONGEST + 1])
)


def sent(size: int) -> bytes:
    """A frame of a client's, as the library makes it."""
    return Frame(Opcode.TEXT, b"x" * size).serialize(mask=True)


@given(sizes, st.binary(max_size=8))
def test_a_frame_ends_where_the_library_ends_it(size: int, more: bytes) -> None:
    whole = sent(size)
    start, end = span(whole + more, LONGEST)
    if size > LONGEST:
        assert end == OTHER
    else:
        assert (start, end) == (len(whole) - size, len(whole))


@given(sizes.filter(lambda size: size <= LONGEST), st.data())
def test_a_piece_of_a_frame_is_not_one(size: int, data: st.DataObject) -> None:
    whole = sent(size)
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert span(whole[:cut], LONGEST)[1] == INCOMPLETE


@given(st.binary(max_size=30), st.integers(0, 40))
def test_whatever_comes_is_understood(data: bytes, longest: int) -> None:
    start, end = span(data, longest)
    if end > 0:
        assert 6 <= start <= end <= len(data)
        assert end - start <= longest
    else:
        assert end in (INCOMPLETE, WRONG, OTHER)


def test_lengths_in_more_bytes_than_needed_are_wrong() -> None:
    assert span(b"\x81\xfe\x00\x7d" + MASK + b"x" * 125, LONGEST)[1] == WRONG
    head = b"\x81\xff" + struct.pack("!Q", 65_535)
    assert span(head + MASK + b"x" * 65_535, LONGEST)[1] == WRONG
    assert span(b"\x81\xff" + struct.pack("!Q", 1 << 63), LONGEST)[1] == WRONG


def test_what_is_not_masked_is_left_to_others() -> None:
    assert span(b"\x81\x02{}", LONGEST)[1] == OTHER
    assert span(b"\x81\x7e", LONGEST)[1] == OTHER


@given(
    st.one_of(st.integers(0, 300), st.sampled_from([1023, 1024, 65_535, 65_536])),
    st.permutations([Opcode.TEXT, Opcode.BINARY]),
)
def test_frames_out_are_as_the_library_makes_them(
    size: int, opcodes: list[Opcode]
) -> None:
    payload = b"x" * size
    for opcode in [*opcodes, *opcodes]:  # Some headers are made but once.
        mine = framed(0x80 | opcode, payload)
        if size == 65_536:
            assert mine is None
        else:
            assert mine == Frame(opcode, payload).serialize(mask=False)

"""A packed file is an ordinary zstd file, and nothing else is taken for one."""

import pytest
import zstandard
from hypothesis import given, strategies as st

from samedeal_protocol import logfile
from samedeal_protocol.packed import MAX_BYTES, PackError, pack, unpack


FILE = logfile.write([(5, b'{"type":"created"}'), (7, b'{"type":"ended"}')])


@given(st.binary())
def test_what_is_packed_unpacks_the_same(file: bytes) -> None:
    packed = pack(file)
    assert packed.startswith(logfile.PACKED)
    assert unpack(packed) == file
    assert zstandard.ZstdDecompressor().decompress(packed) == file


def test_what_others_have_packed() -> None:
    # As `zstd` does with what comes by a pipe: it does not know how much.
    unsized = zstandard.ZstdCompressor(level=19, write_content_size=False)
    assert unpack(unsized.compress(FILE)) == FILE


def test_nothing_is_cut_off_in_silence() -> None:
    packed = pack(FILE)
    for length in range(len(packed)):
        with pytest.raises(PackError, match="cannot be decompressed"):
            unpack(packed[:length])
    with pytest.raises(PackError, match="unused data"):
        unpack(packed + packed)


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    for some in (data, logfile.PACKED + data):
        try:
            unpack(some)
        except PackError as error:
            assert str(error).endswith(".")


@pytest.mark.parametrize("says_its_size", [True, False])
def test_what_comes_to_too_much(says_its_size: bool) -> None:
    huge = bytes(MAX_BYTES + 1)
    with pytest.raises(PackError, match="at most"):
        pack(huge)
    packer = zstandard.ZstdCompressor(write_content_size=says_its_size)
    with pytest.raises(PackError):
        unpack(packer.compress(huge))

import hashlib

import pytest
from hypothesis import given, strategies as st

from samedeal_protocol.logfile import (
    Digest,
    LogEntry,
    LogFileError,
    entry_line,
    read,
    write,
)


ENTRIES = [
    (1764451200000, b'{"type":"created","race":"k3v7q2mzt5ad6xwp"}'),
    (1764451200000, '{"type":"joined","seat":0,"name":"Zoë"}'.encode()),
    (1764451203210, b'{"type":"moved","seat":0,"turn":0,"moves":["t3+t7"]}'),
    (1764451203211, b'{"type":"ended","standings":[]}'),
]
FILE = write(ENTRIES)

events = st.binary(max_size=20).map(
    lambda inside: b"{" + inside.replace(b"\n", b"") + b"}"
)
entries = st.lists(st.tuples(st.integers(0, 10**15), events), min_size=1, max_size=6)


def fault(data: bytes) -> LogFileError:
    with pytest.raises(LogFileError) as caught:
        read(data)
    return caught.value


def notices(data: bytes) -> bool:
    """Whether a changed file is refused or seen to have changed."""
    try:
        log = read(data)
    except LogFileError:
        return True
    return log.digest != log.actual_digest


def test_a_file_is_written_to_the_byte() -> None:
    lines = FILE.split(b"\n")
    assert lines[0] == (
        b'{"index":0,"at_ms":1764451200000,'
        b'"event":{"type":"created","race":"k3v7q2mzt5ad6xwp"}}'
    )
    assert lines[3] == (
        b'{"index":3,"at_ms":1764451203211,"event":{"type":"ended","standings":[]}}'
    )
    body = b"".join(line + b"\n" for line in lines[:4])
    digest = hashlib.sha256(body).hexdigest()
    assert lines[4:] == [b'{"digest":"%s"}' % digest.encode(), b""]


@given(entries)
def test_what_was_written_is_read(given_entries: list[tuple[int, bytes]]) -> None:
    log = read(write(given_entries))
    assert [(entry.at_ms, entry.event) for entry in log.entries] == given_entries
    assert [entry.index for entry in log.entries] == [*range(len(given_entries))]
    assert log.digest == log.actual_digest


@given(entries)
def test_the_digest_is_kept_up_entry_by_entry(
    given_entries: list[tuple[int, bytes]],
) -> None:
    digest = Digest()
    for count, (at_ms, event) in enumerate(given_entries, 1):
        digest.add(at_ms, event)
        assert digest.hex() == read(write(given_entries[:count])).digest


def test_an_entry_is_read_as_stored() -> None:
    log = read(FILE)
    assert log.entries[2] == LogEntry(2, *ENTRIES[2])
    assert entry_line(2, *ENTRIES[2]) in FILE


# Any change is noticed.


def test_every_flip_of_a_byte_is_noticed() -> None:
    for position, byte in enumerate(FILE):
        others = {byte ^ (1 << bit) for bit in range(8)} | {*b'\n0}"{ ', 255}
        for other in others - {byte}:
            changed = bytearray(FILE)
            changed[position] = other
            assert notices(bytes(changed)), (position, other)


def test_every_byte_missing_or_added_is_noticed() -> None:
    for position in range(len(FILE)):
        assert notices(FILE[:position] + FILE[position + 1 :])
        for byte in (b" ", b"0", b"\n", b"}", FILE[position : position + 1]):
            assert notices(FILE[:position] + byte + FILE[position:])
    for byte in (b" ", b"\n", b"\x00", b"{}\n"):
        assert notices(FILE + byte)


def test_every_cut_is_noticed() -> None:
    for length in range(len(FILE)):
        assert notices(FILE[:length])
        assert notices(FILE[length + 1 :])


def test_lines_in_another_order_are_noticed() -> None:
    lines = FILE.splitlines(keepends=True)
    for first in range(len(lines)):
        for second in range(first):
            swapped = [*lines]
            swapped[first], swapped[second] = lines[second], lines[first]
            assert notices(b"".join(swapped))


# And its line is named.


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b'"index":2', b'"index":3', 3, "index 3 where 2 belongs"),
        (b'"index":2', b'"index":02', 3, "no log entry"),
        (b'"index":2', b'"index":-2', 3, "no log entry"),
        (b'"index":2', b'"index": 2', 3, "no log entry"),
        (b'"index":2', '"index":٢'.encode(), 3, "no log entry"),
        (b'"at_ms":1764451203210', b'"at_ms":1.5', 3, "no log entry"),
        (b'"at_ms":1764451203210', b'"at_ms":97644512032109990', 3, "no log entry"),
        (b'{"type":"created"', b'"type":"created"', 1, "no log entry"),
        (b"\n", b"\r\n", 1, "no log entry"),
        (b'{"digest":"', b'{"digest":"0', 5, "no log entry"),
        (b'{"digest":"', b'{"digest" :"', 5, "no log entry"),
    ],
)
def test_a_fault_names_its_line(
    old: bytes, new: bytes, line: int, message: str
) -> None:
    changed = FILE.replace(old, new, 1)
    assert changed != FILE
    found = fault(changed)
    assert found.line == line
    assert message in found.message
    assert str(found) == f"Line {line}: {found.message}"


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", 1, "cut off"),
        (b"\n", 1, "no log entry"),
        (FILE[:-1], 5, "cut off"),
        (FILE[: FILE.index(b'{"digest"')], 5, "digest line is missing"),
        (FILE[FILE.index(b'{"digest"') :], 1, "at least one entry"),
        (FILE + FILE, 5, "no log entry"),
        (b"\n" + FILE, 1, "no log entry"),
        (FILE.upper(), 1, "no log entry"),
        (b"\xef\xbb\xbf" + FILE, 1, "no log entry"),
    ],
)
def test_what_is_no_log_at_all_is_refused(data: bytes, line: int, message: str) -> None:
    found = fault(data)
    assert found.line == line
    assert message in found.message


@given(st.binary() | st.text(st.sampled_from('{}"index:01,at_msevd\n')))
def test_any_bytes_are_a_log_or_refused(data: bytes | str) -> None:
    raw = data.encode() if isinstance(data, str) else data
    try:
        read(raw)
    except LogFileError:
        pass

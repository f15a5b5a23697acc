"""The file form of a race's log: what is exported, replayed and verified.

One line an entry, `{"index":0,"at_ms":…,"event":{…}}`, then one last line
`{"digest":"…"}`: SHA-256, in hex, over all the bytes before it.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


PACKED: Final = b"\x28\xb5\x2f\xfd"
"""How a file begins that is compressed; see `packed`."""

_ENTRY: Final = re.compile(
    rb'\{"index":(0|[1-9][0-9]{0,8}),"at_ms":(0|[1-9][0-9]{0,15}),"event":(\{.*\})\}'
)
_DIGEST: Final = re.compile(rb'\{"digest":"([0-9a-f]{64})"\}')

# Entries that a digest hashes at once, at most.
_TOGETHER: Final = 64


class LogFileError(ValueError):
    """Bytes are not a log in file form.

    Attributes:
        line: the line at fault, from 1; None where only the whole is wrong.
    """

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(message if line is None else f"Line {line}: {message}")
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry: `event` is its bytes as stored, `at_ms` the log's time."""

    index: int
    at_ms: int
    event: bytes


@dataclass(frozen=True, slots=True)
class LogFile:
    """A whole log.

    Attributes:
        digest: what the last line says.
        actual_digest: what the lines before it come to; they differ when the
            file was changed.
    """

    entries: tuple[LogEntry, ...]
    digest: str
    actual_digest: str


def entry_line(index: int, at_ms: int, event: bytes) -> bytes:
    """One line of the file, with its line end."""
    return b'{"index":%d,"at_ms":%d,"event":%s}\n' % (index, at_ms, event)


class Digest:
    """The digest of a log, kept up entry by entry."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._length = 0
        self._later: list[tuple[int, bytes]] = []
        """Entries still to be hashed: many at once take less time than one by one."""

    def add(self, at_ms: int, event: bytes) -> None:
        """Count the next entry in."""
        self._later.append((at_ms, event))
        if len(self._later) == _TOGETHER:
            self._catch_up()

    def hex(self) -> str:
        """The digest of the entries so far."""
        self._catch_up()
        return self._hash.hexdigest()

    def _catch_up(self) -> None:
        later, self._later = self._later, []
        lines = [
            entry_line(index, at_ms, event)
            for index, (at_ms, event) in enumerate(later, self._length)
        ]
        self._hash.update(b"".join(lines))
        self._length += len(later)


def write(entries: Iterable[tuple[int, bytes]]) -> bytes:
    """The file of a log whose entries are (time in ms, event) in order."""
    body = b"".join(
        entry_line(index, at_ms, event) for index, (at_ms, event) in enumerate(entries)
    )
    digest = hashlib.sha256(body).hexdigest()
    return body + b'{"digest":"%s"}\n' % digest.encode()


def read(data: bytes) -> LogFile:
    """Take a file apart; what its events say is not looked at.

    Raises:
        LogFileError: it is not exactly in file form.
    """
    if not data.endswith(b"\n"):
        raise LogFileError(
            data.count(b"\n") + 1, "the line is cut off; a log ends with a line end."
        )
    lines = data[:-1].split(b"\n")
    last = _DIGEST.fullmatch(lines[-1])
    entries: list[LogEntry] = []
    for number, line in enumerate(lines if last is None else lines[:-1], 1):
        match = _ENTRY.fullmatch(line)
        if match is None:
            raise LogFileError(number, "this is no log entry (and no digest).")
        index, at_ms, event = int(match[1]), int(match[2]), match[3]
        if index != number - 1:
            raise LogFileError(number, f"index {index} where {number - 1} belongs.")
        entries.append(LogEntry(index, at_ms, event))
    if last is None:
        raise LogFileError(len(lines) + 1, "the digest line is missing.")
    if not entries:
        raise LogFileError(1, "a log has at least one entry.")
    body = data[: len(data) - len(lines[-1]) - 1]
    return LogFile(tuple(entries), last[1].decode(), hashlib.sha256(body).hexdigest())

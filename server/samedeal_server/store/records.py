"""The log of a race that has ended, folded: one string instead of a stream.

It is the log's file as it is served and exported, compressed, under the key that
the stream had. So there is one or the other at any moment, wherever a node dies;
whoever appends to it is refused by the store itself; and it lives in one slot, and
until the same time, as the stream did.
"""

from collections.abc import Iterable, Sequence

from samedeal_protocol import logfile, packed

from .scripts import Script
from .values import Entry


DAMAGED = (Entry("0-1", 0, b""),)
"""What a record reads as that cannot be read: an entry without an event, as one that
somebody else wrote into a stream."""


class CannotFold(ValueError):
    """A log that would not read the same from a record; it stays a stream."""


# KEYS: the log. ARGV: its length, the id and the event of its last entry, the record,
# how long to keep it (s) where nothing was said for the stream.
#
# Returns 1 where the log is folded now, by whomever; 0 where it is another one.
FOLD = Script(
    """
local key = KEYS[1]
local kind = redis.call('TYPE', key).ok
if kind == 'string' then
  return 1
end
if kind ~= 'stream' or redis.call('XLEN', key) ~= tonumber(ARGV[1]) then
  return 0
end
local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', '1')[1]
if last[1] ~= ARGV[2] or last[2][2] ~= ARGV[3] then
  return 0
end
redis.call('SET', key, ARGV[4], 'KEEPTTL')
redis.call('EXPIRE', key, ARGV[5], 'NX')
return 1
"""
)


def fold(entries: Sequence[Entry]) -> bytes:
    """The record of a whole log.

    Raises:
        CannotFold: there are entries that we did not write.
    """
    try:
        file = logfile.write((entry.at_ms, entry.event) for entry in entries)
        record = packed.pack(file)
        same = _entries(record) == list(entries)
    except ValueError as error:
        raise CannotFold(str(error)) from None
    if not same:
        raise CannotFold("the ids of its entries do not follow from their times.")
    return record


def unfold(record: bytes) -> list[Entry]:
    """The entries of a record; `DAMAGED` where it cannot be read."""
    try:
        return _entries(record)
    except ValueError:
        return list(DAMAGED)


def _entries(record: bytes) -> list[Entry]:
    log = logfile.read(packed.unpack(record))
    if log.digest != log.actual_digest:
        raise ValueError("the digest is another one.")
    ids = _ids(entry.at_ms for entry in log.entries)
    return [
        Entry(id, entry.at_ms, entry.event)
        for id, entry in zip(ids, log.entries, strict=True)
    ]


def _ids(times: Iterable[int]) -> Iterable[str]:
    """The ids that `APPEND` gives: a time, and which entry of that time it is."""
    last_ms, number = -1, 0
    for at_ms in times:
        number = number + 1 if at_ms == last_ms else 0
        last_ms = at_ms
        yield f"{at_ms}-{number}"

"""Server-side scripts: known by their hash, sent in full only where unknown."""

import hashlib
from collections.abc import Sequence

from .talk import Argument, Command


class Script:
    """One Lua script; all keys of one call must lie in one hash slot."""

    __slots__ = ("sha", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self.sha = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()

    def short(self, keys: Sequence[str], arguments: Sequence[Argument]) -> Command:
        """The call by hash; the answer is `NoScriptError` where it is not known."""
        return ("EVALSHA", self.sha, len(keys), *keys, *arguments)

    def full(self, keys: Sequence[str], arguments: Sequence[Argument]) -> Command:
        """The same call with its text, which makes the hash known there."""
        return ("EVAL", self.source, len(keys), *keys, *arguments)


# Conditional append, for any number of races in one call.
#
# KEYS: the log of each append's race. ARGV: one MessagePack array, flat, for each
# append: the length expected, the last entry's id and its milliseconds (as text), not
# before, not after (in milliseconds, or nil), the number of events, the events. One
# argument is much less work for both sides than one for each value.
#
# Returns the clock in milliseconds, then two values for each append:
#   at_ms, n >= 0   appended: the events have the ids at_ms-n, at_ms-(n+1) ...
#   0, -1           the log is not as expected
#   ms, -2 / -3     too early / too late by the log's clock, which says ms
#   text, -4        the store refused to write
#
# An entry's time is never before that of the entry before it, even where the
# clock of the store was set back. Nothing here raises, so that one race whose
# append fails takes no other with it. An id is made once a call where it can be:
# writing a number takes as long as adding the entry.
APPEND = Script(
    """
local call, pcall, tonumber = redis.call, redis.pcall, tonumber
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fresh = string.format('%d-0', now)
local given = cmsgpack.unpack(ARGV[1])
local out, o, a = {now}, 2, 1
for k = 1, #KEYS do
  local key, last = KEYS[k], given[a + 1]
  local count = given[a + 5]
  local at, result = 0, -1
  local found = pcall('XLEN', key)
  if found == given[a] and (found == 0
      or call('XREVRANGE', key, '+', '-', 'COUNT', '1')[1][1] == last) then
    local ms = tonumber(given[a + 2])
    local id
    if found > 0 and ms >= now then
      at, result = ms, tonumber(string.match(last, '%d+$')) + 1
      id = string.format('%d-%d', at, result)
    else
      at, result, id = now, 0, fresh
    end
    if at < given[a + 3] then
      result = -2
    elseif given[a + 4] and at > given[a + 4] then
      result = -3
    else
      for i = 1, count do
        local added = pcall('XADD', key, id, 'e', given[a + 5 + i])
        if type(added) == 'table' then
          at, result = added.err, -4
          break
        end
        if i < count then
          id = string.format('%d-%d', at, result + i)
        end
      end
    end
  elseif type(found) == 'table' then
    at, result = found.err, -4
  end
  out[o], out[o + 1] = at, result
  o, a = o + 2, a + 6 + count
end
return out
"""
)

"""The log: one Redis Stream for each race, one entry for each event.

Two things can be done: append on condition that the log stands where one
believes, and read what came after a position. Once a race has ended its log can be
folded into one record, which is read as the stream was; see `records`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from . import keys
from .appends import Appends
from .errors import LogUnavailable, StoreUnavailable
from .nodes import Node, Nodes, Work
from .records import FOLD, fold, unfold
from .talk import Command
from .values import (
    START,
    Append,
    Appended,
    AppendResult,
    Conflict,
    Doubtful,
    Entry,
    Position,
    Tail,
    TooEarly,
    TooLate,
)


__all__ = [
    "START",
    "Append",
    "AppendResult",
    "Appended",
    "Conflict",
    "Doubtful",
    "Entry",
    "Log",
    "Position",
    "Tail",
    "TooEarly",
    "TooLate",
]

# A log that shrinks while it is read is read again from the start.
_ATTEMPTS = 4
_SCAN = 1000
_DAY_S = 86_400
# To fold a longer one takes milliseconds, for which nobody else is to wait.
_LONG = 150


class _OtherKind(LogUnavailable):
    """The log is a record where a stream was asked for, or the other way round."""


class Log:
    """All races' logs."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._appends = Appends(nodes)
        self.append: Callable[[Append], None] = self._appends.submit
        """Takes an append and returns; its `done` is called with the outcome, within
        `append_timeout_s` whatever happens."""
        self.now_ms: Callable[[], int] = nodes.clock.now_ms
        """The log's clock, never ahead of it; 0 before `refresh_clock`."""
        self.contact = nodes.contact
        """Whether what was read still holds, and whether others append."""

    async def read(self, race: str, after: Position) -> Tail:
        """The entries after `after`; raises `LogUnavailable` when they cannot be had."""
        try:
            return await self._read(race, after)
        except LogUnavailable:
            raise
        except StoreUnavailable as error:
            raise LogUnavailable(str(error)) from error

    async def length(self, race: str) -> int:
        """How many entries the log has; 0 where there is none."""
        try:
            length: int
            [length] = await self._look(race, ("XLEN", keys.log(race)))
        except _OtherKind:
            return len(await self._record(race))
        return length

    async def exists(self, race: str) -> bool:
        """Whether the race has a log."""
        return await self.length(race) > 0

    async def fold(self, race: str, log: Tail) -> bool:
        """Makes the stream one record that reads the same, where it still is `log`,
        the whole of a race that has ended. Returns whether it is folded now, by
        whomever, and on as many replicas as are waited for.

        Raises `CannotFold` where a record would not read the same, and
        `StoreUnavailable`: it may have happened or not, and can be done again.
        """
        if len(log.entries) > _LONG:
            record = await asyncio.to_thread(fold, log.entries)
        else:
            record = fold(log.entries)
        length, last = log.position.length, log.position.last
        arguments = (length, last, log.entries[-1].event, record)
        seconds = self._nodes.settings.keep_days * _DAY_S
        done = await self._nodes.run(FOLD, [keys.log(race)], *arguments, seconds)
        if done and self._nodes.settings.wait_replicas:
            await self._record(race)
        return bool(done)

    async def folded(self) -> AsyncIterator[str]:
        """Every race whose log is folded, in no order; some may come twice. One that
        is folded, or moves from process to process, meanwhile may be left out."""
        what = ("MATCH", keys.log("*"), "TYPE", "string", "COUNT", _SCAN)
        for node in self._nodes.masters():
            cursor = b"0"
            while True:
                cursor, found = await self._nodes.ask(
                    node.address, "SCAN", cursor, *what
                )
                for key in found:
                    yield keys.race_of(key.decode())
                if cursor == b"0":
                    break

    async def refresh_clock(self) -> None:
        """Asks every process of the store for its time.

        Raises `StoreUnavailable` when none answers; of one that does not, the time
        as it was known goes on.
        """
        masters = self._nodes.masters()
        answers = await asyncio.gather(
            *(self._ask_time(node) for node in masters), return_exceptions=True
        )
        errors = [error for error in answers if error is not None]
        if len(errors) == len(masters):
            raise errors[0]

    async def aclose(self) -> None:
        """Ends appends under way as `Doubtful`."""
        await self._appends.aclose()

    # Private methods.

    async def _ask_time(self, node: Node) -> None:
        asked_s = time.monotonic()
        seconds, micros = await self._nodes.ask(node.address, "TIME")
        log_ms = int(seconds) * 1000 + int(micros) // 1000
        self._nodes.clock.saw(node.name, log_ms, asked_s)

    async def _read(self, race: str, after: Position) -> Tail:
        whole = False
        for _ in range(_ATTEMPTS):
            try:
                entries = await self._entries(race, after)
            except _OtherKind:
                entries = _following(await self._record(race), after)
            if entries is not None:
                length = after.length + len(entries)
                last = entries[-1].id if entries else after.last
                return Tail(entries, Position(length, last), whole)
            after, whole = START, True
        raise LogUnavailable(f"The log of race {race} changes while it is being read.")

    async def _entries(self, race: str, after: Position) -> list[Entry] | None:
        """All entries after `after`; None where the log does not go on from there."""
        entries: list[Entry] = []
        last = after.last
        while True:
            # From the last entry known, itself included, to see that it is there.
            first = "-" if last == START.last else last
            length, found = await self._page(race, first)
            if first != "-" and (not found or found.pop(0)[0].decode() != last):
                return None
            entries += [_entry(item) for item in found]
            if len(found) < self._nodes.settings.page:
                return entries if length == after.length + len(entries) else None
            last = entries[-1].id

    async def _page(self, race: str, first: str) -> tuple[int, list[Any]]:
        """The stream's length and its entries from `first` on, as of one moment."""
        key = keys.log(race)
        count = self._nodes.settings.page + 1
        length, found = await self._look(
            race, ("XLEN", key), ("XRANGE", key, first, "+", "COUNT", count)
        )
        return length, found

    async def _record(self, race: str) -> list[Entry]:
        """All entries of a log that is folded; none where it is gone by now."""
        [record] = await self._look(race, ("GET", keys.log(race)))
        return [] if record is None else unfold(record)

    async def _look(self, race: str, *reads: Command) -> list[Any]:
        """What these say of the race's log, as of one moment, and, where replicas are
        waited for, of what is on enough of them."""
        try:
            return await self._exchange(race, reads)
        except StoreUnavailable as error:
            if str(error.__cause__).startswith("WRONGTYPE"):
                raise _OtherKind(
                    f"The log of race {race} changes while it is being read."
                ) from error
            raise

    async def _exchange(self, race: str, reads: Sequence[Command]) -> list[Any]:
        key = keys.log(race)
        settings = self._nodes.settings
        if not settings.wait_replicas:
            commands: list[Command] = [("MULTI",), *reads, ("EXEC",)]
            answers = await self._nodes.exchange(key, commands, only_reads=True)
            found: list[Any] = answers[-1]
            return found
        # WAIT is about writes of its own connection: a small one after the reading.
        barrier = ("SET", keys.barrier(race), "", "PX", 1000)
        wait = ("WAIT", settings.wait_replicas, settings.wait_replicas_ms)
        commands = [("MULTI",), *reads, barrier, ("EXEC",), wait]
        answers = await self._nodes.exchange(
            key, commands, Work.BARRIERS, only_reads=True
        )
        (*found, _), replicas = answers[-2:]
        if replicas < settings.wait_replicas:
            raise LogUnavailable(
                f"Of {settings.wait_replicas} replicas asked for, {replicas} have "
                f"the log of race {race}."
            )
        return found


def _following(entries: list[Entry], after: Position) -> list[Entry] | None:
    """The entries after `after`; None where the log does not go on from there."""
    if after != START:
        known = entries[: after.length]
        if len(known) < after.length or known[-1].id != after.last:
            return None
    return entries[after.length :]


def _entry(item: list[Any]) -> Entry:
    id = item[0].decode()
    fields = item[1]
    # An entry that we did not write has no event: whoever decodes it will say so.
    event = fields[1] if fields[0] == b"e" else b""
    return Entry(id, int(id.partition("-")[0]), event)

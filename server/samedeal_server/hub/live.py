"""One race in the memory of one node: decides, appends, reduces, tells.

Commands wait in a queue. Those that wait at the same moment are decided one on
top of the other and appended in one piece; nothing is told before the log has
it. A node holds no truth: on a conflict or a doubtful reply the tail of the log
is read, and what was not in it is decided again.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from samedeal_protocol.codec import encode_event
from samedeal_protocol.events import Event
from samedeal_server.hub.announce import Announcer, Step
from samedeal_server.hub.clockwork import PLAY, Clockwork
from samedeal_server.hub.ledger import Ledger
from samedeal_server.hub.reading import read
from samedeal_server.hub.request import Decide, OwnRequest, Request
from samedeal_server.hub.waiting import Waiting
from samedeal_server.race.audit import LogFault
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import evolve
from samedeal_server.race.refusal import Refusal
from samedeal_server.store import (
    FOREVER,
    Append,
    Appended,
    AppendResult,
    Conflict,
    Doubtful,
    Entry,
    Log,
    Position,
    Tail,
)


logger = logging.getLogger(__name__)

# After a doubtful append that did not happen: pauses before the next try.
_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 1.0
_MAX_BATCH: Final = 64

OnChange = Callable[["LiveRace", Sequence[Event], bool], None]
"""Called with the race, what happened, and whether this node has appended it; not when
all of it is `PLAY`."""


class LiveRace:
    """A race and its audience on this node.

    Attributes:
        told: who is told what.
        fault: why the log cannot be reduced, if it cannot.
        gone: the log is not in the store (any more).
        stale: the tail has to be read before anything is decided.
        kept: not to be dropped from memory, as bots play in it here.
        used_s: when something was last asked, by the event loop's clock.
    """

    def __init__(
        self,
        race_id: str,
        log: Log,
        ring: Callable[[str], None],
        on_change: OnChange,
    ) -> None:
        self.id = race_id
        self.fault: str | None = None
        self.gone = False
        self.stale = False
        self.kept = False
        self._loop = asyncio.get_running_loop()
        self.used_s = self._loop.time()
        self._log = log
        self._append = log.append
        self._log_now_ms = log.now_ms
        self._contact = log.contact
        self._epoch = log.contact.epoch
        self._ring = ring
        self._on_change = on_change
        self._ledger = Ledger()
        self._waiting = Waiting()
        self._busy = False
        self._pause_s = 0.0
        self._reader: asyncio.Task[None] | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._clock = Clockwork(self)
        self.told = Announcer(race_id, log, self._ledger)

    # What is known.

    @property
    def race(self) -> Race | None:
        """The race as far as the log is known here; None until it was read."""
        return self._ledger.race

    @property
    def state(self) -> Race:
        """The race, which must have been read."""
        race = self._ledger.race
        assert race is not None
        return race

    @property
    def digest(self) -> str | None:
        """Of the whole log, once the race has ended."""
        return self._ledger.digest

    @property
    def usable(self) -> bool:
        return not self.fault and not self.gone

    @property
    def idle(self) -> bool:
        """Whether nothing is under way here."""
        return not self._busy and not self._waiting

    def is_unused(self, since_s: float) -> bool:
        """Whether nobody here hears of it, and it has ended or nothing was asked since
        then (by the event loop's clock)."""
        if len(self.told.audience) > 0 or self.kept or not self.idle:
            return False
        race = self._ledger.race
        return self.used_s < since_s or (race is not None and race.ended)

    @property
    def needs_reading(self) -> bool:
        return self.stale or self.race is None or self._epoch != self._contact.epoch

    def now_ms(self) -> int:
        """The log's clock, never behind what this race has seen of it."""
        now = self._log_now_ms()
        race = self._ledger.race
        return now if race is None else max(now, race.at_ms)

    def trouble(self) -> Refusal:
        """Why nothing can be done with a race that is not `usable`."""
        if self.fault:
            return Refusal("internal", f"This race's log is damaged. {self.fault}")
        return Refusal("unknown_race", "There is no such race.")

    # What can be asked.

    def submit(self, request: Request, asked_s: float) -> None:
        """Decide something as soon as it is its turn; it was asked for at `asked_s`, by
        the event loop's clock."""
        self.used_s = asked_s
        self._waiting.queue.append(request)
        self._work()
        if self._expiry is None:
            self._expire_later()

    def ask(self, decide: Decide, timeout_s: float) -> "asyncio.Future[Decision]":
        """Submit; the outcome is to be awaited.

        Raises, when awaited:
            Refusal: it was refused, or could not be confirmed in time.
        """
        answer: asyncio.Future[Decision] = self._loop.create_future()

        def done(decision: Decision) -> None:
            if not answer.done():
                answer.set_result(decision)

        def refused(refusal: Refusal) -> None:
            if not answer.done():
                answer.set_exception(refusal)

        now_s = self._loop.time()
        self.submit(OwnRequest(decide, done, refused, now_s + timeout_s), now_s)
        return answer

    def begin(self, entries: Sequence[Entry]) -> None:
        """Take a race that this node has just made: its first entries."""
        happened = [self._ledger.read(entry)[0] for entry in entries]
        self._ledger.position = Position(len(entries), entries[-1].id)
        self._changed(happened)

    def catch_up(self) -> None:
        """Read what is new in the log."""
        self.stale = True
        self._work()

    def look_at_the_clock(self) -> None:
        """Do what is due."""
        self._clock.look()

    def close(self) -> None:
        """Forget the race; the log has it."""
        self._clock.close()
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None

    # Deciding.

    def _work(self) -> None:
        while not self._busy and (self._waiting.queue or self.stale):
            if not self.usable:
                self.stale = False
                self._waiting.refuse_all(self.trouble())
                return
            if self.needs_reading:
                self._busy = True
                self._reader = self._loop.create_task(read(self, self._log))
                return
            self._decide()

    def _decide(self) -> None:
        race, now = self.state, self.now_ms()
        queue, pending = self._waiting.queue, self._waiting.pending
        first, last = 0, FOREVER
        events: list[bytes] = []
        while queue and len(pending) < _MAX_BATCH:
            request = queue.popleft()
            outcome: Decision | Refusal
            try:
                outcome = request.decide(race, now)
            except Refusal as refusal:
                outcome = refusal.bare()
                if not (self._contact.alone or request.sure):
                    # Another node may have gone on, and its bell not be heard yet.
                    queue.appendleft(request)
                    self.stale = True
                    break
            except Exception:
                logger.exception("A command on race %s could not be decided.", self.id)
                fault = "The server has a fault here; it has been logged."
                outcome = Refusal("internal", fault)
            if isinstance(outcome, Refusal) or not outcome.events:
                pending.append((request, outcome, ()))
                continue
            data = [encode_event(event) for event in outcome.events]
            events += data
            pending.append((request, outcome, data))
            # Every decision of the batch has to hold at the one stamp it gets.
            if outcome.not_before is not None and outcome.not_before > first:
                first = outcome.not_before
            if outcome.not_after is not None and outcome.not_after < last:
                last = outcome.not_after
            if queue:
                # The next is decided on what this one would come to.
                for event in outcome.events:
                    race = evolve(race, event, now)
        if not events:
            self._settle(now)
            return
        self._busy = True
        self._append(
            Append(self.id, self._ledger.position, events, self._appended, first, last)
        )

    def _appended(self, result: AppendResult) -> None:
        self._busy = False
        if isinstance(result, Appended):
            self._pause_s = 0.0
            self._ledger.position = result.position
            self._changed(self._settle(result.at_ms))
        elif isinstance(result, Conflict):
            self.stale = True
        elif isinstance(result, Doubtful):
            logger.info("Race %s: %s", self.id, result.reason)
            longer = max(_FIRST_PAUSE_S, 2 * self._pause_s)
            self._pause_s = min(_LONGEST_PAUSE_S, longer)
            self.stale = True
        else:
            # The log's clock has told us better; decide again by it.
            self._waiting.decide_again()
        self._work()

    def _settle(self, at_ms: int) -> list[Event]:
        """The log has what is pending: reduce it, tell of it, answer who asked."""
        happened: list[Event] = []
        for request, outcome, data in self._waiting.settle():
            steps: list[Step] = []
            if not isinstance(outcome, Refusal):
                # As many of each; strict, this would be a call where compiled.
                for event, stored in zip(outcome.events, data):  # noqa: B905
                    steps.append(self._ledger.appended(event, stored, at_ms))
                happened += outcome.events
            try:
                self._tell(request, outcome, steps, at_ms)
            except Exception:
                # The log has it; the race goes on, whoever cannot be told.
                logger.exception("Race %s: what happened was not all told.", self.id)
        return happened

    def _tell(
        self,
        request: Request,
        outcome: Decision | Refusal,
        steps: list[Step],
        at_ms: int,
    ) -> None:
        if isinstance(outcome, Refusal):
            request.refused(outcome)
            return
        if steps:
            self.told.happened(steps, at_ms, request.asker, request.re)
        request.done(outcome)

    def _changed(self, happened: list[Event]) -> None:
        self._follow_up(happened, ours=True)
        if not self._clock.stands(happened):
            self._clock.look()

    def _follow_up(self, happened: list[Event], *, ours: bool) -> None:
        # Bells look at that, too, but are not compiled.
        if ours and not self._contact.alone:
            self._ring(self.id)
        for event in happened:
            if not isinstance(event, PLAY):
                self._on_change(self, happened, ours)
                return

    # Reading.

    @property
    def position(self) -> Position:
        """How far the log is known here."""
        return self._ledger.position

    def take(self, tail: Tail, epoch: int) -> float:
        """Reduce what is new in the log, read when it was in that epoch.

        Returns:
            A pause (s) to make before going on.
        """
        self._epoch = epoch
        try:
            if tail.whole:
                self._start_over(tail.entries)
            else:
                self._follow(tail.entries)
            self._ledger.position = tail.position
        except LogFault as fault:
            logger.error("Race %s cannot be used. %s", self.id, fault)
            self.fault = str(fault)
        # What was doubtful did not happen; a store that can be read but not
        # written would have us go round and round.
        return self._pause_s if self._waiting.data else 0.0

    def go_on(self) -> None:
        """Decide again what has not happened, and what has come meanwhile."""
        self._waiting.decide_again()
        for request in self._waiting.queue:
            request.sure = True
        self.gone = self.gone or self.race is None
        self._busy = False
        if not self.usable:
            self.told.lost(self.trouble())
        self._clock.look()
        self._work()

    def _follow(self, entries: Sequence[Entry]) -> None:
        """Reduce entries that follow what is known; ours may be among them."""
        is_new = self.race is None
        ours = self._waiting.data
        if ours and [entry.event for entry in entries[: len(ours)]] == ours:
            # A doubtful append did happen: answer as if told so at once.
            self._follow_up(self._settle(entries[0].at_ms), ours=True)
            entries = entries[len(ours) :]
        happened: list[Event] = []
        for entry in entries:
            event, before, after = self._ledger.read(entry)
            if before is not None and not is_new:
                self.told.happened([(event, before, after)], self.now_ms())
            happened.append(event)
        if is_new and self.race is not None:
            self.told.loaded(self.race, self.now_ms())
        elif happened:
            self._follow_up(happened, ours=False)

    def _start_over(self, entries: Sequence[Entry]) -> None:
        """The store went back: what was known is dropped, and all is shown anew."""
        if not entries:
            # What was known stays, for whoever is in the middle of something.
            logger.warning("Race %s: the log is there no more.", self.id)
            self.gone = True
            return
        logger.warning("Race %s: the log went back; it is read again.", self.id)
        self._ledger = self.told.ledger = Ledger()
        for entry in entries:
            self._ledger.read(entry)
        self.told.loaded(self.state, self.now_ms())
        self.told.everything(self.state, self.now_ms())

    # Waiting.

    def _expire_later(self) -> None:
        """Whatever the store does, nobody waits past the deadline."""
        soonest = self._waiting.deadline
        if soonest is None:
            self._expiry = None
        else:
            self._expiry = self._loop.call_at(soonest, self._expire)

    def _expire(self) -> None:
        self._waiting.expire(self._loop.time())
        self._expire_later()

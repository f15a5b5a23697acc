"""One race in the memory of one node: decides, appends, reduces, tells.

Commands wait in a queue. Those that wait at the same moment are decided one on
top of the other and appended in one piece; nothing is told before the log has
it. A node holds no truth: on a conflict or a doubtful reply the tail of the log
is read and everything that was not in it is decided again.
"""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from samedeal_protocol.codec import encode_event
from samedeal_protocol.events import Event
from samedeal_protocol.logfile import Digest
from samedeal_server.hub.announce import Announcer
from samedeal_server.hub.audience import Listener, Re
from samedeal_server.hub.request import Request, unavailable
from samedeal_server.race.audit import LogFault, advance
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import evolve
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.schedule import due, next_due
from samedeal_server.store.errors import StoreUnavailable
from samedeal_server.store.log import (
    START,
    Append,
    Appended,
    AppendResult,
    Conflict,
    Doubtful,
    Entry,
    Log,
)


logger = logging.getLogger(__name__)

# How often waiting commands are looked at while the log cannot be reached.
_TICK_S = 0.2
_MAX_BATCH = 64
_SOON_S = 0.002


class _Pending(NamedTuple):
    """A request that was decided and waits for its append, or its answer."""

    request: Request
    outcome: Decision | Refusal
    data: tuple[bytes, ...]


class LiveRace:
    """A race and its audience on this node.

    Attributes:
        race: the state that the log has confirmed; None until loaded.
        told: who is told what.
        fault: why the log cannot be reduced, if it cannot.
        gone: the log is not in the store any more.
        stale: another node has appended, or the store was lost; the tail is
            read before anything is decided.
        kept: not to be dropped from memory, as bots play in it here.
    """

    def __init__(
        self,
        race_id: str,
        log: Log,
        on_change: Callable[["LiveRace", Sequence[Event]], None],
    ) -> None:
        self.id = race_id
        self.race: Race | None = None
        self.fault: str | None = None
        self.gone = False
        self.stale = False
        self.kept = False
        self.used_s = asyncio.get_running_loop().time()
        self._log = log
        self._on_change = on_change
        self._loop = asyncio.get_running_loop()
        self._position = START
        self._epoch = log.epoch
        self._digest = Digest()
        self._queue: deque[Request] = deque()
        self._pending: list[_Pending] = []
        self._busy = False
        self._timer: asyncio.TimerHandle | None = None
        self._due_asked = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.told = Announcer(self)

    # Public methods.

    def now_ms(self) -> int:
        """The log's clock, never behind what this race has seen of it."""
        now = self._log.now_ms()
        return now if self.race is None else max(now, self.race.at_ms)

    @property
    def state(self) -> Race:
        """The race, which must be loaded."""
        assert self.race is not None
        return self.race

    @property
    def digest(self) -> str | None:
        """Of the whole log, once the race has ended."""
        return self._digest.hex() if self.race and self.race.ended else None

    @property
    def idle(self) -> bool:
        """Whether nothing is under way here."""
        return not self._busy and not self._queue

    @property
    def needs_reading(self) -> bool:
        return self.stale or self._epoch != self._log.epoch

    def submit(self, request: Request) -> None:
        """Decide something as soon as it is its turn."""
        self.used_s = self._loop.time()
        self._queue.append(request)
        self._work()

    async def ask(
        self, decide: Callable[[Race, int], Decision], timeout_s: float
    ) -> Decision:
        """Submit, and wait for the outcome.

        Raises:
            Refusal: it was refused, or could not be confirmed in time.
        """
        answer: asyncio.Future[Decision | Refusal] = self._loop.create_future()

        def settle(outcome: Decision | Refusal) -> None:
            if not answer.done():
                answer.set_result(outcome)

        deadline = self._loop.time() + timeout_s
        self.submit(Request(decide, settle, settle, deadline))
        outcome = await answer
        if isinstance(outcome, Refusal):
            raise outcome
        return outcome

    def catch_up(self) -> None:
        """Read what is new in the log, unless that is under way."""
        self.stale = True
        self._work()

    def look_at_the_clock(self) -> None:
        """Do what is due, now or when it will be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.race is None or self.race.ended or self.fault or self.gone:
            return
        now = self.now_ms()
        if self.told.start_is_due(self.race, now):
            self.told.start(self.race, now)
        if self._due_asked:
            return
        if due(self.race, now, self.told.away) is not None:
            self._due_asked = True
            done, refused = self._due_done, self._due_refused
            self.submit(Request(self._decide_due, done, refused, float("inf")))
            return
        moments = [next_due(self.race, now), self.told.next_start(self.race)]
        waits = [(moment - now) / 1000 for moment in moments if moment is not None]
        self._wake_in(max(_SOON_S, min(waits)))

    def close(self) -> None:
        """Forget the race; the log has it."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()

    def begin(self, entries: Sequence[tuple[Event, bytes, int]], last: str) -> None:
        """Take a race that this node has just created: its first entries."""
        for _, data, at_ms in entries:
            self.race, _ = advance(self.race, data, at_ms)
            self._digest.add(at_ms, data)
        self._position = self._position._replace(length=len(entries), last=last)
        self._changed([event for event, _, _ in entries])

    # Deciding.

    def _work(self) -> None:
        while not self._busy and (self._queue or self.stale):
            if self.needs_reading or self.race is None:
                self._start(self._read_tail())
                return
            self._decide()

    def _decide(self) -> None:
        race = self.state
        now = self.now_ms()
        not_before: int | None = None
        not_after: int | None = None
        pending: list[_Pending] = []
        count = 0
        while self._queue and len(pending) < _MAX_BATCH:
            request = self._queue.popleft()
            outcome = _outcome(request, race, now)
            if isinstance(outcome, Refusal) or not outcome.events:
                pending.append(_Pending(request, outcome, ()))
                continue
            data = tuple(encode_event(event) for event in outcome.events)
            pending.append(_Pending(request, outcome, data))
            count += len(data)
            if outcome.not_before is not None:
                not_before = max(not_before or 0, outcome.not_before)
            if outcome.not_after is not None:
                not_after = min(not_after or outcome.not_after, outcome.not_after)
            if self._queue:
                for event in outcome.events:
                    race = evolve(race, event, now)
        self._pending = pending
        if count == 0:
            self._confirm(now, None)
            return
        self._busy = True
        events = [data for item in pending for data in item.data]
        self._log.append(
            Append(
                self.id, self._position, events, self._appended, not_before, not_after
            )
        )

    def _appended(self, result: AppendResult) -> None:
        self._busy = False
        match result:
            case Appended():
                self._confirm(result.at_ms, result.position.last)
            case Conflict() | Doubtful():
                if isinstance(result, Doubtful):
                    logger.info("Race %s: %s", self.id, result.reason)
                self.stale = True
            case _:
                # The log's clock has told us better; decide again by it.
                self._requeue()
        self._work()

    def _confirm(self, at_ms: int, last: str | None) -> None:
        """The pending events are in the log; reduce them and answer."""
        happened = self._settle(at_ms)
        if last is not None:
            length = self._position.length + len(happened)
            self._position = self._position._replace(length=length, last=last)
        if happened:
            self._changed(happened)

    def _settle(self, at_ms: int) -> list[Event]:
        """Reduce what is pending, tell of it, and answer who asked."""
        pending, self._pending = self._pending, []
        happened: list[Event] = []
        for item in pending:
            request = item.request
            if isinstance(item.outcome, Refusal):
                request.refused(item.outcome)
                continue
            if item.data:
                self._reduce(item, at_ms, request.asker, request.re)
                happened += item.outcome.events
            request.done(item.outcome)
        return happened

    def _reduce(
        self, item: _Pending, at_ms: int, asker: Listener | None, re: Re
    ) -> None:
        assert isinstance(item.outcome, Decision)
        steps = []
        for event, data in zip(item.outcome.events, item.data, strict=True):
            before = self.state
            self.race = evolve(before, event, at_ms)
            self._digest.add(at_ms, data)
            steps.append((event, before, self.race))
        self.told.happened(steps, self.now_ms(), asker, re)

    def _requeue(self) -> None:
        self._queue.extendleft(item.request for item in reversed(self._pending))
        self._pending = []

    def _changed(self, happened: Sequence[Event]) -> None:
        self._on_change(self, happened)
        self.look_at_the_clock()

    # Reading.

    def _start(self, work: "asyncio._CoroutineLike[None]") -> None:
        self._busy = True
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_tail(self) -> None:
        """Read what is new; the one place where a race waits for the store."""
        while True:
            epoch, self.stale = self._log.epoch, False
            reading = self._loop.create_task(self._log.read(self.id, self._position))
            while not reading.done():
                await asyncio.wait((reading,), timeout=_TICK_S)
                self._expire()
            try:
                tail = reading.result()
                break
            except StoreUnavailable as error:
                self.stale = True
                logger.info("Race %s cannot be read: %s", self.id, error)
            await asyncio.sleep(_TICK_S * random.random())
            self._expire()
        self._epoch = epoch
        try:
            if tail.whole:
                self._start_over(tail.entries)
            else:
                self._take(tail.entries)
            self._position = tail.position
        except LogFault as fault:
            self._break(fault)
        self._requeue()
        self._busy = False
        if self.race is None or self.fault or self.gone:
            self._refuse_all()
        else:
            self.look_at_the_clock()
        self._work()

    def _take(self, entries: Sequence[Entry]) -> None:
        """Reduce entries that follow what is known; ours may be among them."""
        is_new = self.race is None
        happened: list[Event] = []
        attempted = [data for item in self._pending for data in item.data]
        mine = len(attempted)
        if mine and [entry.event for entry in entries[:mine]] == attempted:
            # A doubtful append is in the log: answer as if told so at once.
            happened += self._settle(entries[0].at_ms)
            entries = entries[mine:]
        for entry in entries:
            before = self.race
            self.race, event = advance(before, entry.event, entry.at_ms)
            self._digest.add(entry.at_ms, entry.event)
            if before is not None:
                self.told.happened([(event, before, self.race)], self.now_ms())
            happened.append(event)
        if is_new:
            self._loaded()
        elif happened:
            self._on_change(self, happened)

    def _loaded(self) -> None:
        if self.race is None:
            self.gone = True
        else:
            self.told.loaded(self.race, self.now_ms())

    def _start_over(self, entries: Sequence[Entry]) -> None:
        """The store went back: what was known is dropped, and shown anew."""
        logger.warning("Race %s: the log went back; reading it again.", self.id)
        self.race = None
        self._digest = Digest()
        self.told.forget()
        for entry in entries:
            self.race, _ = advance(self.race, entry.event, entry.at_ms)
            self._digest.add(entry.at_ms, entry.event)
        self._loaded()
        if self.race is not None:
            self.told.everything(self.race, self.now_ms())

    def _break(self, fault: LogFault) -> None:
        logger.error("Race %s cannot be used. %s", self.id, fault)
        self.fault = str(fault)

    def _refuse_all(self) -> None:
        for request in self._queue:
            request.refused(self.trouble())
        self._queue.clear()

    def trouble(self) -> Refusal:
        """Why nothing can be done with this race."""
        if self.fault:
            return Refusal("internal", f"This race's log is damaged. {self.fault}")
        return Refusal("unknown_race", "There is no such race.")

    def _expire(self) -> None:
        """Answer what has waited long enough; it may still come to be."""
        now = self._loop.time()
        for request in [r for r in self._queue if r.deadline <= now]:
            self._queue.remove(request)
            request.refused(unavailable())
        for index, item in enumerate(self._pending):
            if item.request.deadline <= now:
                item.request.refused(unavailable())
                self._pending[index] = item._replace(request=_nobody())

    # What is due.

    def _decide_due(self, race: Race, now: int) -> Decision:
        return due(race, now, self.told.away) or NOTHING

    def _due_done(self, _: Decision) -> None:
        self._due_asked = False
        # Something else may be due already; a decision without events would
        # otherwise leave no timer.
        self._wake_in(_SOON_S)

    def _due_refused(self, refusal: Refusal) -> None:
        self._due_asked = False
        logger.info("Race %s: what is due was refused: %s", self.id, refusal.message)
        self._wake_in(1.0)

    def _wake_in(self, delay_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(delay_s, self.look_at_the_clock)


def _outcome(request: Request, race: Race, now: int) -> Decision | Refusal:
    try:
        return request.decide(race, now)
    except Refusal as refusal:
        return refusal
    except Exception:
        logger.exception("A command on race %s could not be decided.", race.id)
        return Refusal("internal", "The server has a fault here; it has been logged.")


def _nobody() -> Request:
    """In place of one whose asker has been answered: its events may be found yet."""
    return Request(lambda *_: NOTHING, lambda _: None, lambda _: None, float("inf"))

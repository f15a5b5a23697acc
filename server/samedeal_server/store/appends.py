"""Group commit: appends that wait at the same moment go out in one call.

One batch is in flight to each store process at a time; what arrives meanwhile, or
within two milliseconds of the batch before, is the next batch. So one round trip, and
one sync to disk, serves many races, also where a server is only half busy; and who
comes alone does not wait.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from redis.exceptions import NoScriptError

from .errors import NotSent, StoreUnavailable, Unanswered
from .intake import Intake
from .items import Item, answered, argument, packed, soonest
from .nodes import Node, Nodes, Work
from .pipe import Refusal
from .scripts import APPEND
from .talk import Command
from .values import Append, AppendResult, Doubtful


log = logging.getLogger(__name__)

# Between two batches, at least, unless so many wait.
_GATHER_S = 0.002
_ENOUGH = 64
# What follows from so many outcomes takes milliseconds; then others have a turn.
_AT_ONCE = 64


class Appends:
    """The way into the logs; owned by `Log`."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._settings = nodes.settings
        self._intake = Intake(
            nodes,
            self._settings.append_timeout_s,
            lambda node: self._start(self._work(node)),
            lambda item, error: self._start(self._again([item], error)),
        )
        self.submit: Callable[[Append], None] = self._intake.submit
        """Takes an append; it goes out when this turn of the event loop is over, as
        that is when a task that is made now begins."""
        self._sent_s: dict[Node, float] = {}
        """When the latest batch was sent, by the event loop's clock."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def aclose(self) -> None:
        """Ends what is under way as `Doubtful`; what comes later too."""
        self._intake.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._intake.end_all()

    # Private methods.

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # What it carried ends as doubtful when its time is up.
            log.error("Sending appends failed.", exc_info=error)

    async def _work(self, node: Node) -> None:
        """Sends batch after batch to `node` while anything waits for it."""
        waiting = self._intake.waiting[node]
        try:
            while waiting:
                await self._gather(node, waiting)
                batch = self._intake.take(node, self._settings.batch)
                try:
                    await self._send(node, batch, full=False)
                except NotSent as error:
                    # It may live elsewhere by now; so may what waits behind it.
                    batch += waiting
                    waiting.clear()
                    await self._again(batch, error)
        finally:
            del self._intake.waiting[node]

    async def _gather(self, node: Node, waiting: deque[Item]) -> None:
        """Lets more come where a batch was sent a moment ago."""
        loop = asyncio.get_running_loop()
        pause_s = self._sent_s.get(node, 0.0) + _GATHER_S - loop.time()
        if pause_s > 0 and len(waiting) < _ENOUGH:
            await asyncio.sleep(pause_s)
        self._sent_s[node] = loop.time()

    async def _send(self, node: Node, batch: list[Item], *, full: bool) -> None:
        if not batch:
            return
        calls = self._calls(batch)
        commands = self._commands(calls, full=full)
        deadline = soonest(batch)
        asked_s = time.monotonic()
        try:
            answers = await node.links[Work.APPENDS].call(commands, deadline)
        except Unanswered as error:
            self._end(batch, Doubtful(str(error)))
            return
        doubt = self._too_few_replicas(answers[-1]) if self._waits else None
        unknown: list[Item] = []
        refused: list[tuple[list[Item], Exception]] = []
        answer = iter(answers)
        for items in calls:
            if items[0].asking is not None:
                next(answer)
            found: Any = next(answer)
            if isinstance(found, NoScriptError) and not full:
                unknown += items
            elif isinstance(found, Refusal):
                refused.append((items, found))
            elif not isinstance(found, list) or len(found) != 1 + 2 * len(items):
                # The answers are out of step with the calls; so is all that follows.
                node.links[Work.APPENDS].drop("it answers something else")
                self._end(items, Doubtful(f"{node.name} answered something else."))
            else:
                self._nodes.clock.saw(node.name, found[0], asked_s)
                if await _tell(items, found[1:], doubt):
                    node.links[Work.APPENDS].drop("it is read-only")
        self._intake.forget_ended()
        await asyncio.gather(
            *(self._refused(node, items, refusal) for items, refusal in refused)
        )
        await self._send(node, unknown, full=True)

    @property
    def _waits(self) -> bool:
        return self._settings.wait_replicas > 0

    def _calls(self, batch: list[Item]) -> list[list[Item]]:
        """The appends of each script call: in a cluster one race each, as only the
        keys of one slot may go together."""
        return [[item] for item in batch] if self._nodes.cluster else [batch]

    def _commands(
        self, calls: list[list[Item]], *, full: bool
    ) -> list[Command | bytes]:
        commands: list[Command | bytes] = []
        for items in calls:
            if items[0].asking is not None:
                commands.append(("ASKING",))
            if full:
                names = [item.key for item in items]
                commands.append(APPEND.full(names, [argument(items)]))
            else:
                commands.append(packed(APPEND.sha, items))
        if self._waits:
            settings = self._settings
            commands.append(("WAIT", settings.wait_replicas, settings.wait_replicas_ms))
        return commands

    def _too_few_replicas(self, answer: object) -> Doubtful | None:
        if isinstance(answer, int) and answer >= self._settings.wait_replicas:
            return None
        wanted = self._settings.wait_replicas
        return Doubtful(f"Of {wanted} replicas asked for, {answer} have it so far.")

    async def _refused(self, node: Node, items: list[Item], refusal: Exception) -> None:
        """A refused call changed nothing where it says "elsewhere" or "not yet"."""
        try:
            asking = await self._nodes.redirect(node, refusal, items[0].deadline)
        except StoreUnavailable as error:
            self._end(items, Doubtful(str(error)))
            return
        self._resubmit(items, asking)

    async def _again(self, items: list[Item], error: NotSent) -> None:
        """Another try for appends that were not sent, while their time lasts."""
        try:
            await self._nodes.settle(error, max([item.deadline for item in items]))
        except NotSent:
            self._end(items, Doubtful(str(error)))
            return
        self._resubmit(items, None)

    def _resubmit(self, items: list[Item], asking: Node | None) -> None:
        for item in items:
            item.asking = asking
            if not item.ended:
                self._intake.route(item)

    def _end(self, items: Sequence[Item], result: AppendResult) -> None:
        for item in items:
            item.end(result)


async def _tell(items: list[Item], found: list[Any], doubt: Doubtful | None) -> bool:
    """Tells each its outcome, some at a time; see `answered`."""
    is_read_only = False
    for first in range(0, len(items), _AT_ONCE):
        if first:
            await asyncio.sleep(0)
        end = first + _AT_ONCE
        found_here = found[2 * first : 2 * end]
        is_read_only |= answered(items[first:end], found_here, doubt)
    return is_read_only

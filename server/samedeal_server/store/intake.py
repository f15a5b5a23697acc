"""Appends that wait to be sent: for which store process, and for how long."""

import asyncio
from collections import deque
from collections.abc import Callable

from .errors import NotSent
from .items import Item
from .nodes import Node, Nodes
from .values import Append, Doubtful


class Intake:
    """Takes appends; each ends within its time, whatever becomes of it.

    Args:
        patience_s: how long an append may take.
        begin: called with a process for which something waits again.
        astray: called with what cannot be given to any process, and why.

    Attributes:
        waiting: what is to be sent, by process; whoever has sent all that was there
            takes the entry out.
    """

    def __init__(
        self,
        nodes: Nodes,
        patience_s: float,
        begin: Callable[[Node], None],
        astray: Callable[[Item, NotSent], None],
    ) -> None:
        self.waiting: dict[Node, deque[Item]] = {}
        self._nodes = nodes
        self._patience_s = patience_s
        self._begin = begin
        self._astray = astray
        self._open: deque[Item] = deque()
        """All that have not ended, and some that have, by their deadlines."""
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def submit(self, append: Append) -> None:
        """Takes an append; the end of it is told later, never at once."""
        item = Item(append, self._loop.time() + self._patience_s)
        if self._closed:
            self._loop.call_soon(item.end, Doubtful("The store has been closed."))
            return
        self._open.append(item)
        if self._timer is None:
            self._timer = self._loop.call_at(item.deadline, self._expire)
        self.route(item)

    def route(self, item: Item) -> None:
        """Has an append wait for the process that holds its log."""
        try:
            node = item.asking or self._nodes.only or self._nodes.of_key(item.key)
        except NotSent as error:
            self._astray(item, error)
            return
        waiting = self.waiting.get(node)
        if waiting is None:
            self.waiting[node] = deque([item])
            self._begin(node)
        else:
            waiting.append(item)

    def take(self, node: Node, most: int) -> list[Item]:
        """The oldest that wait for `node` and have not ended, of `most` at most."""
        waiting = self.waiting[node]
        taken: list[Item] = []
        for _ in range(min(most, len(waiting))):
            item = waiting.popleft()
            if not item.ended:
                taken.append(item)
        return taken

    def forget_ended(self) -> None:
        """Lets go of the oldest that have ended."""
        while self._open and self._open[0].ended:
            self._open.popleft()

    def close(self) -> None:
        """Takes nothing more."""
        self._closed = True

    def end_all(self) -> None:
        """Ends what has not ended as `Doubtful`."""
        self.waiting.clear()
        while self._open:
            self._open.popleft().end(Doubtful("The store is being closed."))
        if self._timer is not None:
            self._timer.cancel()

    # Private methods.

    def _expire(self) -> None:
        """Ends what has had its time, wherever it is; this is what bounds waiting."""
        self._timer = None
        now = self._loop.time()
        while self._open and (self._open[0].ended or self._open[0].deadline <= now):
            self._open.popleft().end(Doubtful("The store did not answer in time."))
        if self._open:
            self._timer = self._loop.call_at(self._open[0].deadline, self._expire)

"""Commands on their way: what to send next, what to send again; without I/O.

A command stays here until it is answered. Moves and undos of one race are a
row: each names the turn that the one before it leads to, so they go in order,
and when one is refused those behind it cannot be played.
"""

import enum
import itertools
from collections import deque
from collections.abc import Callable

from samedeal.errors import (
    NoAnswer,
    SamedealError,
    StaleTurn,
    TooManyUnanswered,
    Unavailable,
)
from samedeal.requests import Answer, Request
from samedeal_protocol.commands import Move, Undo
from samedeal_protocol.names import CorrelationId


class Fate(enum.Enum):
    """What becomes of a command that was refused."""

    AGAIN = "it is sent again"
    FAILED = "it has failed"
    OVER = "it was done or dropped before"


class Outbox:
    """Requests that are not answered, in the order of asking.

    `wake` is called whenever there may be something to send.
    """

    def __init__(self, limit: int, wake: Callable[[], None]) -> None:
        self._limit = limit
        self._wake = wake
        self._open: dict[CorrelationId, Request] = {}
        self._queue: deque[Request] = deque()
        self._last = itertools.count(1)
        self._first = itertools.count(-1, -1)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def has_work(self) -> bool:
        """Whether something is to be sent."""
        return bool(self._queue)

    def put(self, request: Request) -> None:
        """Ask `request` after all others.

        Raises:
            TooManyUnanswered: as many are open as may be.
        """
        if len(self._open) >= self._limit:
            raise TooManyUnanswered(
                f"{self._limit} commands wait for an answer; await some of them first."
            )
        request.place = next(self._last)
        self._open[request.id] = request
        self._queue.append(request)
        self._wake()

    def put_first(self, request: Request) -> None:
        """Ask `request` before all that are to be sent; no limit applies."""
        request.place = next(self._first)
        self._open[request.id] = request
        self._queue.appendleft(request)
        self._wake()

    def take(self) -> Request | None:
        """The next request to send, counted as sent; None when all are."""
        if not self._queue:
            return None
        request = self._queue.popleft()
        request.sent += 1
        return request

    def next_turn(self, race: str, turn: int) -> int:
        """The turn that a new move belongs to, where the board is at `turn`."""
        row = self._row(race)
        return turn if not row else max(turn, row[-1][0] + 1)

    def answer(self, re: CorrelationId) -> Request | None:
        """Take the request that an answer with this `re` settles out."""
        request = self._open.pop(re, None)
        if request is not None and request in self._queue:
            self._queue.remove(request)
        return request

    def refuse(self, re: CorrelationId, error: SamedealError) -> Fate:
        """Take in that the server refused the command with this `re`.

        Where it is to go `AGAIN` because the server was not available, the
        caller should give that some time before it takes the next.
        """
        request = self._open.get(re)
        if request is None:
            return Fate.OVER
        if isinstance(error, Unavailable) and request.retry:
            request.refused = error
            self._requeue([request])
            return Fate.AGAIN
        if isinstance(error, StaleTurn) and self._follows_open(request):
            self._requeue([request])
            return Fate.AGAIN
        if error.code in request.done_if and request.sent > 1:
            self.answer(re)
            request.settle(Answer(None, None))
            return Fate.OVER
        self._drop(request, error)
        return Fate.FAILED

    def expire(self, request: Request) -> bool:
        """Give a request up that has waited too long, if it has no answer yet."""
        if request.id not in self._open:
            return False
        self._drop(request, request.refused or _no_answer("No answer came in time"))
        return True

    def cut(self) -> None:
        """The connection is gone: what can be sent again is, the rest fails."""
        sent = [request for request in self._open.values() if request.sent]
        for request in sent:
            if not request.again:
                self._drop(request, _no_answer("The connection was cut"))
        self._requeue([request for request in sent if request.again])

    def end(self, error: SamedealError) -> None:
        """Nothing will be sent any more; everything open fails."""
        requests = list(self._open.values())
        self._open.clear()
        self._queue.clear()
        for request in requests:
            request.fail(error)

    def _requeue(self, requests: list[Request]) -> None:
        waiting = {request.place: request for request in (*self._queue, *requests)}
        self._queue = deque(waiting[place] for place in sorted(waiting))
        self._wake()

    def _drop(self, request: Request, error: SamedealError) -> None:
        """Fail a request and those that cannot be played without it."""
        behind = self._behind(request)
        for dropped in (request, *behind):
            self.answer(dropped.id)
        request.fail(error)
        for follower in behind:
            follower.fail(_follow_up(error))

    def _row(self, race: str) -> list[tuple[int, Request]]:
        return [
            (request.command.turn, request)
            for request in self._open.values()
            if isinstance(request.command, Move | Undo) and request.command.race == race
        ]

    def _behind(self, request: Request) -> list[Request]:
        if not isinstance(request.command, Move | Undo):
            return []
        row = self._row(request.command.race)
        return [other for _, other in row if other.place > request.place]

    def _follows_open(self, request: Request) -> bool:
        if not isinstance(request.command, Move | Undo):
            return False
        row = self._row(request.command.race)
        return any(other.place < request.place for _, other in row)


def _no_answer(why: str) -> NoAnswer:
    return NoAnswer(f"{why}; the command may or may not have been done.")


def _follow_up(error: SamedealError) -> SamedealError:
    if isinstance(error, NoAnswer | Unavailable):
        return NoAnswer("An earlier move was not confirmed.", race=error.race)
    return StaleTurn(
        f"An earlier move was refused ({error.code}), so this one was not played.",
        race=error.race,
        turn=error.turn,
    )

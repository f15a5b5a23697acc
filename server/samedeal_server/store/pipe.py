"""What the event loop talks to once a store process is connected: calls go out, and
answers come in, in the order of the calls.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from hiredis import ProtocolError, Reader
from redis.asyncio.connection import DefaultParser
from redis.exceptions import AuthenticationError, BusyLoadingError, ResponseError

from .errors import Unanswered
from .talk import NONSENSE, plain


Refusal = (ResponseError, BusyLoadingError, AuthenticationError)
"""What the store says instead of doing what was asked."""

_NOT_YET: Final = object()


class _Burst:
    """Commands that went out together, and the answers that came so far."""

    def __init__(
        self, expected: int, deadline: float, done: "asyncio.Future[list[object]]"
    ) -> None:
        self.expected = expected
        self.deadline = deadline
        self.answers: list[object] = []
        self.done = done


class Pipe:
    """An `asyncio.Protocol` in all but name: compiled, it can have no such base.

    Args:
        name: of the store process, for messages.
        transport: an asyncio transport that is connected, with nothing under way.
        lost: called with the reason when the connection ends of itself.
    """

    def __init__(
        self, name: str, transport: Any, lost: "Callable[[Pipe, str], None]"
    ) -> None:
        self.gone = asyncio.get_running_loop().create_future()
        """Done when the transport is closed."""
        self._name = name
        self._transport = transport
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._bursts: deque[_Burst] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_s = 0.0
        self._closed = False
        reader = Reader(replyError=DefaultParser.parse_error, notEnoughData=_NOT_YET)
        self._feed: Callable[[bytes], None] = reader.feed
        self._next: Callable[[], object] = reader.gets
        transport.set_protocol(self)

    @property
    def is_open(self) -> bool:
        return not self._closed and not self._transport.is_closing()

    def send(
        self, packed: bytes, expected: int, deadline: float
    ) -> "asyncio.Future[list[object]]":
        """The answers to `expected` commands, packed, that go out together; refusals
        are values of `Refusal`.

        Fails with `Unanswered` when the connection ends before, as it does when one
        call is not answered by its `deadline` (by the loop's clock): a late answer
        would meet somebody else. The pipe must be open.
        """
        done: asyncio.Future[list[object]] = self._loop.create_future()
        self._bursts.append(_Burst(expected, deadline, done))
        if self._timer is None or deadline < self._timer_s:
            self._wake_at(deadline)
        self._transport.write(packed)
        return done

    def close(self, reason: str) -> None:
        """Ends the connection; what was sent and not answered is `Unanswered`."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        # What has not gone out by now must not go out later.
        self._transport.abort()
        bursts, self._bursts = self._bursts, deque()
        for burst in bursts:
            self._fail(burst, f"The connection to {self._name} was lost: {reason}.")

    # What the event loop calls.

    def data_received(self, data: bytes) -> None:
        try:
            self._feed(data)
            answer = self._next()
            while answer is not _NOT_YET:
                self._take(answer)
                answer = self._next()
        except (ProtocolError, *NONSENSE) as error:
            self._end(plain(error))

    def eof_received(self) -> None:
        """Of itself the transport would go on sending first, for as long as it takes."""
        self._end("Connection closed by server")

    def connection_lost(self, error: Exception | None) -> None:
        self._end("Connection closed by server" if error is None else plain(error))
        if not self.gone.done():
            self.gone.set_result(None)

    def pause_writing(self) -> None:
        """Who waits for answers sends no more than that."""

    def resume_writing(self) -> None:
        """See above."""

    # Private methods.

    def _take(self, answer: object) -> None:
        if isinstance(answer, Exception) and not isinstance(answer, Refusal):
            self._end(str(answer))
            return
        if not self._bursts:
            if not self._closed:
                self._end("it answered what nobody asked")
            return
        burst = self._bursts[0]
        burst.answers.append(answer)
        if len(burst.answers) == burst.expected:
            self._bursts.popleft()
            if not burst.done.done():
                burst.done.set_result(burst.answers)

    def _end(self, reason: str) -> None:
        if not self._closed:
            self._lost(self, reason)

    def _wake_at(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_s = deadline
        self._timer = self._loop.call_at(deadline, self._look)

    def _look(self) -> None:
        """One timer for all calls: it may have been set for one that is long done."""
        self._timer = None
        late = [one for one in self._bursts if one.deadline <= self._timer_s]
        if late:
            for burst in late:
                self._fail(burst, f"{self._name} did not answer in time.")
            self._end("no answer came in time")
        elif self._bursts:
            self._wake_at(min([burst.deadline for burst in self._bursts]))

    def _fail(self, burst: _Burst, why: str) -> None:
        if not burst.done.done():
            burst.done.set_exception(Unanswered(why))
            burst.done.exception()  # Whoever asked may have been cancelled.

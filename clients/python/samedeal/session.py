"""The client's side of a session: who asked what, and whom an update is for."""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from msgspec import UNSET, structs

from samedeal.errors import NoAnswer, SamedealError, StaleTurn, Unavailable, from_update
from samedeal.following import Following
from samedeal.link import Link
from samedeal.mirror import Mirror
from samedeal.outbox import Fate, Outbox
from samedeal.requests import Answer, Desk
from samedeal.tracker import Tracker
from samedeal_protocol.codec import Codec
from samedeal_protocol.commands import Command, Create, Hello, Move, Sync, Undo, Watch
from samedeal_protocol.names import CorrelationId, ErrorCode
from samedeal_protocol.updates import Error, Patch, Update, Welcome


logger = logging.getLogger(__name__)

_RETRY_FIRST = 0.05
_RETRY_MOST = 1.0

_CREATE_AGAIN = 50.0
"""Seconds for which a create can be repeated: the server knows its id for 60."""

T = TypeVar("T")


class Session:
    """Everything that a client knows and has under way, over one `Link`.

    Args:
        make_link: makes the link, given its listener and outbox.
        codec: how messages are written.
        hello: the first greeting; later ones carry the token that was given.
        timeout: seconds after which a command without an answer fails.
        unanswered: how many commands may be under way.

    Attributes:
        welcome: the latest greeting of the server.
        connected: whether there is a connection now.
        error: why there will be none any more, if so.
        timeout: see above.
        ready: done when first connected, or that failed.
    """

    def __init__(
        self,
        make_link: Callable[["Session", Outbox], Link],
        codec: Codec,
        hello: Hello,
        *,
        timeout: float,
        unanswered: int,
    ) -> None:
        self.welcome: Welcome | None = None
        self.connected = False
        self.error: SamedealError | None = None
        self.timeout = timeout
        self._loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self._desk = Desk(codec)
        self._hello = hello
        self._outbox = Outbox(unanswered, lambda: self._link.wake())
        self._link = make_link(self, self._outbox)
        self._retry = _RETRY_FIRST
        self._following = Following(self._send_first)
        self._task = asyncio.create_task(self._link.run())

    # For whoever asks.

    def ask(
        self,
        command: Command,
        read: Callable[[Answer], T],
        *,
        again: bool = True,
        retry: bool = True,
        done_if: frozenset[ErrorCode] = frozenset(),
    ) -> asyncio.Future[T]:
        """Send a command; the future has its answer or a `SamedealError`.

        Cancelling the future does not take the command back.

        Args:
            command: without `id`.
            read: what the future gets of the answer, once the board it changed
                is up to date.
            again, retry, done_if: see `Request`.

        Raises:
            SamedealError: it cannot be asked at all.
        """
        if self.error is not None:
            raise self.error
        future: asyncio.Future[T] = self._loop.create_future()

        def finish(outcome: Answer | SamedealError) -> None:
            if future.done():
                return
            if isinstance(outcome, SamedealError):
                future.set_exception(outcome)
            else:
                future.set_result(read(outcome))

        def settle(answer: Answer) -> None:
            if isinstance(answer.update, Patch) and answer.tracker is not None:
                answer.tracker.when_current(lambda error: finish(error or answer))
            else:
                finish(answer)

        def expire() -> None:
            given_up = self._outbox.expire(request)
            finish(NoAnswer("The board could not be brought up to date in time."))
            if given_up and (tracker := self._following.get(_race_of(command))):
                tracker.sync()

        request = self._desk.request(command, settle, finish)
        request.again, request.retry, request.done_if = again, retry, done_if
        timeout = self.timeout
        if isinstance(command, Create):
            timeout = min(timeout, _CREATE_AGAIN)
        self._outbox.put(request)
        timer = self._loop.call_later(timeout, expire)
        future.add_done_callback(
            # A command whose asker went away must come to an end nevertheless.
            lambda future: None if future.cancelled() else timer.cancel()
        )
        return future

    def next_turn(self, race: str, turn: int) -> int:
        """The turn that a new move belongs to, where the board is at `turn`."""
        return self._outbox.next_turn(race, turn)

    def follow(self, race: str) -> Tracker:
        """Follow a race from now on."""
        return self._following.follow(race, self._player)

    async def until(
        self, tracker: Tracker, condition: Callable[[Mirror], bool]
    ) -> None:
        """Wait for something that the server tells without being asked again.

        Raises:
            NoAnswer: it did not, in the timeout.
        """
        try:
            async with asyncio.timeout(self.timeout):
                await tracker.until(condition)
        except TimeoutError:
            race = tracker.mirror.race
            raise NoAnswer(
                "The server did not tell of the race in time.", race=race
            ) from None

    async def close(self, error: SamedealError) -> None:
        """Close the connection; everything under way fails with `error`."""
        self._end(error, quietly=True)
        self._task.cancel()
        await asyncio.wait([self._task])

    # For the link.

    def hello(self) -> Hello:
        if self.welcome is None:
            return self._hello
        return structs.replace(self._hello, name=UNSET, token=self.welcome.token)

    def welcomed(self, welcome: Welcome) -> None:
        self.welcome = welcome
        self.connected = True
        self._desk.largest = welcome.limits.message_bytes
        self._following.connected()
        if not self.ready.done():
            self.ready.set_result(None)

    def received(self, update: Update) -> None:
        re = None if update.re is UNSET else update.re
        if isinstance(update, Error):
            self._refused(update, re)
            return
        request = None if re is None else self._outbox.answer(re)
        command = None if request is None else request.command
        tracker = self._following.show(update, command, self._player)
        if request is not None:
            self._retry = _RETRY_FIRST
            request.settle(Answer(update, tracker))

    def disconnected(self) -> None:
        self.connected = False
        self._following.disconnected()
        self._outbox.cut()

    def ended(self, error: SamedealError) -> None:
        self._end(error, quietly=False)

    # Private.

    @property
    def _player(self) -> str:
        assert self.welcome is not None, "Nothing is followed before the welcome."
        return self.welcome.player

    def _refused(self, update: Error, re: CorrelationId | None) -> None:
        error = from_update(update)
        if re is None:
            logger.warning("The server reports %s: %s", error.code, error)
            return
        fate = self._outbox.refuse(re, error)
        if isinstance(error, Unavailable) and fate is Fate.AGAIN:
            self._link.pause(self._retry)
            self._retry = min(2 * self._retry, _RETRY_MOST)
        if isinstance(error, StaleTurn) and fate is Fate.FAILED:
            tracker = self._following.get(error.race)
            if tracker is not None:
                tracker.sync()

    def _send_first(
        self,
        command: Sync | Watch,
        settle: Callable[[Answer], None],
        fail: Callable[[SamedealError], None],
    ) -> None:
        request = self._desk.request(command, settle, fail)
        request.again = False  # Every connection begins with new ones.
        self._outbox.put_first(request)

    def _end(self, error: SamedealError, *, quietly: bool) -> None:
        if self.error is not None:
            return
        self.error = error
        self.connected = False
        self._following.end(error, quietly=quietly)
        self._outbox.end(error)
        if not self.ready.done():
            self.ready.set_exception(error)
            self.ready.exception()  # Nobody has to wait for it.


def _race_of(command: Command) -> str | None:
    return command.race if isinstance(command, Move | Undo) else None

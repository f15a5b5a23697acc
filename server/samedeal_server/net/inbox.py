"""Frames of one connection, handed on one at a time without a task in between."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from samedeal_protocol.codec import Frame
from samedeal_server.net.answering import go_on


Receive = Callable[[Frame], Awaitable[None] | None]

# So many frames wait for an answer that takes time before no more are read.
_MOST: Final = 16


class Inbox:
    """Gives frames to `receive`; while it takes its time, later ones wait.

    Args:
        receive: takes a frame; what it returns, if anything, is awaited before
            the next.
        failed: called with what `receive` raised.
        pause, resume: stop and go on reading from the network.
    """

    def __init__(
        self,
        receive: Receive,
        failed: Callable[[BaseException], None],
        pause: Callable[[], None],
        resume: Callable[[], None],
    ) -> None:
        self.receive = receive
        self.failed = failed
        self._pause = pause
        self._resume = resume
        self._waiting: deque[Frame] | None = None
        """Made when it is needed: even an empty one takes 600 bytes."""
        self._task: asyncio.Task[None] | None = None
        self._paused = False

    def put(self, frame: Frame) -> None:
        """Take a frame from the network."""
        if self._task is not None:
            if self._waiting is None:
                self._waiting = deque()
            self._waiting.append(frame)
            if len(self._waiting) >= _MOST and not self._paused:
                self._paused = True
                self._pause()
            return
        try:
            work = self.receive(frame)
        except Exception as error:  # noqa: BLE001 (handed on whole)
            self.failed(error)
            return
        if work is not None:
            self._task = asyncio.create_task(go_on(self, work))

    def close(self) -> None:
        """The connection is gone; what is under way is given up."""
        self._waiting = None
        if self._task is not None:
            self._task.cancel()

    # For whoever waits on its behalf.

    def following(self) -> Frame | None:
        """The next frame that waits, if one does."""
        return self._waiting.popleft() if self._waiting else None

    def free(self) -> None:
        """Nothing is under way any more."""
        self._task = self._waiting = None
        if self._paused:
            self._paused = False
            self._resume()

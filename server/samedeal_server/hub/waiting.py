"""Requests on their way: waiting to be decided, or for the log's word."""

import math
from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from samedeal_server.hub.request import OwnRequest, Request, unavailable
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.refusal import Refusal


Pending: TypeAlias = tuple[Request, Decision | Refusal, Sequence[bytes]]
"""A request that was decided, what it came to, and its events as they are stored."""


class Waiting:
    """All requests of one race that have not been answered yet.

    Attributes:
        queue: to be decided, in the order of arrival.
        pending: decided together; answered once the log has their events.
    """

    def __init__(self) -> None:
        self.queue: deque[Request] = deque()
        self.pending: list[Pending] = []

    def __bool__(self) -> bool:
        return bool(self.queue or self.pending)

    @property
    def data(self) -> list[bytes]:
        """The events of all that is pending, as they are to be stored."""
        return [event for _, _, data in self.pending for event in data]

    @property
    def deadline(self) -> float | None:
        """The soonest of all; None where nobody waits, or nobody minds."""
        requests = [*self.queue, *[request for request, _, _ in self.pending]]
        soonest = min((request.deadline for request in requests), default=math.inf)
        return None if soonest == math.inf else soonest

    def settle(self) -> list[Pending]:
        """What was pending, which is not any more."""
        pending, self.pending = self.pending, []
        return pending

    def decide_again(self) -> None:
        """What was pending did not happen; back to the front of the queue."""
        self.queue.extendleft([request for request, _, _ in reversed(self.pending)])
        self.pending = []

    def refuse_all(self, refusal: Refusal) -> None:
        """Nothing can be done for any of them."""
        self.decide_again()
        while self.queue:
            self.queue.popleft().refused(refusal)

    def expire(self, now_s: float) -> None:
        """Answer those who have waited long enough; it may still come to be."""
        for request in [r for r in self.queue if r.deadline <= now_s]:
            self.queue.remove(request)
            request.refused(unavailable())
        for index, (request, outcome, data) in enumerate(self.pending):
            if request.deadline <= now_s:
                request.refused(unavailable())
                self.pending[index] = (_nobody(), outcome, data)


def _nobody() -> Request:
    """In place of one who has been answered: the events may be found yet."""
    return OwnRequest(lambda *_: NOTHING, lambda _: None, lambda _: None, math.inf)

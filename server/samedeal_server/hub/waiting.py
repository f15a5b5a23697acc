"""Requests on their way: waiting to be decided, or for the log's word."""

import math
from collections import deque
from typing import NamedTuple

from samedeal_server.hub.request import OwnRequest, Request, unavailable
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.refusal import Refusal


class Pending(NamedTuple):
    """A request that was decided; `data` are its events as they are stored."""

    request: Request
    outcome: Decision | Refusal
    data: tuple[bytes, ...]


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
        return [data for item in self.pending for data in item.data]

    @property
    def deadline(self) -> float | None:
        """The soonest of all; None where nobody waits, or nobody minds."""
        requests = [*self.queue, *(item.request for item in self.pending)]
        soonest = min((request.deadline for request in requests), default=math.inf)
        return None if soonest == math.inf else soonest

    def settle(self) -> list[Pending]:
        """What was pending, which is not any more."""
        pending, self.pending = self.pending, []
        return pending

    def decide_again(self) -> None:
        """What was pending did not happen; back to the front of the queue."""
        self.queue.extendleft(item.request for item in reversed(self.pending))
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
        for index, item in enumerate(self.pending):
            if item.request.deadline <= now_s:
                item.request.refused(unavailable())
                self.pending[index] = item._replace(request=_nobody())


def _nobody() -> Request:
    """In place of one who has been answered: the events may be found yet."""
    return OwnRequest(lambda *_: NOTHING, lambda _: None, lambda _: None, math.inf)

"""Something to be decided for a race, waiting for its turn."""

from collections.abc import Callable
from typing import Protocol

from msgspec import UNSET

from samedeal_server.hub.audience import Listener, Re
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal


class Request(Protocol):
    """Decided in the order of arrival; ends in exactly one call of `done` or `refused`.

    Attributes:
        asker: who gets the answer, if anybody.
        re: the id that the answer carries.
        deadline: by the event loop's clock; past it, the answer is `unavailable`.
        sure: the log was read since this was asked, so a refusal is no mistake.
    """

    sure: bool

    @property
    def asker(self) -> Listener | None: ...

    @property
    def re(self) -> Re: ...

    @property
    def deadline(self) -> float: ...

    def decide(self, race: Race, now: int) -> Decision:
        """What is asked, of a race at log time `now` in ms; raises `Refusal`. May be
        called again after a conflict, so it must not do anything else."""

    def done(self, decision: Decision) -> None:
        """Called once the decision's events are in the log and reduced, and
        everyone has been told; the one who asked, too."""

    def refused(self, refusal: Refusal) -> None:
        """Called when it is refused, unavailable included."""


Decide = Callable[[Race, int], Decision]


class OwnRequest:
    """What the server itself asks: functions in place of methods."""

    __slots__ = ("asker", "deadline", "decide", "done", "re", "refused", "sure")

    def __init__(
        self,
        decide: Decide,
        done: Callable[[Decision], None],
        refused: Callable[[Refusal], None],
        deadline: float,
    ) -> None:
        self.decide = decide
        self.done = done
        self.refused = refused
        self.deadline = deadline
        self.asker: Listener | None = None
        self.re: Re = UNSET
        self.sure = False


def unavailable() -> Refusal:
    """Not confirmed: it may have happened, or may yet."""
    return Refusal(
        "unavailable",
        "The log cannot be reached, so this is not confirmed; "
        "send the same command again.",
    )

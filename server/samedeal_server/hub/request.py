"""Something to be decided for a race, waiting for its turn."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from msgspec import UNSET

from samedeal_server.hub.audience import Listener, Re
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal


class Request(ABC):
    """Decided in the order of arrival; ends in exactly one call of `done` or `refused`.

    Attributes:
        asker: who gets the answer, if anybody.
        re: the id that the answer carries.
        deadline: by the event loop's clock; past it, the answer is `unavailable`.
        sure: the log was read since this was asked, so a refusal is no mistake.
    """

    def __init__(self, asker: Listener | None, re: Re, deadline: float) -> None:
        self.asker = asker
        self.re = re
        self.deadline = deadline
        self.sure = False

    @abstractmethod
    def decide(self, race: Race, now: int) -> Decision:
        """What is asked, of a race at log time `now` in ms; raises `Refusal`. May be
        called again after a conflict, so it must not do anything else."""

    @abstractmethod
    def done(self, decision: Decision) -> None:
        """Called once the decision's events are in the log and reduced, and
        everyone has been told; the one who asked, too."""

    @abstractmethod
    def refused(self, refusal: Refusal) -> None:
        """Called when it is refused, unavailable included."""


Decide = Callable[[Race, int], Decision]


class OwnRequest(Request):
    """What the server itself asks: functions say what, and hear the end of it."""

    def __init__(
        self,
        decide: Decide,
        done: Callable[[Decision], None],
        refused: Callable[[Refusal], None],
        deadline: float,
    ) -> None:
        super().__init__(None, UNSET, deadline)
        self._decide = decide
        self._done = done
        self._refused = refused

    def decide(self, race: Race, now: int) -> Decision:
        return self._decide(race, now)

    def done(self, decision: Decision) -> None:
        self._done(decision)

    def refused(self, refusal: Refusal) -> None:
        self._refused(refusal)


def unavailable() -> Refusal:
    """Not confirmed: it may have happened, or may yet."""
    return Refusal(
        "unavailable",
        "The log cannot be reached, so this is not confirmed; "
        "send the same command again.",
    )

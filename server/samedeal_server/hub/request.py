"""Something to be decided for a race, waiting for its turn."""

from collections.abc import Callable
from dataclasses import dataclass

from msgspec import UNSET

from samedeal_server.hub.audience import Listener, Re
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal


Decide = Callable[[Race, int], Decision]
"""Race and log time in ms to a decision; raises `Refusal`. May be called again
after a conflict, so it must not do anything else."""


@dataclass(slots=True, eq=False)
class Request:
    """Decided in the order of arrival; ends in exactly one call.

    Attributes:
        decide: what is asked.
        done: called once the decision's events are in the log and reduced, and
            everyone has been told; the one who asked, too.
        refused: called when it is refused, unavailable included.
        asker: who gets the answer, if anybody.
        re: the id that the answer carries.
        deadline: by the event loop's clock; past it, the answer is `unavailable`.
    """

    decide: Decide
    done: Callable[[Decision], None]
    refused: Callable[[Refusal], None]
    deadline: float
    asker: Listener | None = None
    re: Re = UNSET


def unavailable() -> Refusal:
    """Not confirmed: it may have happened, or may yet."""
    return Refusal(
        "unavailable",
        "The log cannot be reached, so this is not confirmed; "
        "send the same command again.",
    )

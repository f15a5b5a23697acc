"""The log's clock as a node may know it: a lower bound that is never ahead."""

import time
from collections.abc import Callable


class LogClock:
    """Samples of each store process's clock, carried on by this machine's ticking.

    A sample was true at some moment between asking and hearing, so the log's time
    at hearing lies between the sample and the sample plus the time it took. An
    older estimate is kept while it lies there; one ahead of it shows that the
    store's clock was set back, and is dropped.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._ahead_ms: dict[str, float] = {}
        """For each process: its time less this machine's monotonic time."""
        self._least_ms = 0.0
        """The least of these."""

    def saw(self, node: str, log_ms: int, asked_s: float) -> None:
        """Process `node` said `log_ms` to a question sent at `asked_s` (monotonic)."""
        heard_ms = self._monotonic() * 1000
        at_least = log_ms - heard_ms
        # The sample is cut to whole milliseconds, hence one more.
        at_most = log_ms + 1 - asked_s * 1000
        known = self._ahead_ms.get(node, at_least)
        self._ahead_ms[node] = known if at_least <= known <= at_most else at_least
        self._least_ms = min(self._ahead_ms.values())

    def forget(self, node: str) -> None:
        """Process `node` holds no logs any more."""
        self._ahead_ms.pop(node, None)
        self._least_ms = min(self._ahead_ms.values(), default=0.0)

    def now_ms(self) -> int:
        """Unix milliseconds, not ahead of any process's clock; 0 before any sample."""
        if not self._ahead_ms:
            return 0
        return int(self._least_ms + self._monotonic() * 1000)

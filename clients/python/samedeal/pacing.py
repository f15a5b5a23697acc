"""How fast to send and how long to wait: no faster than a server allows."""

import random


class Backoff:
    """Waits between attempts to reconnect, by full jitter.

    Each wait is uniform between nothing and a bound that starts at `first`
    seconds and doubles up to `most`: clients that were cut off together come
    back apart.
    Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    """

    def __init__(self, first: float = 0.1, most: float = 10.0) -> None:
        self._first = first
        self._most = most
        self._bound = first

    def next(self) -> float:
        """How many seconds to wait now."""
        bound = self._bound
        self._bound = min(self._most, 2 * bound)
        return random.uniform(0, bound)

    def reset(self) -> None:
        """Begin anew: the last attempt did well."""
        self._bound = self._first


class Pace:
    """A token bucket: `rate` messages a second, as many at once after a rest.

    A server that allows `rate` and bursts of more never refuses what keeps to
    it.
    """

    def __init__(self, rate: float, now: float) -> None:
        """Start full at `now` (seconds of any clock); a `rate` of 0 is no limit."""
        self._rate = rate
        self._tokens = rate
        self._then = now

    def wait(self, now: float) -> float:
        """Count a message in, and give the seconds to wait before it goes."""
        if self._rate <= 0:
            return 0.0
        refilled = self._tokens + (now - self._then) * self._rate
        self._tokens = min(self._rate, refilled) - 1
        self._then = now
        return max(0.0, -self._tokens / self._rate)

"""How much one client may do."""

from collections import Counter, OrderedDict, deque


class TokenBucket:
    """So many a second on average, and so many at once.

    Args:
        rate: tokens a second; 0 for no limit.
        burst: tokens it can hold.
    """

    __slots__ = ("_burst", "_rate", "_seen_s", "_tokens")

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._seen_s = 0.0

    def take(self, now_s: float) -> bool:
        """Whether there was a token at this moment; it is taken."""
        if not self._rate:
            return True
        gained = (now_s - self._seen_s) * self._rate
        self._tokens = min(float(self._burst), self._tokens + gained)
        self._seen_s = now_s
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Window:
    """Counts what happens within some seconds."""

    __slots__ = ("_moments", "_most", "_seconds")

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._moments: deque[float] | None = None
        """Made when it is needed: even an empty one takes 600 bytes."""

    def add(self, now_s: float) -> bool:
        """Count one more; whether that is within what is allowed (0: all is)."""
        if not self._most:
            return True
        if self._moments is None:
            self._moments = deque()
        moments = self._moments
        while moments and moments[0] <= now_s - self._seconds:
            moments.popleft()
        if len(moments) >= self._most:
            return False
        moments.append(now_s)
        return True

    def is_empty(self, now_s: float) -> bool:
        return not self._moments or self._moments[-1] <= now_s - self._seconds


class Addresses:
    """What clients do by address: connections at a time, joins a minute.

    Args:
        connections: at the same time; 0 for no limit.
        joins_per_minute: by code; 0 for no limit.
    """

    def __init__(self, connections: int, joins_per_minute: int) -> None:
        self._connections = connections
        self._joins_per_minute = joins_per_minute
        self._open: Counter[str] = Counter()
        self._joins: OrderedDict[str, Window] = OrderedDict()
        """Who has not tried for the longest time comes first."""

    def enter(self, address: str) -> bool:
        """Count a connection; False, and it is not counted, where that is too many."""
        if self._connections and self._open[address] >= self._connections:
            return False
        self._open[address] += 1
        return True

    def exit(self, address: str) -> None:
        """The connection has ended."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def may_join(self, address: str, now_s: float) -> bool:
        """Count a try to find a race by its code."""
        if not self._joins_per_minute:
            return True
        window = self._joins.get(address)
        if window is None:
            self._forget_some(now_s)
            window = self._joins[address] = Window(self._joins_per_minute, 60.0)
        self._joins.move_to_end(address)
        return window.add(now_s)

    def _forget_some(self, now_s: float) -> None:
        """Let go of two that have not tried for a minute, as one more comes: to look
        through all of them would keep everybody waiting."""
        for _ in range(min(2, len(self._joins))):
            address, window = next(iter(self._joins.items()))
            if not window.is_empty(now_s):
                return
            del self._joins[address]

"""When a process that ended is started again: at once, or later if it keeps ending."""

# A process that lived this long failed for a new reason.
_HEALTHY_S = 30.0
_FIRST_S = 0.25
_LONGEST_S = 4.0


class Pauses:
    """The pauses before the starts of one process, one after another."""

    def __init__(self) -> None:
        self._next_s = 0.0

    def after(self, lived_s: float) -> float:
        """Seconds to wait, now that the process has ended after `lived_s`."""
        pause_s = 0.0 if lived_s > _HEALTHY_S else self._next_s
        self._next_s = min(max(_FIRST_S, pause_s * 2), _LONGEST_S)
        return pause_s

"""Every choice the store leaves to its user, with its default."""

import secrets
from dataclasses import dataclass, field


def _node_id() -> str:
    return secrets.token_hex(6)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreSettings:
    """Settings of one node's store; times are in the unit their name ends with."""

    node: str = field(default_factory=_node_id)
    """This node's name among its peers: no spaces, unique for each process."""

    connect_timeout_s: float = 2.0
    """How long one attempt to connect may take."""

    append_timeout_s: float = 3.0
    """How long an append may go unanswered before it is `Doubtful`."""

    read_timeout_s: float = 3.0
    """How long any other call may take before it raises `StoreUnavailable`."""

    wait_replicas: int = 0
    """How many replicas must have an append before it counts as appended."""

    wait_replicas_ms: int = 1000
    """How long to wait for them."""

    batch: int = 512
    """How many appends go out in one script call at most."""

    page: int = 500
    """How many entries one call reads at most."""

    keep_days: int = 30
    """How long ended races, and the codes of all races, are kept."""

    presence_window_s: int = 30
    """How long a connection counts as alive after it was last refreshed."""

    bell_interval_ms: int = 10
    """The least time between two publications of this node."""

    def __post_init__(self) -> None:
        if not self.node or any(c.isspace() for c in self.node):
            raise ValueError(f"node must be a name without spaces, not {self.node!r}.")
        if not 0 <= self.wait_replicas_ms < self.append_timeout_s * 1000:
            raise ValueError("wait_replicas_ms must be shorter than append_timeout_s.")

"""Which address of this machine others on its network can reach."""

import socket


# Of the range kept for documentation; nothing is ever sent there.
_ELSEWHERE = ("192.0.2.1", 9)


def own_address() -> str:
    """The address that this machine has for others; `127.0.0.1` where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket sends nothing to connect; it only picks a route.
            probe.connect(_ELSEWHERE)
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])

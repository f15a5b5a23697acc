"""One port for several processes."""

import socket


def claim(host: str, port: int) -> socket.socket:
    """A socket that holds a port until processes that share it listen there.

    It never listens itself; they bind with SO_REUSEPORT, too. Close it once they do.

    Args:
        port: 0 takes a free one, which the socket's own name tells.

    Raises:
        OSError: the address cannot be had, be it that another server listens there:
            also one that would share the port, and with it everybody who comes.
    """
    [(family, kind, number, _, address), *_] = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    if port:
        with socket.socket(family, kind, number) as alone:
            _bind(alone, address)
    shared = socket.socket(family, kind, number)
    try:
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        _bind(shared, address)
    except BaseException:
        shared.close()
        raise
    return shared


def _bind(bound: socket.socket, address: tuple[object, ...]) -> None:
    # Connections that linger from a server that has ended are no obstacle.
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if bound.family == socket.AF_INET6:
        bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    bound.bind(address)

"""From the address that a person has at hand to the ones that are connected to."""

from urllib.parse import SplitResult, urlsplit, urlunsplit


_TO_WEBSOCKET = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_TO_HTTP = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


def websocket_url(url: str) -> str:
    """The address of the WebSocket: `ws(s)://…/ws`, or with the path given.

    Raises:
        ValueError: `url` is not a server's address.
    """
    parts = _split(url)
    path = parts.path if parts.path.strip("/") else "/ws"
    return urlunsplit((_TO_WEBSOCKET[parts.scheme], parts.netloc, path, "", ""))


def log_url(url: str, race: str) -> str:
    """The HTTP address of a race's log on the server at `url`.

    Raises:
        ValueError: `url` is not a server's address.
    """
    parts = _split(url)
    base = parts.path.rstrip("/").removesuffix("/ws")
    path = f"{base}/races/{race}/log.jsonl"
    return urlunsplit((_TO_HTTP[parts.scheme], parts.netloc, path, "", ""))


def _split(url: str) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in _TO_HTTP or not parts.hostname:
        raise ValueError(
            f"{url!r} is not a server's address; "
            "write it as http://127.0.0.1:8765 or wss://example.org."
        )
    return parts

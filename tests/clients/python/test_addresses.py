import pytest

from samedeal.addresses import log_url, websocket_url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8765", "ws://127.0.0.1:8765/ws"),
        ("http://127.0.0.1:8765/", "ws://127.0.0.1:8765/ws"),
        ("https://example.org", "wss://example.org/ws"),
        ("ws://example.org/ws", "ws://example.org/ws"),
        ("wss://example.org/games/socket", "wss://example.org/games/socket"),
        ("http://[::1]:8765?x=1#y", "ws://[::1]:8765/ws"),
    ],
)
def test_the_websocket_is_found_from_any_address(url: str, expected: str) -> None:
    assert websocket_url(url) == expected


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://127.0.0.1:8765", "http://127.0.0.1:8765"),
        ("ws://127.0.0.1:8765/ws", "http://127.0.0.1:8765"),
        ("wss://example.org/games/ws", "https://example.org/games"),
        ("https://example.org/games/", "https://example.org/games"),
    ],
)
def test_the_log_is_found_from_the_same_address(url: str, base: str) -> None:
    assert log_url(url, "a" * 16) == f"{base}/races/{'a' * 16}/log.jsonl"


@pytest.mark.parametrize("url", ["", "127.0.0.1:8765", "ftp://example.org", "ws://"])
def test_what_is_no_address_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(ValueError, match=r"write it as http://127\.0\.0\.1:8765"):
        websocket_url(url)

"""Each terminal gets characters that it can show."""

import pytest

from samedeal_terminal.glyphs import ASCII, UNICODE, Glyphs, glyphs_for


@pytest.mark.parametrize(
    ("encoding", "glyphs"),
    [
        ("utf-8", UNICODE),
        ("UTF-16", UNICODE),
        ("ascii", ASCII),
        ("latin-1", ASCII),
        ("cp437", ASCII),
        ("no such", ASCII),
        (None, ASCII),
    ],
)
def test_by_encoding(encoding: str | None, glyphs: Glyphs) -> None:
    assert glyphs_for(encoding) is glyphs

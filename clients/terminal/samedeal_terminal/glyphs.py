"""The characters that boards are drawn with, for terminals of both kinds."""

from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Everything drawn that is not in ASCII, and what stands for it there."""

    suits: str  # In the order cdhs.
    hidden: str  # A face-down card.
    empty: str  # A pile without cards.
    full: str  # The filled part of a bar, and the rest.
    rest: str
    times: str


UNICODE = Glyphs("♣♦♥♠", "▒▒", "·", "█", "░", "×")
ASCII = Glyphs("cdhs", "??", ".", "#", ".", "x")


def glyphs_for(encoding: str | None) -> Glyphs:
    """Return the glyphs that text in ``encoding`` can hold; ASCII if in doubt."""
    try:
        "".join(astuple(UNICODE)).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE

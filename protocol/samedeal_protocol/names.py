"""Names, formats and numbers that clients and servers agree on."""

import re
import unicodedata
from typing import Annotated, Final, Literal, NewType

from msgspec import Meta


RaceId = NewType("RaceId", str)
PlayerId = NewType("PlayerId", str)
Code = NewType("Code", str)

VERSION: Final = 1
SUBPROTOCOL_JSON: Final = "samedeal.v1+json"
SUBPROTOCOL_MSGPACK: Final = "samedeal.v1+msgpack"

RULES_VERSION: Final = 1
"""Version of the rules of play that new races are logged with."""

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""Beyond it a double, so a browser, cannot hold every integer."""

MAX_MESSAGE_BYTES: Final = 8192
MAX_MOVES: Final = 64
MAX_SEATS: Final = 16
MAX_NAME_LENGTH: Final = 24
MAX_ERROR_LENGTH: Final = 400

Integer = Annotated[int, Meta(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
Turn = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]
CorrelationId = Annotated[str, Meta(max_length=64)] | Integer

Status = Literal["waiting", "playing", "won", "stuck", "resigned", "timed_out"]
Phase = Literal["lobby", "countdown", "racing", "ended"]
Deals = Literal["any", "winnable"]
Verdict = Literal["won", "lost", "unknown"]
ErrorCode = Literal[
    "bad_message",
    "hello_first",
    "bad_token",
    "bad_name",
    "unknown_game",
    "unknown_variant",
    "unknown_level",
    "bad_settings",
    "unknown_race",
    "race_full",
    "race_started",
    "not_started",
    "not_in_race",
    "not_host",
    "finished",
    "bad_move",
    "illegal_move",
    "stale_turn",
    "nothing_to_undo",
    "undo_refused",
    "too_many_races",
    "rate_limited",
    "unavailable",
    "internal",
]

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
DEFAULT_NAME: Final = "Player"

_RACE_ID = re.compile(r"[a-z2-7]{16}", re.ASCII)
_CODE = re.compile(rf"[{CODE_LETTERS}]{{6}}", re.ASCII)

# Letters by category, blank by nature: they would make two names look alike.
_HANGUL_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")


class CloseCode:
    """WebSocket close codes with a meaning of their own here."""

    GOING_AWAY: Final = 1001
    PROTOCOL_ERROR: Final = 1002
    WRONG_FRAME: Final = 1003
    NOT_UTF8: Final = 1007
    FLOOD: Final = 1008
    TOO_BIG: Final = 1009
    INTERNAL: Final = 1011
    REPLACED: Final = 4000
    TOO_SLOW: Final = 4001


class BadName(ValueError):
    """The text cannot be a player's name; the message says why."""


def is_race_id(text: str) -> bool:
    """Whether `text` has the form of a race id (or of a player id)."""
    return _RACE_ID.fullmatch(text) is not None


def parse_code(text: str) -> Code | None:
    """The code that people mean by `text`, whatever its case, or None."""
    # Not .upper() alone: that turns "ß" into "SS".
    code = text.upper() if text.isascii() else ""
    return Code(code) if _CODE.fullmatch(code) else None


def clean_name(text: str) -> str:
    """`text` as a player's name: NFC and trimmed.

    Raises:
        BadName: it is empty, longer than 24 code points, or has a character
            that cannot be seen.
    """
    name = unicodedata.normalize("NFC", text).strip(" ")
    for character in name:
        if not _is_visible(character):
            raise BadName(
                f"A name cannot contain U+{ord(character):04X}; "
                "use letters, digits, punctuation and plain spaces."
            )
    if not name:
        raise BadName("A name needs at least one visible character.")
    if len(name) > MAX_NAME_LENGTH:
        raise BadName(f"A name has at most {MAX_NAME_LENGTH} characters.")
    return name


def distinct_name(name: str, taken: frozenset[str]) -> str:
    """`name`, or `name` followed by the first number that no one in `taken` has.

    Names are compared by casefold. A name that grows too long is cut before
    its number.
    """
    folded = {other.casefold() for other in taken}
    candidate, number = name, 1
    while candidate.casefold() in folded:
        number += 1
        suffix = f" {number}"
        candidate = name[: MAX_NAME_LENGTH - len(suffix)].rstrip(" ") + suffix
    return candidate


def _is_visible(character: str) -> bool:
    if character == " ":
        return True
    category = unicodedata.category(character)
    return (
        category[0] != "C"
        and category not in ("Zl", "Zp", "Zs")
        and character not in _HANGUL_FILLERS
    )

"""What a game, a variant and a position are: frozen records, no behaviour.

A variant carries its rules as a record of functions, so that variants share code by
sharing functions or the small tables these work on.
"""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from .cards import Card, Pile
from .moves import Move


Layout: TypeAlias = tuple[tuple[Pile, ...], Pile]
"""The piles and the stock (next card first)."""


class Outcome(enum.Enum):
    """How a game has ended."""

    WON = "won"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one variant as functions of a position.

    ``allows`` holds for exactly the moves that ``legal_moves`` lists; ``has_move``
    and ``count_moves`` say what its length would be without making the list.
    ``why_not`` explains a move that is not allowed, ``apply`` makes one that is.
    """

    legal_moves: Callable[["State"], list[Move]]
    has_move: Callable[["State"], bool]
    count_moves: Callable[["State"], int]
    allows: Callable[["State", Move], bool]
    why_not: Callable[["State", Move], str]
    apply: Callable[["State", Move], "State"]


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One reading of a game's rules. There is one object for each, in ``GAMES``."""

    game: str
    name: str
    title: str
    about: str  # The difference in one line, for a player.
    piles: tuple[str, ...]  # Names in layout order, the stock not among them.
    total: int  # Cards in play at the start.
    rules: Rules = field(repr=False)
    lay_out: Callable[[Sequence[Card]], Layout] = field(repr=False)
    decks: int = 1
    has_stock: bool = False  # Some cards wait face down to refill emptied piles.
    covered: bool = False  # Only the top card of a pile is face up.
    foundations: int = 0  # So many of the last piles hold cleared cards.
    accepts: Callable[[Sequence[Card]], bool] | None = field(default=None, repr=False)
    """Where given: shuffle again until the cards that are never in play, those of
    the deck from ``total`` on, are accepted."""

    @property
    def hidden(self) -> bool:
        """Whether any card, stock included, is ever face down."""
        return self.has_stock or self.covered

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str]]:
        """Pickle and copy by name: what comes back is the one object in ``GAMES``."""
        from .catalogue import find_variant

        return find_variant, (self.game, self.name)


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the catalogue, described for a player."""

    name: str
    title: str
    about: str  # One line.
    rules: str  # The full rules: short paragraphs of plain text.
    default: str  # The name of the variant played unless another is asked for.
    variants: tuple[Variant, ...]


class State:
    """A position: every pile in the order of ``variant.piles``, bottom card first.

    Immutable. No tuple or dataclass: a move makes one and reads it a dozen times,
    and compiled, an ordinary class is the cheapest at both.
    """

    __slots__ = ("piles", "stock", "variant")

    def __init__(
        self, variant: Variant, piles: tuple[Pile, ...], stock: Pile = ()
    ) -> None:
        self.variant: Final = variant
        self.piles: Final = piles
        self.stock: Final = stock  # Next card first.

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"State{self._values()!r}"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return State, self._values()

    def _values(self) -> tuple[Variant, tuple[Pile, ...], Pile]:
        return self.variant, self.piles, self.stock

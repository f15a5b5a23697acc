"""Built-in players: they see a view, as a person does, and choose a move.

Chance comes in as ``below``, so that the same numbers give the same choices.
"""

from collections.abc import Callable, Sequence, Set as AbstractSet
from typing import TypeAlias

from .cards import Card
from .errors import UnknownLevelError
from .imagining import Below
from .instinct import most_pleasing
from .model import State, Variant
from .moves import Move, Take
from .play import apply_move, legal_moves
from .thinking import think


Opponent: TypeAlias = Callable[[State], Move | None]
"""Is shown every position of one game in turn, and chooses; None is to resign."""

LEVELS = ("random", "greedy", "easy", "medium", "hard", "expert")
"""The last four from the weakest to the strongest. Beside them `random` makes any move,
and `greedy` the one that looks best; how far that gets depends on the game."""

_HEED = ("easy", "medium", "hard")

_PERCENT = {
    "juvenile/one-deck": (60, 85, 95),
    "juvenile/two-decks": (50, 75, 90),
    "juvenile/seventeen-piles": (35, 65, 85),
    "simple-pairs/standard": (40, 70, 90),
    "doublets/reserve": (5, 62, 85),
    "doublets/sealed": (5, 62, 85),
    "private-lane/by-suit": (92, 97, 99),
    "private-lane/any-suit": (60, 80, 92),
    "straight-fifteens/either": (60, 82, 94),
    "straight-fifteens/straight": (60, 82, 94),
    "straight-fifteens/four-of-a-kind": (65, 82, 93),
    "straight-fifteens/courts-apart": (8, 52, 77),
}
"""How many of 100 moves each of these thinks about; else any will do, as to a person
who does not look. Thought is worth most in Private Lane, where one slip can lose."""

_NODES = {
    "juvenile/two-decks": 3000,
    "simple-pairs/standard": 1,
    "doublets/reserve": 2000,
    "doublets/sealed": 2000,
    "private-lane/any-suit": 1000,
    "straight-fifteens/either": 600,
    "straight-fifteens/straight": 600,
    "straight-fifteens/four-of-a-kind": 3000,
    "straight-fifteens/courts-apart": 600,
}
"""How much they look at for one move, if not 10,000. A few hundredths of a second where
cards are hidden; where none are, seldom a tenth or two, and then there is a plan."""


def opponent(level: str, variant: Variant, below: Below) -> Opponent:
    """Return a player of one game of this variant.

    It is to be called with what `from_view` makes of its view, once for each move, and
    plays what it chooses. It remembers the cards it saw go, follows a plan for as long as
    things go by it, and gives up rather than return to a position it has been in,
    unless on the way to a win.
    Raises UnknownLevelError for a level not in ``LEVELS``.
    """
    _check(level)
    return _Player(level, variant, below)


def choose(
    level: str,
    state: State,
    below: Below,
    *,
    seen: AbstractSet[State] = frozenset(),
) -> Move | None:
    """Return the move that a player of this level makes, seeing the game as it is.

    ``state`` is what `from_view` makes of the player's view. No move is chosen that
    leads to a position in ``seen``: a player that adds every position it has been in
    never goes round in circles, and is given None (resign) once nothing else is left.
    Raises UnknownLevelError for a level not in ``LEVELS``.
    """
    _check(level)
    heeds = _heeds(level, state.variant, below)
    plan, _ = _decide(level, heeds, state, below, seen, ())
    return plan[0] if plan else None


class _Player:
    """The memory of one player in one game."""

    def __init__(self, level: str, variant: Variant, below: Below) -> None:
        self._level = level
        self._variant = variant
        self._below = below
        self._seen: set[State] = set()
        self._gone: list[Card] = []
        self._plan: tuple[Move, ...] = ()
        self._wins = False  # Whether the plan is known to clear everything.
        self._expected: State | None = None

    def __call__(self, state: State) -> Move | None:
        self._seen.add(state)
        heeds = _heeds(self._level, self._variant, self._below)
        if not (heeds and self._goes_by_plan(state)):
            gone = self._gone_by(state)
            self._plan, self._wins = _decide(
                self._level, heeds, state, self._below, self._seen, gone
            )
            if not self._plan:
                return None
        move, *others = self._plan
        self._plan = tuple(others)
        self._expected = apply_move(state, move) if others else None
        if isinstance(move, Take):
            self._gone += [state.piles[number][-1] for number in move.piles]
        return move

    def _goes_by_plan(self, state: State) -> bool:
        """Whether to make the plan's next move: not back, except on the way to a win."""
        if not self._plan or state != self._expected:
            return False
        return self._wins or apply_move(state, self._plan[0]) not in self._seen

    def _gone_by(self, state: State) -> Sequence[Card]:
        """Return the cards remembered, if that agrees with how many are there."""
        there = sum(map(len, state.piles)) + len(state.stock)
        if there + len(self._gone) != self._variant.total:
            return ()
        return self._gone


def _check(level: str) -> None:
    if level not in LEVELS:
        raise UnknownLevelError(
            f"There is no level {level[:24]!a}; choose from {', '.join(LEVELS)}."
        )


def _heeds(level: str, variant: Variant, below: Below) -> bool:
    """Whether a player of this level looks at the table before its next move."""
    if level not in _HEED:
        return level != "random"
    return below(100) < _PERCENT[f"{variant.game}/{variant.name}"][_HEED.index(level)]


def _decide(
    level: str,
    heeds: bool,
    state: State,
    below: Below,
    seen: AbstractSet[State],
    gone: Sequence[Card],
) -> tuple[tuple[Move, ...], bool]:
    """Return a line to play, empty to resign, and whether it surely wins."""
    moves = legal_moves(state)
    if seen:
        moves = [move for move in moves if apply_move(state, move) not in seen]
    if not moves:
        return (), False
    if heeds and level != "greedy":
        variant = f"{state.variant.game}/{state.variant.name}"
        thought = think(state, _NODES.get(variant, 10_000), below, gone)
        if thought.exact and not thought.plan:
            return (), False  # Nothing better can be reached.
        if thought.plan and thought.plan[0] in moves:
            return thought.plan, thought.exact and thought.wins > 0
    if heeds:
        moves = most_pleasing(state, moves)
    return (moves[below(len(moves))],), False

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

LEVELS = ("random", "easy", "greedy", "medium", "hard", "expert")
"""From the weakest to the strongest."""

_THINKING = ("medium", "hard", "expert")

_HEED = (4, 10, 12)
"""Where cards are hidden: how many of 12 moves each of these thinks about at all. There
little thought goes nearly as far as much; it is the lapses that tell."""

_NODES = {
    "juvenile/one-deck": (22, 40, 2500),
    "juvenile/two-decks": (300, 900, 2500),
    "juvenile/seventeen-piles": (60, 180, 2500),
    "simple-pairs/standard": (1, 1, 1),
    "doublets/reserve": (1, 1500, 4000),
    "doublets/sealed": (1, 1500, 4000),
    "private-lane/by-suit": (60, 300, 2500),
    "private-lane/any-suit": (60, 150, 400),
    "straight-fifteens/either": (180, 180, 600),
    "straight-fifteens/straight": (180, 180, 600),
    "straight-fifteens/four-of-a-kind": (180, 180, 600),
    "straight-fifteens/courts-apart": (180, 180, 600),
}
"""How much each of these looks at for one move; at most a few hundredths of a second."""


def opponent(level: str, variant: Variant, below: Below) -> Opponent:
    """Return a player of one game of this variant.

    It is to be called with what `from_view` makes of its view, once for each move, and
    plays what it chooses. It remembers the cards it saw go, gives up rather than return
    to a position it has been in, and follows a plan for as long as things go by it.
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
    plan, _ = _decide(level, state, below, seen, ())
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
        if not self._goes_by_plan(state):
            self._plan, self._wins = _decide(
                self._level, state, self._below, self._seen, self._gone_by(state)
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


def _decide(
    level: str,
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
    rank = _THINKING.index(level) if level in _THINKING else None
    if rank is not None and (not state.variant.hidden or below(12) < _HEED[rank]):
        nodes = _NODES[f"{state.variant.game}/{state.variant.name}"][rank]
        thought = think(state, nodes, below, gone)
        if thought.exact and not thought.plan:
            return (), False  # Nothing better can be reached.
        if thought.plan and thought.plan[0] in moves:
            return thought.plan, thought.exact and thought.wins > 0
    if level != "random" and (level != "easy" or below(2)):
        moves = most_pleasing(state, moves)
    return (moves[below(len(moves))],), False

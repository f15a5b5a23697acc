"""A word of advice: one legal move and why, from what the player sees alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, count

from .cards import Card
from .imagining import Below
from .instinct import most_pleasing
from .model import State
from .moves import Move
from .play import apply_move, left, legal_moves
from .thinking import Thought, sees_all, think


# Positions that an adviser remembers; a line longer than that is kept whole.
_MOST_STEPS = 2000
_MOST_OTHERS = 100


@dataclass(frozen=True, slots=True)
class Hint:
    """A legal move, and one sentence on what speaks for it."""

    move: Move
    why: str


@dataclass(frozen=True, slots=True)
class _Step:
    """A position's place on a line: what to play, and what the line comes to."""

    move: Move
    left: int
    turns: int
    """Moves of the line from here on, this one included."""
    exact: bool


class Adviser:
    """Gives advice on one board, move after move, and keeps to the line it advises.

    Each position searched anew would be answered by another line each time, and in
    Private Lane, where moves can be taken back, obeying these led round in circles.

    Args:
        max_nodes: about how many positions are looked at for one piece of advice.
    """

    def __init__(self, max_nodes: int = 2500) -> None:
        self._max_nodes = max_nodes
        self._steps: dict[State, _Step] = {}
        self._others: dict[State, Hint | None] = {}

    def __len__(self) -> int:
        """How many positions it remembers."""
        return len(self._steps) + len(self._others)

    def knows(self, state: State) -> bool:
        """Return whether advice on the position takes no thinking."""
        return state in self._steps or state in self._others

    def hint(self, state: State, gone: Sequence[Card] = ()) -> Hint | None:
        """Return advice as `hint` does, by the same line as before where there is one."""
        if (step := self._steps.get(state)) is not None:
            return Hint(step.move, _on_line(step))
        if state in self._others:
            return self._others[state]
        found = self._find(state, gone)
        if state not in self._steps:
            if len(self._others) >= _MOST_OTHERS:
                self._others.clear()
            self._others[state] = found
        return found

    # Private methods.

    def _find(self, state: State, gone: Sequence[Card]) -> Hint | None:
        moves = legal_moves(state)
        if not moves:
            return None
        if state.variant.game == "simple-pairs":
            return Hint(moves[0], "Any pair will do: the order changes nothing here.")
        if len(moves) == 1:
            return Hint(moves[0], "It is the only move there is.")
        thought = think(state, self._max_nodes, _steady(), gone)
        if not sees_all(state):
            move = thought.plan[0] if thought.plan else most_pleasing(state, moves)[0]
            return Hint(move, _in_part(state, thought))
        if thought.left < left(state) and thought.plan:
            step = self._remember(state, thought)
            return Hint(step.move, _on_line(step))
        why = "No line that gets further was found."
        if thought.exact:
            why = (
                f"No line gets further any more: {left(state)} cards are left at best."
            )
        return Hint(most_pleasing(state, moves)[0], why)

    def _remember(self, state: State, thought: Thought) -> _Step:
        """Keep the thought's line, leading over to a better one where they meet.

        So whoever follows has fewer cards at the end or fewer moves until then with
        each step, and comes to no position twice.
        """
        if len(self._steps) >= _MOST_STEPS:
            self._steps.clear()
        positions = [*accumulate(thought.plan[:-1], apply_move, initial=state)]
        cards, turns, exact = round(thought.left), 0, thought.exact
        for position, move in zip(
            reversed(positions), reversed(thought.plan), strict=True
        ):
            turns += 1
            known = self._steps.get(position)
            if known is not None and (known.left, known.turns) <= (cards, turns):
                cards, turns, exact = known.left, known.turns, known.exact
            else:
                self._steps[position] = _Step(move, cards, turns, exact)
        return self._steps[state]


def hint(state: State, max_nodes: int = 2500, gone: Sequence[Card] = ()) -> Hint | None:
    """Return advice on a position as `from_view` makes it, None where nothing moves.

    Looks at about ``max_nodes`` positions. ``gone`` are the cards that the player saw
    taken: without them, what is hidden is guessed less well. The same position always
    gets the same advice; for advice on move after move see `Adviser`.
    """
    return Adviser(max_nodes).hint(state, gone)


def _on_line(step: _Step) -> str:
    """Say what the solver found where all cards are in sight."""
    if not step.left:
        if step.turns == 1:
            return "It clears everything."
        return f"It is the first of {step.turns} moves that clear everything."
    cards = f"{step.left} card{'s' * (step.left != 1)}"
    if step.exact:
        return f"Clearing everything is out of reach; this way leaves only {cards}."
    return f"The best way found from here leaves {cards}; there may be a better one."


def _in_part(state: State, thought: Thought) -> str:
    """Say what came of imagining the hidden cards."""
    if not thought.plan:
        return "Of so many moves none was looked into; this one looks best at a glance."
    if not thought.samples:
        if state.variant.game == "straight-fifteens":
            return "In every way tried for the hidden cards, no other move looked best."
        return (
            "In every way tried for the hidden cards, all that could go with these "
            "lie on top already."
        )
    ways = f"{thought.samples} ways tried for the hidden cards"
    if thought.wins:
        return f"Of {ways}, {thought.wins} were cleared after it."
    return f"In {ways}, it left {thought.left:.0f} cards in the mean."


def _steady() -> Below:
    """Return numbers that are the same every time, by a linear congruence."""
    states = count(1)

    def below(choices: int) -> int:
        number = next(states) * 0x9E3779B97F4A7C15 % 2**64
        return (number >> 33) * choices >> 31

    return below

"""A word of advice: one legal move and why, from what the player sees alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from .cards import Card
from .imagining import Below
from .instinct import most_pleasing
from .model import State
from .moves import Move
from .play import left, legal_moves
from .thinking import Thought, sees_all, think


@dataclass(frozen=True, slots=True)
class Hint:
    """A legal move, and one sentence on what speaks for it."""

    move: Move
    why: str


def hint(state: State, max_nodes: int = 2500, gone: Sequence[Card] = ()) -> Hint | None:
    """Return advice on a position as `from_view` makes it, None where nothing moves.

    Looks at about ``max_nodes`` positions. ``gone`` are the cards that the player saw
    taken: without them, what is hidden is guessed less well. The same position always
    gets the same advice.
    """
    moves = legal_moves(state)
    if not moves:
        return None
    if state.variant.game == "simple-pairs":
        return Hint(moves[0], "Any pair will do: the order changes nothing here.")
    if len(moves) == 1:
        return Hint(moves[0], "It is the only move there is.")
    thought = think(state, max_nodes, _steady(), gone)
    move = thought.plan[0] if thought.plan else most_pleasing(state, moves)[0]
    why = _in_sight if sees_all(state) else _in_part
    return Hint(move, why(state, thought))


def _in_sight(state: State, thought: Thought) -> str:
    """Say what the solver found where all cards are in sight."""
    if thought.wins:
        if len(thought.plan) == 1:
            return "It clears everything."
        return f"It is the first of {len(thought.plan)} moves that clear everything."
    cards = f"{thought.left:.0f} card{'s' * (thought.left != 1)}"
    if thought.exact and not thought.plan:
        return f"No line gets further any more: {left(state)} cards are left at best."
    if thought.exact:
        return f"Clearing everything is out of reach; this way leaves only {cards}."
    return f"The best way found from here leaves {cards}; there may be a better one."


def _in_part(_: State, thought: Thought) -> str:
    """Say what came of imagining the hidden cards."""
    if not thought.samples:
        return "Nothing better can become of these cards, so it costs nothing."
    ways = f"{thought.samples} ways the hidden cards may lie"
    if thought.wins:
        return f"Of {ways}, it cleared everything in {thought.wins}."
    return f"Of {ways}, it left the fewest cards: {thought.left:.0f} in the mean."


def _steady() -> Below:
    """Return numbers that are the same every time, by a linear congruence."""
    states = count(1)

    def below(choices: int) -> int:
        number = next(states) * 0x9E3779B97F4A7C15 % 2**64
        return (number >> 33) * choices >> 31

    return below

"""The rules of five solitaire games as pure functions over frozen positions.

Nothing here knows of a clock, a network or chance: a deal comes from its seed,
a position from a deal and moves.
"""

from .cards import HIDDEN, Card, card_name, card_text, parse_card
from .catalogue import GAMES, find_variant
from .deals import SEED_BYTES, deal, parse_seed
from .errors import (
    GameError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidSeedError,
    InvalidViewError,
    UnknownGameError,
    UnknownLevelError,
    UnknownVariantError,
)
from .hindsight import Hindsight, hindsight
from .hints import Adviser, Hint, hint
from .model import Game, Outcome, State, Variant
from .moves import Move, Shift, Take, parse_move
from .play import (
    apply_move,
    check_move,
    count_moves,
    has_move,
    is_legal,
    left,
    legal_moves,
    outcome,
    replay_moves,
    status,
)
from .players import LEVELS, Opponent, choose, opponent
from .solver import MAX_NODES, Solution, Verdict, solve
from .views import exposes, from_view, view, view_patch


__all__ = [
    "GAMES",
    "HIDDEN",
    "LEVELS",
    "MAX_NODES",
    "SEED_BYTES",
    "Adviser",
    "Card",
    "Game",
    "GameError",
    "Hindsight",
    "Hint",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidSeedError",
    "InvalidViewError",
    "Move",
    "Opponent",
    "Outcome",
    "Shift",
    "Solution",
    "State",
    "Take",
    "UnknownGameError",
    "UnknownLevelError",
    "UnknownVariantError",
    "Variant",
    "Verdict",
    "apply_move",
    "card_name",
    "card_text",
    "check_move",
    "choose",
    "count_moves",
    "deal",
    "exposes",
    "find_variant",
    "from_view",
    "has_move",
    "hindsight",
    "hint",
    "is_legal",
    "left",
    "legal_moves",
    "opponent",
    "outcome",
    "parse_card",
    "parse_move",
    "parse_seed",
    "replay_moves",
    "solve",
    "status",
    "view",
    "view_patch",
]

"""Playing: what may be done in a position, what comes of it, and how it stands."""

from collections.abc import Iterable

from .errors import IllegalMoveError
from .model import Outcome, State
from .moves import Move, parse_move


def legal_moves(state: State) -> list[Move]:
    """Return every legal move, each once."""
    return state.variant.rules.legal_moves(state)


def has_move(state: State) -> bool:
    """Return whether there is a legal move, without listing them."""
    return state.variant.rules.has_move(state)


def count_moves(state: State) -> int:
    """Return how many legal moves there are, without listing them."""
    return state.variant.rules.count_moves(state)


def is_legal(state: State, move: Move) -> bool:
    """Return whether the move is among the legal ones, without listing them."""
    return state.variant.rules.allows(state, move)


def check_move(state: State, move: Move) -> None:
    """Raise IllegalMoveError, saying what is wrong, unless the move is legal.

    The message names only cards that the player can see.
    """
    rules = state.variant.rules
    if not rules.allows(state, move):
        raise IllegalMoveError(rules.why_not(state, move))


def apply_move(state: State, move: Move) -> State:
    """Return the position after the move, refills and turned-up cards included.

    The move must be legal: this is asserted, not checked. Call `check_move` first
    with a move that comes from outside.
    """
    rules = state.variant.rules
    assert rules.allows(state, move), rules.why_not(state, move)
    return rules.apply(state, move)


def replay_moves(state: State, moves: Iterable[str]) -> State:
    """Return the position after moves that are known to be good, by their texts.

    For what was checked before: nothing is looked at again here.
    """
    apply = state.variant.rules.apply
    for text in moves:
        state = apply(state, parse_move(text))
    return state


def left(state: State) -> int:
    """Return how many cards in play are not yet cleared, the stock included."""
    piles = state.piles
    if foundations := state.variant.foundations:
        piles = piles[:-foundations]
    count = len(state.stock)
    for pile in piles:
        count += len(pile)
    return count


def outcome(state: State) -> Outcome | None:
    """Return how the game has ended, None while it goes on.

    It is won when no card is left, and stuck when no move is, stock or not.
    """
    if state.variant.rules.has_move(state):
        return None
    return Outcome.STUCK if left(state) else Outcome.WON


def status(state: State) -> str:
    """Return the outcome as the protocol writes it: playing, won or stuck."""
    end = outcome(state)
    return "playing" if end is None else end.value

"""Errors of the rules layer. Every message is one sentence a player can act on."""


class GameError(ValueError):
    """Something asked of the rules cannot be done."""


class InvalidMoveError(GameError):
    """The text is not in the notation of moves."""


class IllegalMoveError(GameError):
    """The move is well formed, but the position or the rules do not allow it."""


class InvalidSeedError(GameError):
    """The seed is not exactly 16 bytes, written as 32 lower-case hex digits."""


class InvalidViewError(GameError):
    """The piles are not a view of a position of the variant."""


class UnknownGameError(GameError):
    """There is no game of that name."""


class UnknownVariantError(GameError):
    """The game has no variant of that name."""


class UnknownLevelError(GameError):
    """There is no built-in player of that level."""

"""A seat's board, as its player sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from samedeal_games import Move, State, find_variant, from_view, legal_moves
from samedeal_protocol import patches
from samedeal_protocol.names import Status
from samedeal_protocol.updates import Patch, View


@dataclass(frozen=True, slots=True)
class Board:
    """One seat's board at one turn; a later turn is another `Board`.

    Attributes:
        game, variant: what is played.
        seat: whose it is.
        turn: how many move lists and undos were accepted so far.
        piles: pile name to cards, bottom first; `??` lies face down.
        left: cards in play that are not cleared.
        status: `playing`, `won`, `stuck`, `resigned` or `timed_out`.
        elapsed_ms: from the start to the seat's last accepted move.
    """

    game: str
    variant: str
    seat: int
    turn: int
    piles: Mapping[str, Sequence[str]]
    left: int
    status: Status
    elapsed_ms: int

    @property
    def playing(self) -> bool:
        """Whether there is something to do on this board."""
        return self.status == "playing"

    @property
    def state(self) -> State:
        """The position for `samedeal_games`, unseen cards hidden.

        Raises:
            samedeal_games.GameError: this version does not know the game.
        """
        return from_view(find_variant(self.game, self.variant), self.piles)

    def legal_moves(self) -> list[Move]:
        """Every move that may be made now, worked out here from what is seen.

        `str()` of a move is its notation, `t3+t7` or `t3>f`.

        Raises:
            samedeal_games.GameError: this version does not know the game.
        """
        return legal_moves(self.state) if self.playing else []

    def __str__(self) -> str:
        width = max(map(len, self.piles), default=0)
        head = f"turn {self.turn}, {self.left} left, {self.status}"
        rows = [f"{name:>{width}}  {' '.join(pile)}" for name, pile in _shown(self)]
        return "\n".join([head, *rows])


def from_update(game: str, variant: str, view: View) -> Board:
    """The board that a `view` shows."""
    return Board(
        game,
        variant,
        view.seat,
        view.turn,
        view.piles,
        view.left,
        view.status,
        view.elapsed_ms,
    )


def patched(board: Board, patch: Patch) -> Board | None:
    """`board` brought to the turn of `patch`, or None where it does not fit.

    A patch whose turn is not above the board's confirms what is there already:
    its piles are not applied, but it may tell a new status at the same turn.
    """
    if patch.turn < board.turn:
        return board
    piles = board.piles
    if patch.turn > board.turn:
        if patch.from_ != board.turn:
            return None
        try:
            piles = patches.apply(piles, patch.piles)
        except patches.PatchError:
            return None
    return replace(
        board,
        turn=patch.turn,
        piles=piles,
        left=patch.left,
        status=patch.status,
        elapsed_ms=patch.elapsed_ms,
    )


def _shown(board: Board) -> list[tuple[str, Sequence[str]]]:
    return [(name, pile) for name, pile in board.piles.items() if pile]

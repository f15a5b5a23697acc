"""A taken seat of a race, and the board of the player in it. Immutable."""

from typing import ClassVar, Final

from samedeal_games import Outcome, State, exposes
from samedeal_protocol.names import Status
from samedeal_protocol.updates import TurnText
from samedeal_server.record import Record


class Seat(Record):
    """A taken seat and the board of the player in it.

    Attributes:
        bot: level of a built-in opponent, `external` for somebody's program.
        turns: what was played, turn by turn.
        past: the board before each list that an undo could take back, latest
            last; empty in races without undo.
        lefts: cards left and since when there were no more than that, falling;
            the last is the present. Times in ms by the log's clock.
        elapsed_ms: from the start to the last accepted event.
        closed: how the seat gave up or was given up, if it did.
    """

    FIELDS: ClassVar = (
        "board",
        "bot",
        "closed",
        "elapsed_ms",
        "lefts",
        "name",
        "number",
        "outcome",
        "past",
        "player",
        "ready",
        "turns",
    )
    __slots__ = FIELDS

    def __init__(
        self,
        *,
        number: int,
        player: str,
        name: str,
        bot: str | None,
        ready: bool,
        board: State,
        outcome: Outcome | None,
        turns: tuple[TurnText, ...],
        past: tuple[State, ...],
        lefts: tuple[tuple[int, int], ...],
        elapsed_ms: int,
        closed: Status | None,
    ) -> None:
        self.number: Final = number
        self.player: Final = player
        self.name: Final = name
        self.bot: Final = bot
        self.ready: Final = ready
        self.board: Final = board
        self.outcome: Final = outcome
        self.turns: Final = turns
        self.past: Final = past
        self.lefts: Final = lefts
        self.elapsed_ms: Final = elapsed_ms
        self.closed: Final = closed

    @property
    def turn(self) -> int:
        return len(self.turns)

    @property
    def left(self) -> int:
        return self.lefts[-1][0]

    @property
    def built_in(self) -> bool:
        """Whether the server itself plays here."""
        return self.bot is not None and self.bot != "external"

    def can_undo(self) -> bool:
        """Whether there is a list to take back that showed no new card."""
        return bool(self.past) and not exposes(self.past[-1], self.board)

    def is_done(self) -> bool:
        """Whether nothing more can happen here once the race has started."""
        return (
            self.closed is not None
            or self.outcome is Outcome.WON
            or (self.outcome is Outcome.STUCK and not self.can_undo())
        )

    # What it becomes.

    def played(
        self,
        board: State,
        outcome: Outcome | None,
        turns: tuple[TurnText, ...],
        past: tuple[State, ...],
        lefts: tuple[tuple[int, int], ...],
        elapsed_ms: int,
    ) -> "Seat":
        """After a turn; nearly all that happens, so without a look at every name."""
        return Seat(
            number=self.number,
            player=self.player,
            name=self.name,
            bot=self.bot,
            ready=self.ready,
            board=board,
            outcome=outcome,
            turns=turns,
            past=past,
            lefts=lefts,
            elapsed_ms=elapsed_ms,
            closed=self.closed,
        )

    def with_closed(self, how: Status, elapsed_ms: int) -> "Seat":
        """Given up."""
        return self.changed(closed=how, elapsed_ms=elapsed_ms)

    def with_ready(self, ready: bool) -> "Seat":
        """Ready, or not any more."""
        return self.changed(ready=ready)

    def with_lefts(self, lefts: tuple[tuple[int, int], ...]) -> "Seat":
        """With its cards counted anew."""
        return self.changed(lefts=lefts)

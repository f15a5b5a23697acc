"""What a faithful client remembers of one race: all that it was ever told."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from samedeal_games import State, Variant, find_variant, from_view
from samedeal_protocol import patches


Message = dict[str, Any]
Piles = dict[str, list[str]]
Played = list[str] | str
"""What was played in one turn: a move list, or `undo`."""


class Memory:
    """One player's memory of one race.

    Attributes:
        turn, piles: the board as last told; no piles before the start.
        acknowledged: what was played at each turn, as patches have told.
        boards: the board after each turn, as patches have told.
        told: everything that was ever acknowledged, as (turn, what was played).
        sent: everything that was sent for each turn.
        views: every seat's board, told after the end.
        others: the last progress told of each other seat.
        may_go_back: the log may lose what it had; then what is told last counts.
        back: how often it did, as this player was told.
        gone: it has lost the whole race, or the seat, as this player was told.
        lost_count: a patch did not fit, so that a view is needed.
        closed: the server has said that nothing more can be done.
        faults: what must never be, in words.
    """

    def __init__(self, race: str, seat: int, may_go_back: bool = False) -> None:
        self.race = race
        self.seat = seat
        self.may_go_back = may_go_back
        self.turn = 0
        self.piles: Piles = {}
        self.status = "waiting"
        self.acknowledged: dict[int, Played] = {}
        self.boards: dict[int, Piles] = {}
        self.told: set[tuple[int, str]] = set()
        self.gone = False
        self.sent: defaultdict[int, list[Played]] = defaultdict(list)
        self.info: Message = {}
        self.views: dict[int, Message] = {}
        self.others: dict[int, Message] = {}
        self.back = 0
        self.faults: list[str] = []
        self.lost_count = False
        self.closed = False

    @property
    def ended(self) -> bool:
        """Whether the end was told, with every seat's board."""
        return (
            self.gone
            or self.info.get("phase") == "ended"
            and (len(self.views) >= len(self.info["seats"]))
        )

    @property
    def open(self) -> bool:
        """Whether there is something to do: a move, an undo, or giving up."""
        if self.ended or self.closed or not self.piles or self.lost_count:
            return False
        if self.status == "stuck":
            # One that might be taken back is not done.
            return bool(self.info["settings"]["undo"]) and self.turn > 0
        return self.status == "playing"

    @property
    def variant(self) -> Variant:
        return find_variant(self.info["game"], self.info["variant"])

    @property
    def board(self) -> State:
        return from_view(self.variant, self.piles)

    def take(self, message: Message) -> None:
        """Take an update of this race."""
        match message["type"]:
            case "race":
                self.info = message
                if message["phase"] != "ended":
                    self.views.clear()
                if message["phase"] == "lobby" and self.piles:
                    self._go_back()
                    self.turn, self.piles, self.status = 0, {}, "waiting"
            case "view" if self.info.get("phase") == "ended":
                self.views[message["seat"]] = message
                if message["seat"] == self.seat:
                    self._take_view(message)
            case "view":
                if message["seat"] != self.seat:
                    self.faults.append(f"a view of seat {message['seat']} while racing")
                else:
                    self._take_view(message)
            case "patch":
                self._take_patch(message)
            case "progress":
                self.others[message["seat"]] = message

    # Private methods.

    def _take_view(self, view: Message) -> None:
        turn, piles = view["turn"], view["piles"]
        if turn < self.turn or self.boards.get(turn, piles) != piles:
            self._go_back()
        elif self.may_go_back:
            # The same board may have been come by in another order.
            self._forget()
        self.turn, self.piles, self.status = turn, piles, view["status"]
        self._show(turn)
        self.lost_count = False

    def _take_patch(self, patch: Message) -> None:
        if patch["seat"] != self.seat:
            self.faults.append(f"a patch of seat {patch['seat']}")
            return
        first, last, turns = patch["from"], patch["turn"], patch["turns"]
        if len(turns) != last - first:
            self.faults.append(f"a patch of {len(turns)} turns from {first} to {last}")
        for number, played in enumerate(turns, first):
            self._acknowledge(number, played)
        if last <= self.turn:
            # A confirmation; the status may be news: resigned, timed out.
            if last == self.turn:
                self.status = patch["status"]
            return
        if first != self.turn or not self.piles:
            self.lost_count = True  # Until a view comes.
            return
        self.piles = patches.apply(self.piles, patch["piles"])
        self.turn, self.status = last, patch["status"]
        self._show(last)

    def _acknowledge(self, turn: int, played: Played) -> None:
        self.told.add((turn, text(played)))
        known = self.acknowledged.setdefault(turn, played)
        if known != played:
            self.faults.append(f"turn {turn} was {known}, and is now {played}")
        if self.sent and played not in self.sent[turn] and not self.may_go_back:
            self.faults.append(f"turn {turn}: {played} was never sent")

    def _show(self, turn: int) -> None:
        known = self.boards.setdefault(turn, self.piles)
        if known != self.piles:
            self.faults.append(f"the board after turn {turn} looks different now")

    def _go_back(self) -> None:
        """The log has lost or changed what it had: from here on this counts."""
        self.back += 1
        self.closed = False
        if not self.may_go_back:
            self.faults.append(f"the log went back from turn {self.turn}")
        self._forget()

    def _forget(self) -> None:
        """Which of the earlier turns are as they were cannot be seen."""
        self.acknowledged.clear()
        self.boards.clear()


def text(played: Played | Sequence[str]) -> str:
    """A turn in one line."""
    return played if isinstance(played, str) else " ".join(played)

"""What could have become of a race's deal: until when each seat could clear it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from samedeal_cli.wording import counted
from samedeal_games import (
    MAX_NODES,
    Move,
    Outcome,
    Solution,
    Verdict,
    hindsight,
    parse_move,
    solve,
)
from samedeal_server.race.model import Race, Seat


@dataclass(frozen=True, slots=True)
class Chance:
    """What a seat made of a deal that can be cleared.

    Attributes:
        turn: the last turn at which its board could still be cleared (as in the
            log, a turn is the number of those before it). None: not known.
        lost_by: the move, in the list played at that turn, that lost it; None
            where none did, or where it is not known which.
        line: clears the board as it was at that turn.
        certain: no board of a later turn could be cleared.
    """

    turn: int | None
    lost_by: Move | None
    line: tuple[Move, ...]
    certain: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found of a race.

    Attributes:
        deal: the deal itself, solved.
        cleared_by: the number of a seat that cleared it, if any did.
        chances: by seat that was looked at; empty where nobody could clear the deal.
    """

    deal: Solution
    cleared_by: int | None
    chances: Mapping[int, Chance]

    @property
    def verdict(self) -> Verdict:
        """Whether the deal can be cleared; to have been is to be able to."""
        return self.deal.verdict if self.cleared_by is None else Verdict.WON


def analyse(race: Race, seats: Collection[int], max_nodes: int = MAX_NODES) -> Analysis:
    """Look back on what these seats of a race played.

    A position is searched to ``max_nodes`` at most; a seat takes a dozen of them.
    """
    winners = [s.number for s in race.taken if s.outcome is Outcome.WON]
    deal = solve(race.deal, max_nodes)
    if deal.verdict is Verdict.LOST:
        return Analysis(deal, None, {})
    chances = {
        seat.number: _chance(race, seat, deal, max_nodes)
        for seat in race.taken
        if seat.number in seats
    }
    return Analysis(deal, winners[0] if winners else None, chances)


def _chance(race: Race, seat: Seat, deal: Solution, max_nodes: int) -> Chance:
    kept = [*_kept(seat)]
    if seat.outcome is Outcome.WON:
        turn, last = kept[-1]
        return Chance(turn, None, tuple(last), True)
    if deal.verdict is not Verdict.WON:
        return Chance(None, None, (), False)
    # Each move with where it stands: its turn, and its place in the list played.
    made = [(turn, moves, n) for turn, moves in kept for n in range(len(moves))]
    found = hindsight(race.deal, [moves[n] for _, moves, n in made], max_nodes)
    if found.turn is None or found.turn == len(made):
        return Chance(seat.turn, None, found.line, found.certain)
    turn, moves, n = made[found.turn]
    return Chance(turn, found.lost_by, (*moves[:n], *found.line), found.certain)


def _kept(seat: Seat) -> Iterator[tuple[int, Sequence[Move]]]:
    """The lists of moves that were not taken back, and the turns before them."""
    kept: list[tuple[int, Sequence[str]]] = []
    for turn, played in enumerate(seat.turns):
        if played == "undo":
            kept.pop()
        else:
            kept.append((turn, played))
    return ((turn, [*map(parse_move, moves)]) for turn, moves in kept)


# In words, for a reader.


def about_deal(analysis: Analysis, max_nodes: int) -> str:
    """One sentence on the deal."""
    deal = analysis.deal
    match analysis.verdict:
        case Verdict.WON:
            return "This deal can be cleared."
        case Verdict.LOST:
            at_best = counted(deal.left, "card")
            if deal.exact:
                return f"Nobody could clear this deal: {at_best} left at best."
            return (
                f"Nobody could clear this deal; the best line found leaves {at_best}, "
                "and there may be a better one."
            )
        case Verdict.UNKNOWN:
            return (
                f"Unknown whether this deal can be cleared: a search of "
                f"{counted(max_nodes, 'node')} does not tell. The best line found "
                f"leaves {counted(deal.left, 'card')}."
            )


def about_seat(seat: Seat, chance: Chance | None) -> str:
    """One sentence on what the seat made of the deal, for after its name."""
    if seat.outcome is Outcome.WON:
        return "cleared it."
    cards = counted(seat.left, "card")
    if chance is None:
        return f"left {cards}."
    if chance.turn is None:
        return f"left {cards}; unknown whether it could clear the deal."
    if chance.lost_by is not None:
        turn, move = chance.turn, chance.lost_by
        return f"could clear it until turn {turn}, and lost it there by {move}."
    if chance.certain:
        return f"could still clear it at the end, turn {chance.turn}."
    return f"could clear it at turn {chance.turn}; unknown whether later."

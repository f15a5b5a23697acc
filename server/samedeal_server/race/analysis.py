"""What could have become of a race's deal: until when each seat could clear it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET, UnsetType

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
from samedeal_protocol import updates
from samedeal_server.race.model import Race
from samedeal_server.race.seat import Seat


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
        chances: by seat that was looked at; empty where nobody could clear the deal.
    """

    deal: Solution
    chances: Mapping[int, Chance]


UNKNOWN = Chance(None, None, (), False)


def analyse(race: Race, seats: Collection[int], max_nodes: int = MAX_NODES) -> Analysis:
    """Look back on what these seats of a race played.

    A position is searched to ``max_nodes`` at most; a seat takes a dozen of them.
    """
    deal = best_line(race, max_nodes)
    found = {
        seat.number: chance(race, seat, deal, max_nodes)
        for seat in race.taken
        if seat.number in seats
    }
    known = {number: one for number, one in found.items() if one is not None}
    return Analysis(deal, known)


def best_line(race: Race, max_nodes: int = MAX_NODES) -> Solution:
    """The deal of a race, solved; what was played counts where it came further."""
    found = solve(race.deal, max_nodes)
    best = as_played(race)
    if found.left <= best.left:
        return found
    if best.verdict is Verdict.WON:
        return best
    return replace(found, line=best.line, left=best.left)


def as_played(race: Race) -> Solution:
    """The best line that was played, without any search."""
    best = min(race.taken, key=lambda seat: seat.left)
    won = best.outcome is Outcome.WON
    return Solution(
        verdict=Verdict.WON if won else Verdict.UNKNOWN,
        line=tuple(move for _, moves in _kept(best) for move in moves),
        left=best.left,
        exact=won,
        nodes=0,
    )


def chance(
    race: Race, seat: Seat, deal: Solution, max_nodes: int = MAX_NODES
) -> Chance | None:
    """Look back on what a seat played; None where nobody could clear the deal.

    A dozen positions are searched, each to ``max_nodes`` at most.

    Args:
        deal: what `best_line` says of this race.
    """
    if deal.verdict is Verdict.LOST:
        return None
    kept = [*_kept(seat)]
    if seat.outcome is Outcome.WON:
        turn, last = kept[-1]
        return Chance(turn, None, tuple(last), True)
    if deal.verdict is Verdict.UNKNOWN:
        return UNKNOWN
    # Each move with where it stands: its turn, and its place in the list played.
    made = [(turn, moves, n) for turn, moves in kept for n in range(len(moves))]
    found = hindsight(race.deal, [moves[n] for _, moves, n in made], max_nodes)
    if found.turn is None:
        # Another seat has shown that the deal could be cleared; no search has.
        return Chance(0, None, deal.line, False)
    if found.turn == len(made):
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


# As clients are told.


def told_of_deal(race: Race, deal: Solution) -> updates.Analysis:
    """The `analysis` update, with no seat in it yet."""
    return updates.Analysis(
        race=race.id,
        verdict=deal.verdict.value,
        left=deal.left,
        exact=deal.exact,
        line=[*map(str, deal.line)],
        seats=[],
    )


def told_of_seat(seat: Seat, found: Chance | None) -> updates.SeatAnalysis:
    """A seat of the `analysis` update: a field that is not there is not known, or
    there is none."""
    turn: int | UnsetType = UNSET
    lost_by: str | UnsetType = UNSET
    line: list[str] | UnsetType = UNSET
    if found is not None and found.turn is not None:
        turn = found.turn
        line = [*map(str, found.line)]
        if found.lost_by is not None:
            lost_by = str(found.lost_by)
    return updates.SeatAnalysis(
        seat=seat.number,
        left=seat.left,
        turn=turn,
        lost_by=lost_by,
        certain=UNSET if found is None else found.certain,
        line=line,
    )

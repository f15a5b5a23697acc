"""Who came where."""

from samedeal_games import Outcome
from samedeal_protocol.events import Standing
from samedeal_server.race.model import Race
from samedeal_server.race.seat import Seat


def standings(race: Race, now: int) -> tuple[Standing, ...]:
    """The result of a race whose seats are all done, by place, then seat.

    Won first, by time at the winning move; then by cards left, fewest first;
    then by the earliest moment since which the seat had no more than that.
    Equal in all is the same place, and the next place is skipped.
    """
    if race.start_ms is None:
        return ()
    ranked = sorted(race.taken, key=lambda seat: (_rank(seat), seat.number))
    places: list[Standing] = []
    for index, seat in enumerate(ranked):
        tied = index > 0 and _rank(seat) == _rank(ranked[index - 1])
        places.append(
            Standing(
                seat=seat.number,
                place=places[-1].place if tied else index + 1,
                status=race.status(seat, now),
                left=seat.left,
                elapsed_ms=seat.elapsed_ms,
            )
        )
    return tuple(places)


def _rank(seat: Seat) -> tuple[int, int, int]:
    if seat.outcome is Outcome.WON:
        return (0, seat.elapsed_ms, 0)
    left, since_ms = seat.lefts[-1]
    return (1, left, since_ms)

"""How a race came out."""

from dataclasses import dataclass

from msgspec import UNSET

from samedeal_protocol.names import Status
from samedeal_protocol.updates import RaceInfo


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings; `str()` is for people.

    Attributes:
        place: 1 is best; equals share a place.
        name, seat: whose line it is.
        status: `won`, `stuck`, `resigned` or `timed_out`.
        left: cards not cleared.
        elapsed_ms: from the start to the last accepted move.
    """

    place: int
    name: str
    seat: int
    status: Status
    left: int
    elapsed_ms: int

    def __str__(self) -> str:
        if self.status == "won":
            how = f"won in {self.elapsed_ms / 1000:.1f} s"
        else:
            how = f"{self.status.replace('_', ' ')}, {self.left} left"
        return f"{self.place}. {self.name}: {how}"


def standings(info: RaceInfo) -> tuple[Standing, ...]:
    """The standings in a `race` update, by place, then seat; none before the end."""
    return tuple(
        sorted(
            (
                Standing(
                    seat.place,
                    seat.name,
                    seat.seat,
                    seat.status,
                    seat.left,
                    seat.elapsed_ms,
                )
                for seat in info.seats
                if seat.place is not UNSET
            ),
            key=lambda standing: (standing.place, standing.seat),
        )
    )

"""An ended race as the page replays it: every seat's views and patches, timed.

The boards come from the log by the server's own reducer, so that a client needs
no second rules engine to show them.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from samedeal_protocol import events
from samedeal_protocol.events import Event, Standing
from samedeal_protocol.names import Status
from samedeal_protocol.updates import Piles, PilesPatch, TurnText
from samedeal_server.race import told
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import begin, evolve
from samedeal_server.race.seat import Seat


class Step(Struct, frozen=True, kw_only=True):
    """What happened at a seat.

    Attributes:
        at_ms: from the start.
        turn: the seat's, after it.
        played: a move list, or what else it was.
        piles: the patch from the view before.
    """

    at_ms: int
    turn: int
    played: TurnText | Literal["resigned", "timed_out"]
    piles: PilesPatch
    left: int
    status: Status


class SeatReplay(Struct, frozen=True, kw_only=True):
    """A seat: its first view and the steps from there."""

    seat: int
    player: str
    name: str
    bot: str | UnsetType = UNSET
    piles: Piles
    left: int
    status: Status
    steps: list[Step]


class Replay(Struct, frozen=True, kw_only=True):
    """`GET /races/{race}/replay.json`; `ends_ms` is counted from the start."""

    race: str
    code: str
    game: str
    variant: str
    ends_ms: int
    seats: list[SeatReplay]
    standings: list[Standing]


def replay(entries: Iterable[tuple[Event, int]]) -> Replay:
    """The replay of a whole log: events with their log times, the end included.

    A race that ended in its lobby has no seats in its replay.
    """
    pairs = iter(entries)
    created, at_ms = next(pairs)
    assert isinstance(created, events.Created)
    race = begin(created, at_ms)
    seats: dict[int, SeatReplay] = {}
    for event, at_ms in pairs:
        before, race = race, evolve(race, event, at_ms)
        match event:
            case events.Countdown():
                seats = {seat.number: _opening(race, seat) for seat in race.taken}
            case events.Moved():
                _add(seats, before, race, event.seat, event.moves)
            case events.Undone():
                _add(seats, before, race, event.seat, "undo")
            case events.Resigned():
                _add(seats, before, race, event.seat, "resigned")
            case events.TimedOut():
                for number in event.seats:
                    _add(seats, before, race, number, "timed_out")
            case _:
                pass
    return Replay(
        race=race.id,
        code=race.code,
        game=race.variant.game,
        variant=race.variant.name,
        ends_ms=max((s.elapsed_ms for s in race.taken), default=0),
        seats=list(seats.values()),
        standings=list(race.standings or ()),
    )


def replay_json(entries: Iterable[tuple[Event, int]]) -> bytes:
    """The same as JSON."""
    return msgspec.json.encode(replay(entries))


def _opening(race: Race, seat: Seat) -> SeatReplay:
    assert race.start_ms is not None
    shown = told.seat_view(race, seat, race.start_ms)
    return SeatReplay(
        seat=seat.number,
        player=seat.player,
        name=seat.name,
        bot=UNSET if seat.bot is None else seat.bot,
        piles=shown.piles,
        left=shown.left,
        status=shown.status,
        steps=[],
    )


def _add(
    seats: dict[int, SeatReplay],
    before: Race,
    race: Race,
    number: int,
    played: TurnText | Literal["resigned", "timed_out"],
) -> None:
    old, seat = before.seat(number), race.seat(number)
    assert old is not None and seat is not None
    patch = told.step_patch(race, old, seat, race.at_ms)
    seats[number].steps.append(
        Step(
            at_ms=seat.elapsed_ms,
            turn=seat.turn,
            played=played,
            piles=patch.piles,
            left=patch.left,
            status=patch.status,
        )
    )

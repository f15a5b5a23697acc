"""The one way in which a race changes: an event of its log, reduced.

`evolve` advances a live race and replays a stored one. It trusts its input:
live events were decided on the very state that they are reduced into, and
`samedeal_server.race.audit` checks stored ones first.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from msgspec import UNSET

from samedeal_games import (
    deal,
    find_variant,
    left,
    outcome,
    parse_seed,
    replay_moves,
)
from samedeal_protocol import events
from samedeal_protocol.events import Event
from samedeal_server.race.model import Race
from samedeal_server.race.seat import Seat


_MOVED: Final = events.Moved


def begin(event: events.Created, at_ms: int) -> Race:
    """The race that its first entry makes: an empty lobby with the cards dealt."""
    variant = find_variant(event.game, event.variant)
    return Race(
        length=1,
        at_ms=at_ms,
        id=event.race,
        code=event.code,
        variant=variant,
        rules=event.rules,
        settings=event.settings,
        chosen=event.chosen,
        quick=event.quick,
        creator=event.host,
        seed=event.seed,
        salt=event.salt,
        commitment=event.commitment,
        deal=deal(variant, parse_seed(event.seed)),
        created_ms=at_ms,
        seats=(None,) * event.settings.seats,
        lobby_events={},
    )


def evolve(race: Race, event: Event, at_ms: int) -> Race:
    """The race after `event`, which the log stamped with `at_ms`."""
    if isinstance(event, _MOVED):  # Nearly all of them, so without a match.
        return _with_seat(race, _moved(race, event, at_ms), at_ms)
    match event:
        case events.Undone():
            return _with_seat(race, _undone(race, event, at_ms), at_ms)
        case events.Resigned():
            seat = _at(race, event.seat)
            closed = seat.with_closed("resigned", _elapsed(race, at_ms))
            return _with_seat(race, closed, at_ms)
        case events.TimedOut():
            return _timed_out(race, event, at_ms)
        case events.Joined():
            return _joined(race, event, at_ms)
        case events.Left():
            player = _at(race, event.seat).player
            return _lobby(race, event.seat, None, player, at_ms)
        case events.Ready():
            seat = _at(race, event.seat)
            changed = seat.with_ready(event.ready)
            return _lobby(race, event.seat, changed, seat.player, at_ms)
        case events.Countdown():
            return _countdown(race, event, at_ms)
        case events.Ended():
            return race.with_end(event.standings, at_ms)
        case events.Created():
            raise ValueError("A race is created once, by its first entry.")
        case _:
            assert_never(event)


def replay(entries: Iterable[tuple[Event, int]]) -> Race | None:
    """The race after all of `entries`, each an event and its log time."""
    race: Race | None = None
    for event, at_ms in entries:
        if race is None:
            assert isinstance(event, events.Created)
            race = begin(event, at_ms)
        else:
            race = evolve(race, event, at_ms)
    return race


# Boards.


def _moved(race: Race, event: events.Moved, at_ms: int) -> Seat:
    seat = _at(race, event.seat)
    moves = event.moves
    board = replay_moves(seat.board, moves)
    count, lefts = left(board), seat.lefts
    if count != lefts[-1][0]:
        lefts += ((count, at_ms),)
    return seat.played(
        board,
        outcome(board),
        seat.turns + (moves,),
        (*seat.past, seat.board) if race.settings.undo else (),
        lefts,
        _elapsed(race, at_ms),
    )


def _undone(race: Race, event: events.Undone, at_ms: int) -> Seat:
    seat = _at(race, event.seat)
    board = seat.past[-1]
    return seat.played(
        board,
        outcome(board),
        (*seat.turns, "undo"),
        seat.past[:-1],
        tuple(entry for entry in seat.lefts if entry[0] >= left(board)),
        _elapsed(race, at_ms),
    )


def _timed_out(race: Race, event: events.TimedOut, at_ms: int) -> Race:
    elapsed = min(_elapsed(race, at_ms), race.settings.time_limit_ms)
    seats = list(race.seats)
    for number in event.seats:
        seats[number] = _at(race, number).with_closed("timed_out", elapsed)
    return race.with_seats(tuple(seats), at_ms)


def _elapsed(race: Race, at_ms: int) -> int:
    assert race.start_ms is not None
    # Somebody may resign during the countdown.
    return max(0, at_ms - race.start_ms)


# The lobby.


def _joined(race: Race, event: events.Joined, at_ms: int) -> Race:
    seat = Seat(
        number=event.seat,
        player=event.player,
        name=event.name,
        bot=None if event.bot is UNSET else event.bot,
        ready=race.quick,
        board=race.deal,
        outcome=outcome(race.deal),
        turns=(),
        past=(),
        lefts=((left(race.deal), at_ms),),
        elapsed_ms=0,
        closed=None,
    )
    if seat.built_in:
        seat = seat.with_ready(True)
    return _lobby(race, event.seat, seat, event.player, at_ms)


def _countdown(race: Race, event: events.Countdown, at_ms: int) -> Race:
    start = at_ms + event.countdown_ms
    total = left(race.deal)
    lefts = ((total, start),)
    seats = [None if seat is None else seat.with_lefts(lefts) for seat in race.seats]
    return race.with_start(tuple(seats), at_ms, start)


def _lobby(race: Race, number: int, seat: Seat | None, player: str, at_ms: int) -> Race:
    seats = list(race.seats)
    seats[number] = seat
    paired = race.paired_ms
    if len(seats) - seats.count(None) < 2:
        paired = None
    elif paired is None:
        paired = at_ms
    counts = {**race.lobby_events, player: race.lobby_events.get(player, 0) + 1}
    return race.with_lobby(tuple(seats), at_ms, counts, paired)


# Seats.


def _at(race: Race, number: int) -> Seat:
    seat = race.seats[number]
    assert seat is not None
    return seat


def _with_seat(race: Race, seat: Seat, at_ms: int) -> Race:
    seats = list(race.seats)
    seats[seat.number] = seat
    return race.with_seats(tuple(seats), at_ms)

"""Whether a stored log says what could have happened, entry by entry.

Live events were decided on the state that they are reduced into. A log that
comes back from a store or a file may be damaged, forged, or newer than this
program; `advance` takes nothing from it on trust.
"""

from typing import assert_never

from msgspec import UNSET

from samedeal_games import GameError, find_variant, parse_seed
from samedeal_protocol import events
from samedeal_protocol.codec import BadEvent, decode_event
from samedeal_protocol.commitment import commit
from samedeal_protocol.events import Event
from samedeal_protocol.names import (
    MAX_MOVES,
    MAX_SEATS,
    RULES_VERSION,
    BadName,
    clean_name,
    distinct_name,
    is_race_id,
    parse_code,
)
from samedeal_server.race import play
from samedeal_server.race.lobby import free_seat
from samedeal_server.race.model import LOBBY_AGE_MS, Race
from samedeal_server.race.reducer import begin, evolve
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat
from samedeal_server.race.standings import standings


class LogFault(ValueError):
    """A log cannot be what happened in a race.

    Attributes:
        index: number of the entry at fault, from 0.
    """

    def __init__(self, index: int, message: str) -> None:
        super().__init__(f"Log entry {index}: {message}")
        self.index = index
        self.message = message


def advance(race: Race | None, data: bytes, at_ms: int) -> tuple[Race, Event]:
    """The race after one more stored entry, which is checked first.

    Args:
        race: the race so far; None before the first entry.
        data: the event as it is stored.
        at_ms: the entry's time.

    Raises:
        LogFault: the entry cannot follow.
    """
    index = 0 if race is None else race.length
    try:
        event = decode_event(data)
        if race is None:
            return _begin(event, at_ms), event
        _check(race, event, at_ms)
        return evolve(race, event, at_ms), event
    except BadEvent as unknown:
        raise LogFault(index, f"this is no event that we know: {unknown}.") from None
    except (_Impossible, Refusal, GameError) as error:
        raise LogFault(index, str(error)) from None


class _Impossible(ValueError):
    pass


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise _Impossible(message)


def _begin(event: Event, at_ms: int) -> Race:
    if not isinstance(event, events.Created):
        raise _Impossible("a log begins with `created`.")
    _require(
        event.rules == RULES_VERSION,
        f"rules version {event.rules}; this program knows {RULES_VERSION}.",
    )
    _require(is_race_id(event.race), "the race id is malformed.")
    _require(parse_code(event.code) == event.code, "the code is malformed.")
    variant = find_variant(event.game, event.variant)
    _require(variant.name == event.variant, "the variant is missing.")
    _check_settings(event)
    seed, salt = parse_seed(event.seed), parse_seed(event.salt)
    _require(
        event.commitment == commit(salt, seed, event.game, event.variant),
        "the commitment does not match the seed and salt.",
    )
    return begin(event, at_ms)


def _check_settings(event: events.Created) -> None:
    settings = event.settings
    _require(1 <= settings.seats <= MAX_SEATS, "seats out of range.")
    _require(0 <= settings.countdown_ms <= 60_000, "countdown_ms out of range.")
    _require(
        10_000 <= settings.time_limit_ms <= 3_600_000, "time_limit_ms out of range."
    )
    _require(len(settings.bots) < settings.seats, "more bots than seats allow.")
    _require(
        not event.chosen or settings.deals == "any", "a chosen deal was not drawn."
    )


def _check(race: Race, event: Event, at_ms: int) -> None:
    _require(not race.ended, "nothing can follow `ended`.")
    _require(at_ms >= race.at_ms, "time goes backwards.")
    is_set_up = race.length > 1 + len(race.settings.bots)
    _require(
        is_set_up or isinstance(event, events.Joined),
        "the host and the bots of the settings come first.",
    )
    match event:
        case events.Created():
            raise _Impossible("a race is created once.")
        case events.Joined():
            _check_joined(race, event)
        case events.Left():
            _require(race.in_lobby, "seats are fixed once the countdown began.")
            _taken(race, event.seat)
        case events.Ready():
            _require(race.in_lobby, "seats are fixed once the countdown began.")
            seat = _taken(race, event.seat)
            settled = race.quick or seat.built_in or seat.ready == event.ready
            _require(not settled, "`ready` changes nothing.")
        case events.Countdown():
            _require(race.in_lobby, "the countdown begins once.")
            _require(
                event.countdown_ms == race.settings.countdown_ms,
                "the countdown is not the one in the settings.",
            )
            _require(bool(race.people), "nobody is seated.")
        case events.Moved():
            seat = _taken(race, event.seat)
            _require(
                1 <= len(event.moves) <= MAX_MOVES,
                f"a list has 1 to {MAX_MOVES} moves, not {len(event.moves)}.",
            )
            decision = play.move(race, seat, event.turn, event.moves, at_ms)
            _require(bool(decision.events), "the move list was played before.")
        case events.Undone():
            seat = _taken(race, event.seat)
            decision = play.undo(race, seat, event.turn, at_ms)
            _require(bool(decision.events), "the undo was made before.")
        case events.Resigned():
            decision = play.resign(race, _taken(race, event.seat), at_ms)
            _require(bool(decision.events), "the seat has resigned before.")
        case events.TimedOut():
            _check_timed_out(race, event, at_ms)
        case events.Ended():
            _check_ended(race, event, at_ms)
        case _:
            assert_never(event)


def _check_joined(race: Race, event: events.Joined) -> None:
    _require(race.in_lobby, "nobody can join once the countdown began.")
    _require(event.seat == free_seat(race), "not the lowest free seat.")
    _require(is_race_id(event.player), "the player id is malformed.")
    _check_kind(race, event)
    _require(race.seat_of(event.player) is None, "the player has a seat already.")
    try:
        name = clean_name(event.name)
    except BadName as error:
        raise _Impossible(str(error)) from None
    taken = frozenset(seat.name for seat in race.taken)
    _require(name == event.name, "the name is not in its proper form.")
    _require(distinct_name(name, taken) == name, "the name is taken.")


def _check_kind(race: Race, event: events.Joined) -> None:
    """`created` comes in one piece with the host's and then the bots' `joined`."""
    before, bots = race.length - 1, race.settings.bots
    if 0 < before <= len(bots):
        _require(event.bot == bots[before - 1], "not the bot of the settings.")
        return
    _require(before > 0 or event.player == race.creator, "the host comes first.")
    _require(event.bot in (UNSET, "external"), "the bots are seated already.")


def _check_timed_out(race: Race, event: events.TimedOut, at_ms: int) -> None:
    _require(race.has_started(at_ms), "nobody times out before the start.")
    _require(len(event.seats) > 0, "`timed_out` without seats.")
    _require(
        list(event.seats) == sorted(set(event.seats)), "the seats are not ascending."
    )
    for number in event.seats:
        seat = _taken(race, number)
        _require(not seat.is_done(), f"seat {number} is done.")
        _require(
            race.past_limit(at_ms) or (race.somebody_won() and not seat.built_in),
            f"nothing times seat {number} out yet.",
        )


def _check_ended(race: Race, event: events.Ended, at_ms: int) -> None:
    if race.start_ms is None:
        _require(len(event.standings) == 0, "standings without a start.")
        deserted = not race.people
        old = at_ms >= race.created_ms + LOBBY_AGE_MS
        _require(deserted or old, "the lobby is neither deserted nor old.")
        return
    everyone_closed = all(seat.closed is not None for seat in race.taken)
    over = everyone_closed or (race.has_started(at_ms) and race.all_done())
    _require(over, "not every seat is done.")
    _require(
        event.standings == standings(race, at_ms),
        "the standings are not what the moves come to.",
    )


def _taken(race: Race, number: int) -> Seat:
    seat = race.seat(number)
    if seat is None:
        raise _Impossible(f"nobody is in seat {number}.")
    return seat

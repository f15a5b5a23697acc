"""Before the countdown: who takes a seat, who is ready, who goes."""

from msgspec import UNSET

from samedeal_protocol import events
from samedeal_protocol.events import Event
from samedeal_protocol.names import distinct_name
from samedeal_server.race.decision import NOTHING, Decision
from samedeal_server.race.model import MAX_LOBBY_EVENTS, Race
from samedeal_server.race.reducer import evolve
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat


def join(race: Race, player: str, name: str, is_bot: bool, now: int) -> Decision:
    """Take the lowest free seat; nothing where the player has one.

    Raises:
        Refusal: `race_started`, `race_full` or `rate_limited`.
    """
    if race.seat_of(player) is not None:
        return NOTHING
    if not race.in_lobby:
        if race.ended:
            raise Refusal("race_started", "This race is over; create another.")
        raise Refusal(
            "race_started", "This race has begun; watch it, or create another."
        )
    number = free_seat(race)
    if number is None:
        raise Refusal("race_full", "Every seat of this race is taken.")
    _may_cause_more(race, player)
    taken = frozenset(seat.name for seat in race.taken)
    joined = events.Joined(
        seat=number,
        player=player,
        name=distinct_name(name, taken),
        bot="external" if is_bot else UNSET,
    )
    return with_follow_up(race, joined, now)


def ready(race: Race, seat: Seat, is_ready: bool, now: int) -> Decision:
    """Say that the seat is ready, or is not; nothing where that is so already.

    In a quick race everyone stays ready, and built-in bots always are.

    Raises:
        Refusal: `race_started` or `rate_limited`.
    """
    if not race.in_lobby:
        raise Refusal("race_started", "The countdown has begun; seats are fixed.")
    if race.quick or seat.built_in or seat.ready == is_ready:
        return NOTHING
    _may_cause_more(race, seat.player)
    return with_follow_up(race, events.Ready(seat=seat.number, ready=is_ready), now)


def start(race: Race, seat: Seat) -> Decision:
    """Begin the countdown now, whoever is ready; nothing where it has begun.

    Raises:
        Refusal: `not_host`.
    """
    if seat.number != race.host:
        raise Refusal("not_host", "Only the host may start the race.")
    if not race.in_lobby:
        return NOTHING
    return Decision((countdown(race),))


def leave(race: Race, seat: Seat, now: int) -> Decision:
    """Free a seat in the lobby, its player's own or one that is put out."""
    return with_follow_up(race, events.Left(seat=seat.number), now)


def kick(race: Race, seat: Seat, number: int, now: int) -> Decision:
    """The host puts another seat out.

    Raises:
        Refusal: `not_host`, `race_started`, `not_in_race`.
    """
    if seat.number != race.host:
        raise Refusal("not_host", "Only the host may put somebody out.")
    if not race.in_lobby:
        raise Refusal("race_started", "The countdown has begun; seats are fixed.")
    target = race.seat(number)
    if target is None:
        raise Refusal("not_in_race", f"Nobody is in seat {number}.")
    if target is seat:
        raise Refusal("not_in_race", "To give up your own seat, leave the race.")
    return leave(race, target, now)


def free_seat(race: Race) -> int | None:
    """The lowest free seat, or None."""
    return next((n for n, seat in enumerate(race.seats) if seat is None), None)


def countdown(race: Race) -> events.Countdown:
    return events.Countdown(countdown_ms=race.settings.countdown_ms)


def follow_up(race: Race) -> Event | None:
    """What a change in the lobby entails at once, if anything.

    The countdown, when everyone is ready; the end, when the last person has
    gone. Waits (quick races, the lobby's age) are in `schedule`.
    """
    if not race.people:
        return events.Ended(standings=())
    taken = race.taken
    if race.quick:
        return countdown(race) if len(taken) == len(race.seats) else None
    enough = len(taken) >= 2 or race.settings.seats == 1
    if enough and all(seat.ready for seat in taken):
        return countdown(race)
    return None


def with_follow_up(race: Race, event: Event, now: int) -> Decision:
    """`event` and what it entails, to be appended in one piece."""
    after = follow_up(evolve(race, event, now))
    return Decision((event,) if after is None else (event, after))


def _may_cause_more(race: Race, player: str) -> None:
    if race.lobby_events.get(player, 0) >= MAX_LOBBY_EVENTS:
        raise Refusal(
            "rate_limited",
            "Too many changes in this lobby from one player; "
            "wait for the start, or leave.",
        )

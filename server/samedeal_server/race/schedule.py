"""What time itself brings about: starts, limits, ends, and seats left empty."""

from collections.abc import Mapping

from samedeal_protocol import events
from samedeal_protocol.events import Event
from samedeal_server.race.decision import Decision
from samedeal_server.race.lobby import countdown, follow_up
from samedeal_server.race.model import AWAY_MS, LOBBY_AGE_MS, QUICK_WAIT_MS, Race
from samedeal_server.race.reducer import evolve
from samedeal_server.race.standings import standings


Away = Mapping[str, int]
"""Players who are not connected, and since when (ms by the log's clock)."""


def due(race: Race, now: int, away: Away) -> Decision | None:
    """What has to be appended at log time `now`, or None.

    `race` must be as the log has it, with nothing in it that is not appended yet:
    the standings of an end hold times that only the log can give.
    """
    if race.ended:
        return None
    if race.in_lobby:
        return _due_in_lobby(race, now, away)
    return _due_in_play(race, now, away)


def next_due(race: Race, now: int) -> int | None:
    """When `due` next has something to say, were nobody to do anything.

    Disconnected seats are not counted: whoever knows of them looks again.
    None once the race has ended.
    """
    if race.ended:
        return None
    if race.start_ms is None:
        too_old, waits_until = race.created_ms + LOBBY_AGE_MS, _waits_until(race)
        return too_old if waits_until is None else min(too_old, waits_until)
    if all(seat.closed is not None for seat in race.taken):
        return now
    if race.all_done():
        return max(now, race.start_ms)
    return race.start_ms + race.settings.time_limit_ms + 1


def _due_in_lobby(race: Race, now: int, away: Away) -> Decision | None:
    too_old = race.created_ms + LOBBY_AGE_MS
    if now >= too_old:
        return Decision((events.Ended(standings=()),), too_old)
    gone: list[Event] = []
    after = race
    for seat in race.people:
        if _is_away(seat.player, now, away):
            gone.append(events.Left(seat=seat.number))
            after = evolve(after, gone[-1], now)
    follow, not_before = follow_up(after), None
    waits_until = _waits_until(after)
    if follow is None and waits_until is not None and now >= waits_until:
        follow, not_before = countdown(race), waits_until
    if follow is not None:
        gone.append(follow)
    return Decision(tuple(gone), not_before) if gone else None


def _waits_until(race: Race) -> int | None:
    """When a quick race has waited long enough for more to come."""
    if not race.quick or race.paired_ms is None:
        return None
    return race.paired_ms + QUICK_WAIT_MS


def _due_in_play(race: Race, now: int, away: Away) -> Decision | None:
    assert race.start_ms is not None
    everyone_closed = all(seat.closed is not None for seat in race.taken)
    if everyone_closed or (race.has_started(now) and race.all_done()):
        not_before = None if everyone_closed else race.start_ms
        return Decision((events.Ended(standings=standings(race, now)),), not_before)
    if race.past_limit(now):
        limit = race.start_ms + race.settings.time_limit_ms
        late = [seat.number for seat in race.taken if not seat.is_done()]
        return _time_out(race, late, now, limit + 1)
    if race.somebody_won():
        lost = [
            seat.number
            for seat in race.people
            if not seat.is_done() and _is_away(seat.player, now, away)
        ]
        if lost:
            return _time_out(race, lost, now, None)
    return None


def _time_out(
    race: Race, seats: list[int], now: int, not_before: int | None
) -> Decision:
    return Decision((events.TimedOut(seats=tuple(seats)),), not_before)


def _is_away(player: str, now: int, away: Away) -> bool:
    since = away.get(player)
    return since is not None and now >= since + AWAY_MS

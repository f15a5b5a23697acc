"""Hints: what a player could do next, from what that player may see."""

import asyncio

from msgspec import UNSET

from samedeal_games import from_view, hint
from samedeal_protocol.updates import Hint
from samedeal_server.hub.live import LiveRace
from samedeal_server.race import told
from samedeal_server.race.model import Race, Seat
from samedeal_server.race.refusal import Refusal


async def advise(live: LiveRace, player: str) -> Hint:
    """Advice for a player of this race, thought out beside the event loop.

    Raises:
        Refusal: `not_in_race`, `bad_settings` where the race has no hints,
            `not_started` or `finished`.
    """
    seat = _advised(live.state, player, live.now_ms())
    # Only what the seat may see goes in, so nothing else can come out.
    shown = told.seat_view(live.state, seat, live.now_ms())
    board = from_view(live.state.variant, shown.piles)
    found = await asyncio.to_thread(hint, board)
    return Hint(
        race=live.id,
        seat=seat.number,
        turn=seat.turn,
        move=UNSET if found is None else str(found.move),
        why="No move is left." if found is None else found.why,
    )


def _advised(race: Race, player: str, now: int) -> Seat:
    seat = race.seat_of(player)
    if seat is None:
        raise Refusal("not_in_race", "You have no seat in this race; join it first.")
    if race.settings.hints is UNSET:
        raise Refusal("bad_settings", "This race was set up without hints.")
    if not race.has_started(now):
        raise Refusal("not_started", "The race has not started; wait for the view.")
    if seat.is_done() or race.ended or race.past_limit(now):
        raise Refusal("finished", "This seat is done.")
    return seat

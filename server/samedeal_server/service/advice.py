"""Hints: what a player could do next, from what that player may see."""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from msgspec import UNSET

from samedeal_games import Adviser, from_view
from samedeal_protocol.updates import Hint
from samedeal_server.hub.live import LiveRace
from samedeal_server.race import told
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat


# Hints that wait for the one that is being thought out.
_MOST_WAITING: Final = 16
# Positions that are remembered for all seats, at some 400 bytes each.
_MOST_POSITIONS: Final = 50_000


class Advice:
    """Thinks out hints, one after the other, beside the event loop.

    What was said to a seat is remembered for a while: it is said again without
    thinking, and the next hints go on with the same line.
    """

    def __init__(self) -> None:
        # A thread of its own: what else runs in threads never waits for hints.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hints")
        self._advised: set[str] = set()
        """Players whose hint is under way."""
        # By race and seat; the one that was used last comes last.
        self._advisers: dict[tuple[str, int], Adviser] = {}

    async def ask(self, live: LiveRace, player: str) -> Hint:
        """Advice for a player of this race.

        Raises:
            Refusal: `not_in_race`, `bad_settings` where the race has no hints,
                `not_started`, `finished` or `rate_limited`.
        """
        seat = _advised(live.state, player, live.now_ms())
        if player in self._advised:
            raise Refusal("rate_limited", "A hint is being worked out for you already.")
        # Only what the seat may see goes in, so nothing else can come out.
        shown = told.seat_view(live.state, seat, live.now_ms())
        board = from_view(live.state.variant, shown.piles)
        adviser = self._adviser(live.id, seat.number)
        if adviser.knows(board):
            found = adviser.hint(board)
        elif len(self._advised) > _MOST_WAITING:
            raise Refusal("rate_limited", "Many ask for hints; ask again in a moment.")
        else:
            loop = asyncio.get_running_loop()
            thinking = self._thread.submit(adviser.hint, board)
            self._advised.add(player)
            # Somebody who does not wait for it any more still has it under way.
            thinking.add_done_callback(
                lambda _: _soon(loop, self._advised.discard, player)
            )
            found = await asyncio.wrap_future(thinking)
            self._forget_oldest()
        return Hint(
            race=live.id,
            seat=seat.number,
            turn=seat.turn,
            move=UNSET if found is None else str(found.move),
            why="No move is left." if found is None else found.why,
        )

    def close(self) -> None:
        """Take nothing more on; what is being thought out is not waited for."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    # Private methods.

    def _adviser(self, race: str, seat: int) -> Adviser:
        adviser = self._advisers.pop((race, seat), None) or Adviser()
        self._advisers[race, seat] = adviser
        return adviser

    def _forget_oldest(self) -> None:
        excess = sum(map(len, self._advisers.values())) - _MOST_POSITIONS
        for key in [*self._advisers][:-1]:
            if excess <= 0:
                break
            excess -= len(self._advisers.pop(key))


def _soon(
    loop: asyncio.AbstractEventLoop, act: Callable[[str], None], player: str
) -> None:
    """Have this done in the loop's thread, unless the loop is closed."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(act, player)


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

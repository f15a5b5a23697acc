"""Looking back on races that are over: worked out elsewhere, and kept for a while."""

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from samedeal_protocol import logfile
from samedeal_protocol.updates import Analysis, SeatAnalysis
from samedeal_server.hub.hub import Hub
from samedeal_server.race.analysis import (
    UNKNOWN,
    as_played,
    told_of_deal,
    told_of_seat,
)
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat
from samedeal_server.settings import Settings
from samedeal_server.store import START, Store


logger = logging.getLogger(__name__)

# A race is looked back on for so long; what is not known by then is unknown.
PATIENCE_S: Final = 20
# Races at the same time, each in a process of its own, and those that wait for it.
_MOST_AT_ONCE = 2
_MOST_WAITING = 16
# Answers that are kept; those that time has cut short are soon tried again.
_MOST_KEPT = 256
_KEEP_CUT_S = 60.0
# Who asks waits for this part of what a command may take at most.
_SHARE = 0.75


class Hindsight:
    """Answers what could have become of a race, for any race that is over.

    Who asks for a race that is being worked out waits with the others for it. Where
    that takes too long they are told to ask again, and it goes on.
    """

    def __init__(self, hub: Hub, store: Store, settings: Settings) -> None:
        self._hub = hub
        self._store = store
        self._wait_s = _SHARE * settings.unavailable_s
        self._per_address = settings.limits.analyses_per_address
        # By the digest of the whole log: a store may go back to an older state.
        self._answers: dict[str, asyncio.Task[Analysis]] = {}
        self._under_way: Counter[str] = Counter()
        self._closed = False
        self._at_once = asyncio.Semaphore(_MOST_AT_ONCE)

    async def ask(
        self, race_id: str, address: str, seat: int | None = None
    ) -> Analysis:
        """What could have become of the race, in every seat or in one.

        Args:
            address: where who asks connects from.

        Raises:
            Refusal: `unknown_race`, `not_started` or `race_started` for a race that
                is not over, `not_in_race` for a seat that nobody has taken,
                `rate_limited`, or `unavailable`: ask again.
            StoreUnavailable: the log cannot be read.
        """
        live = await self._hub.get(race_id, fresh=True)
        race, digest = live.state, live.digest
        _check(race, live.now_ms(), seat)
        assert digest is not None, "A race that is over has a digest."
        answer = self._answers.get(digest) or self._begin(race, digest, address)
        done, _ = await asyncio.wait([answer], timeout=self._wait_s)
        if not done or answer.cancelled():
            raise Refusal(
                "unavailable", "This is still being worked out; ask again in a moment."
            )
        told = answer.result()
        if seat is None:
            return told
        return replace(told, seats=[one for one in told.seats if one.seat == seat])

    async def close(self) -> None:
        """Leave what is under way, and take nothing more on."""
        self._closed = True
        answers = [*self._answers.values()]
        for answer in answers:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)

    # Private methods.

    def _begin(self, race: Race, digest: str, address: str) -> asyncio.Task[Analysis]:
        if self._closed:
            raise Refusal("unavailable", "This server is going away; ask another.")
        if 0 < self._per_address <= self._under_way[address]:
            raise Refusal(
                "rate_limited",
                "Several races are being looked back on for you; wait for these.",
            )
        if self._under_way.total() >= _MOST_WAITING:
            raise Refusal(
                "unavailable",
                "Many races are being looked back on; ask again in a moment.",
            )
        self._under_way[address] += 1
        answer = asyncio.create_task(self._work_out(race, digest), name="hindsight")
        self._answers[digest] = answer
        self._forget_oldest()

        def done(answer: asyncio.Task[Analysis]) -> None:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]
            if answer.cancelled() or answer.exception() is not None:
                self._answers.pop(digest, None)

        answer.add_done_callback(done)
        return answer

    def _forget_oldest(self) -> None:
        done = [digest for digest, answer in self._answers.items() if answer.done()]
        for digest in done[: len(self._answers) - _MOST_KEPT]:
            del self._answers[digest]

    async def _work_out(self, race: Race, digest: str) -> Analysis:
        async with self._at_once:
            tail = await self._store.log.read(race.id, START)
            data = logfile.write((entry.at_ms, entry.event) for entry in tail.entries)
            try:
                lines = await _look_back(data)
            except OSError as error:
                logger.warning("A race cannot be looked back on: %s", error)
                raise Refusal(
                    "unavailable", "This server cannot look back on races just now."
                ) from None
        told = _Told.of(race, lines)
        if told.is_cut:
            logger.info("Race %s could not be looked back on in time.", race.id)
            loop = asyncio.get_running_loop()
            loop.call_later(_KEEP_CUT_S, self._answers.pop, digest, None)
        return told.analysis


@dataclass(frozen=True, slots=True)
class _Told:
    """What a process has found; `is_cut` where that is not all."""

    analysis: Analysis
    is_cut: bool

    @classmethod
    def of(cls, race: Race, lines: list[bytes]) -> "_Told":
        deal = told_of_deal(race, as_played(race))
        if lines:
            deal = msgspec.json.decode(lines[0], type=Analysis)
        found = [msgspec.json.decode(line, type=SeatAnalysis) for line in lines[1:]]
        missing = race.taken[len(found) :]
        seats = [*found, *(_not_sought(seat, deal) for seat in missing)]
        return cls(replace(deal, seats=seats), bool(missing))


def _not_sought(seat: Seat, deal: Analysis) -> SeatAnalysis:
    """What is known of a seat that time was too short for: its start is the deal."""
    told = told_of_seat(seat, UNKNOWN)
    if deal.verdict != "won":
        return told
    return replace(told, turn=0, line=deal.line)


def _check(race: Race, now: int, seat: int | None) -> None:
    if race.ended and race.start_ms is None:
        raise Refusal("not_started", "This race ended in its lobby: nobody played.")
    if not race.ended:
        what = "It is looked back on once it has ended."
        if race.has_started(now):
            raise Refusal("race_started", f"This race is not over. {what}")
        raise Refusal("not_started", f"This race has not started. {what}")
    if seat is not None and race.seat(seat) is None:
        raise Refusal("not_in_race", f"Nobody raced in seat {seat}.")


async def _look_back(data: bytes) -> list[bytes]:
    """The lines that a process finds within its time on a race with this log.

    Raises:
        OSError: it does not run.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "samedeal_server.service.analysing"),
        str(PATIENCE_S + 1),
        stdin=PIPE,
        stdout=PIPE,
        start_new_session=True,
    )
    lines: list[bytes] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            await _converse(process, data, lines)
            if await process.wait() != 0:
                raise OSError(f"its process ended with {process.returncode}")
    except TimeoutError:
        pass
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return lines


async def _converse(process: Process, data: bytes, lines: list[bytes]) -> None:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(data)
    await process.stdin.drain()
    process.stdin.close()
    async for line in process.stdout:
        lines.append(line)

"""Tables of players who run race after race while things go wrong."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

from tests.faults.checking import Verdict, check, fetch_log
from tests.faults.memory import Memory, Message
from tests.faults.racer import Racer
from tests.helpers.redis_servers import eventually

from samedeal_games import GAMES, LEVELS


_VARIANTS = [(game.name, v.name) for game in GAMES.values() for v in game.variants]
_PATIENCE_S = 120.0


@dataclass
class Row:
    """One line of the table."""

    scenario: str
    faults: int
    verdict: Verdict
    stall_s: float = 0.0
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        """Whether nothing was lost, doubled, or otherwise wrong."""
        verdict = self.verdict
        whole = verdict.ended_once == verdict.races and verdict.races > 0
        return whole and not (verdict.missing or verdict.twice or verdict.faults)


class Crowd:
    """Some tables, each with some people and bots.

    Args:
        addresses: where to connect; asked again for each connection.
        tables: races at the same time.
        people: players at each table.
        bots: how many built-in opponents a table has at most.
        judge: a node by whose logs each race is judged as soon as it has ended, and
            then forgotten; empty to keep all until `judge` is called.
        create: more fields for `create`.

    Attributes:
        races: what the players of each race remember.
        may_go_back: whether the store may lose what it had acknowledged.
        verdict: on the races judged so far.
    """

    def __init__(
        self,
        addresses: Callable[[], Sequence[str]],
        *,
        seed: int = 1,
        tables: int = 6,
        people: int = 2,
        bots: int = 1,
        think_s: float = 0.03,
        judge: str = "",
        **create: Any,
    ) -> None:
        self._judge_at = judge
        self._chance = Random(seed)
        self._bots = bots
        self._create = create
        self._tables = [
            [
                Racer(addresses, Random(self._chance.random()), think_s)
                for _ in range(people)
            ]
            for _ in range(tables)
        ]
        self._enough = asyncio.Event()
        self._numbers = itertools.count(1)
        self._stack = contextlib.AsyncExitStack()
        self._began_s = time.monotonic()
        self.races: dict[str, list[Memory]] = {}
        self.may_go_back = False
        self.verdict = Verdict()

    async def __aenter__(self) -> Self:
        for racer in self.racers:
            await self._stack.enter_async_context(racer)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def racers(self) -> list[Racer]:
        return [racer for table in self._tables for racer in table]

    @property
    def running(self) -> list[str]:
        """The races whose end not every player has been told."""
        return [
            race
            for race, memories in self.races.items()
            if not all(memory.ended for memory in memories)
        ]

    @property
    def turns(self) -> int:
        """How many turns have been acknowledged so far."""
        return sum(len(one.told) for race in self.races.values() for one in race)

    async def played(self, turns: int) -> None:
        """Wait until so many turns have been acknowledged."""
        await eventually(lambda: self.turns >= turns, "moves", pause_s=0.02)

    async def race_while(self, trouble: asyncio.Task[None]) -> None:
        """Run races until `trouble` is over, and these to their ends."""
        tables = [asyncio.create_task(self._run(table)) for table in self._tables]
        try:
            await asyncio.wait([trouble, *tables], return_when="FIRST_COMPLETED")
            self._enough.set()
            for table in tables:
                if table.done():
                    table.result()
            await trouble
            async with asyncio.timeout(_PATIENCE_S):
                await asyncio.gather(*tables)
        finally:
            for task in (trouble, *tables):
                task.cancel()
            await asyncio.gather(trouble, *tables, return_exceptions=True)

    async def judge(self, scenario: str, faults: int, url: str) -> Row:
        """Compare everything with the logs that the node at `url` serves."""
        verdict = self.verdict
        seconds = time.monotonic() - self._began_s
        races = {
            race: memories
            for race, memories in self.races.items()
            if not any(memory.gone for memory in memories)
        }
        for race, memories in races.items():
            log = await fetch_log(url, race)
            if log is not None or not self.may_go_back:
                assert log is not None, f"race {race} has no log"
                verdict.add(check(log, memories))
        verdict.faults += [fault for one in self.racers for fault in one.faults]
        notes = []
        if unavailable := sum(racer.unavailable for racer in self.racers):
            notes.append(f"unavailable {unavailable}")
        if self.may_go_back:
            lost = [one.back for race in self.races.values() for one in race]
            notes.append(f"lost {verdict.lost}, re-synced {sum(lost)}")
            notes.append(f"races lost {len(self.races) - verdict.races}")
        connections = sum(racer.connections for racer in self.racers)
        notes.append(f"connections {connections}")
        stall_s = max(racer.stall_s for racer in self.racers)
        return Row(scenario, faults, verdict, stall_s, notes, seconds)

    # Private methods.

    async def _run(self, people: list[Racer]) -> None:
        while not self._enough.is_set():
            await self._race(people)

    async def _race(self, people: list[Racer]) -> None:
        chance, (host, *guests) = self._chance, people
        game, variant = chance.choice(_VARIANTS)
        bots = chance.choices(LEVELS, k=chance.randint(0, self._bots))
        fields = {
            "id": f"race-{next(self._numbers)}",
            "game": game,
            "variant": variant,
            "seats": len(people) + len(bots),
            "bots": bots,
            "countdown_ms": chance.choice([0, 30, 300]),
            "undo": chance.random() < 0.5,
            **self._create,
        }
        joined = await host.ask("create", **fields)
        memories = self.races[joined["race"]] = [host.follow(joined, self.may_go_back)]
        for guest in guests:
            joined = await guest.ask("join", race=joined["race"])
            if self._has_lost(joined, "joined"):
                return
            memories.append(guest.follow(joined, self.may_go_back))
        pairs = list(zip(people, memories, strict=True))
        await asyncio.gather(*(self._ready(one, memory) for one, memory in pairs))
        await self._play(pairs)
        for one, memory in pairs if not self.may_go_back else ():
            del one.memories[memory.race]
        if self._judge_at:
            await self._judge_now(joined["race"])

    async def _play(self, pairs: list[tuple[Racer, Memory]]) -> None:
        """Play until all have been told the end, or one that the race is lost."""
        left = {asyncio.create_task(one.play(memory)) for one, memory in pairs}
        try:
            while left and not any(memory.gone for _, memory in pairs):
                done, left = await asyncio.wait(left, return_when="FIRST_COMPLETED")
                for task in done:
                    task.result()
        finally:
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def _ready(self, racer: Racer, memory: Memory) -> None:
        answer = await racer.ask("ready", race=memory.race)
        if answer.get("code") != "race_started" and self._has_lost(answer, "race"):
            memory.gone = True

    async def _judge_now(self, race: str) -> None:
        for _ in range(200):
            try:
                log = await fetch_log(self._judge_at, race)
                break
            except OSError:  # The store is away for a moment.
                await asyncio.sleep(0.1)
        assert log is not None, f"race {race} has no log"
        self.verdict.add(check(log, self.races.pop(race)))

    def _has_lost(self, answer: Message, wanted: str) -> bool:
        """Whether the store has lost the race, where that can be."""
        if answer["type"] == wanted:
            return False
        assert self.may_go_back, answer
        assert answer["code"] in ("unknown_race", "not_in_race"), answer
        return True

"""Compares a race's log with what its players remember of it."""

import asyncio
import json
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.faults.memory import Memory, Piles, text

from samedeal_games import State, apply_move, parse_move, view
from samedeal_protocol import events, logfile
from samedeal_server.race.audit import LogFault, advance
from samedeal_server.race.model import Race


@dataclass
class Verdict:
    """What became of some races.

    Attributes:
        acknowledged: turns that players were told are played.
        missing: those that are not in the log, as they were told …
        lost: … where that can be, and the players have learnt of it.
        twice: turns that are in a log more than once.
        ended_once: races whose log has exactly one `ended`, as its last entry.
        faults: whatever else does not agree, in words.
    """

    races: int = 0
    acknowledged: int = 0
    missing: int = 0
    lost: int = 0
    twice: int = 0
    ended_once: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Verdict") -> None:
        self.races += other.races
        self.acknowledged += other.acknowledged
        self.missing += other.missing
        self.lost += other.lost
        self.twice += other.twice
        self.ended_once += other.ended_once
        self.faults += other.faults


async def fetch_log(url: str, race: str) -> bytes | None:
    """A race's log as a node serves it; None while there is none that has ended."""

    def get() -> bytes | None:
        try:
            where = f"{url}/races/{race}/log.jsonl"
            with urllib.request.urlopen(where, timeout=20) as response:
                return bytes(response.read())
        except urllib.error.HTTPError as error:
            with error:
                if error.code in (404, 409):
                    return None
                raise

    return await asyncio.to_thread(get)


def check(data: bytes, memories: Sequence[Memory]) -> Verdict:
    """Judge one race by its log in file form."""
    verdict = Verdict(races=1)
    log = logfile.read(data)
    told = verdict.faults
    race, boards, turns = _replay(log, told)
    if log.digest != log.actual_digest:
        told.append("the digest is not that of the lines")
    kinds = Counter(entry.event.split(b'"', 4)[3] for entry in log.entries)
    is_last = log.entries[-1].event.startswith(b'{"type":"ended"')
    verdict.ended_once = int(kinds[b"ended"] == 1 and is_last)
    if kinds[b"created"] != 1 or kinds[b"countdown"] != 1:
        told.append(f"began more than once: {kinds}")
    verdict.twice = _doubled(log)
    for memory in memories:
        verdict.acknowledged += len(memory.told)
        gone = sum(turns.get((memory.seat, t)) != w for t, w in memory.told)
        if memory.may_go_back:
            verdict.lost += gone
            _check_last(memory, turns, told)
        else:
            verdict.missing += gone
        told += memory.faults
        _check_boards(memory, boards, told)
        _check_end(memory, race, log.digest, boards, told)
    name = race.id if race is not None else "?"
    verdict.faults = [f"{name}: {fault}" for fault in told]
    return verdict


# Private functions.

Boards = dict[tuple[int, int], Piles]
"""By seat and turn."""


Turns = dict[tuple[int, int], str]
"""What a log has been found to say, by seat and turn."""


def _doubled(log: logfile.LogFile) -> int:
    """How many turns are there again, as the bytes say, whatever the rules think."""
    found: Counter[tuple[int, int]] = Counter()
    for entry in log.entries:
        event = json.loads(entry.event)
        if event["type"] in ("moved", "undone"):
            found[event["seat"], event["turn"]] += 1
    return sum(count - 1 for count in found.values())


def _replay(
    log: logfile.LogFile, faults: list[str]
) -> tuple[Race | None, Boards, Turns]:
    race: Race | None = None
    boards: Boards = {}
    turns: Turns = {}
    for entry in log.entries:
        try:
            race, event = advance(race, entry.event, entry.at_ms)
        except LogFault as fault:
            faults.append(str(fault))
            break
        match event:
            case events.Moved(seat=seat, turn=turn, moves=moves):
                turns[seat, turn] = text(moves)
            case events.Undone(seat=seat, turn=turn):
                turns[seat, turn] = "undo"
            case _:
                pass
    if race is not None:
        for one in race.taken:
            _replay_seat(race.deal, one.number, one.turns, boards)
    return race, boards, turns


def _replay_seat(
    deal: State, seat: int, turns: Sequence[Sequence[str] | str], boards: Boards
) -> None:
    """Every board that the seat has had, from its deal on."""
    past = [deal]
    boards[seat, 0] = view(deal)
    for turn, played in enumerate(turns, 1):
        if isinstance(played, str):
            past.pop()
        else:
            board = past[-1]
            for move in played:
                board = apply_move(board, parse_move(move))
            past.append(board)
        boards[seat, turn] = view(past[-1])


def _check_last(memory: Memory, turns: Turns, faults: list[str]) -> None:
    """What was told last must be so, whatever was told before."""
    for turn, what in memory.acknowledged.items():
        if turns.get((memory.seat, turn)) != text(what):
            faults.append(f"seat {memory.seat} was never told that turn {turn} is lost")


def _check_boards(memory: Memory, boards: Boards, faults: list[str]) -> None:
    for turn, piles in memory.boards.items():
        if boards.get((memory.seat, turn)) != piles:
            faults.append(f"seat {memory.seat} saw another board after turn {turn}")


def _check_end(
    memory: Memory, race: Race | None, digest: str, boards: Boards, faults: list[str]
) -> None:
    if not memory.ended:
        faults.append(f"seat {memory.seat} was never told the end")
        return
    if memory.info["digest"] != digest:
        faults.append(f"seat {memory.seat} was told another digest")
    if race is None or race.standings is None:
        return
    places = {one.seat: one.place for one in race.standings}
    if places != {one["seat"]: one.get("place") for one in memory.info["seats"]}:
        faults.append(f"seat {memory.seat} was told other standings")
    for number, shown in memory.views.items():
        if boards.get((number, shown["turn"])) != shown["piles"]:
            faults.append(f"seat {memory.seat} was shown another board of {number}")
        last = race.seat(number)
        if last is None or last.turn != shown["turn"]:
            faults.append(f"seat {memory.seat} was shown an old board of {number}")

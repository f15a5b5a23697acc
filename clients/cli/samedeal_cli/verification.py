"""Whether the file of a race's log can be what happened: bytes in, a report out.

Nothing in the file is taken on trust: every entry must be able to follow the ones
before it by the very reducer that races are run with, the deal must be the one
committed to, the result what the moves come to, the digest that of the lines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import msgspec

from samedeal_cli.wording import counted
from samedeal_games import MAX_NODES, Outcome, Verdict, solve
from samedeal_protocol import logfile
from samedeal_protocol.logfile import LogEntry, LogFile, LogFileError
from samedeal_server.race.audit import LogFault, advance
from samedeal_server.race.model import Race


Aspect: TypeAlias = Literal["form", "deal", "claim", "play", "standings", "digest"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
"""What is checked, in the order in which a log is read."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that cannot be so; `line` counts the file's lines from 1."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Something that could not be told, and why; not a fault."""

    message: str


Finding: TypeAlias = str | Fault | Unchecked
"""What was found right, in a sentence, or wrong, or could not be told."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the checks came to.

    Attributes:
        race: the race as far as its log can be followed; None where nothing can.
        findings: by aspect, in order. An aspect that a fault before it left unseen
            is missing.
    """

    race: Race | None
    findings: Mapping[Aspect, Finding]

    @property
    def faults(self) -> list[Fault]:
        """What is wrong, in the order of `ASPECTS`; empty for a good log."""
        return [item for item in self.findings.values() if isinstance(item, Fault)]


def verify(
    data: bytes,
    *,
    race_id: str | None = None,
    digest: str | None = None,
    commitment: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Report:
    """Check a log in file form.

    Args:
        data: the whole file.
        race_id: the race that the log was asked for by.
        digest: what a client was told at the end, in hex, if somebody kept it.
        commitment: what a client was told before the start, likewise.
        max_nodes: how much to search for a line that clears a deal which is said
            to be winnable; a few seconds' work at most by default.
    """
    try:
        log = logfile.read(data)
    except LogFileError as error:
        line = data.count(b"\n") if error.line is None else error.line
        return Report(None, {"form": Fault(line, error.message)})
    found: dict[Aspect, Finding] = {"form": _form(log)}
    race, stop = _follow(log.entries)
    if race is not None:
        found["deal"] = _deal(race, race_id, commitment)
        found["claim"] = _claim(race, max_nodes)
        found["play"] = _play(race)
        found["standings"] = _standings(race)
    if stop is not None:
        aspect, fault = stop
        found[aspect] = fault
        if aspect == "play":
            found.pop("standings", None)
    found["digest"] = _digest(log, digest)
    return Report(
        race, {aspect: found[aspect] for aspect in ASPECTS if aspect in found}
    )


def _follow(
    entries: Sequence[LogEntry],
) -> tuple[Race | None, tuple[Aspect, Fault] | None]:
    """The race up to the first entry that cannot be, and that fault."""
    race: Race | None = None
    for entry in entries:
        try:
            race, _ = advance(race, entry.event, entry.at_ms)
        except LogFault as fault:
            return race, (_aspect(race, entry), Fault(fault.index + 1, fault.message))
    return race, None


def _aspect(before: Race | None, entry: LogEntry) -> Aspect:
    if before is None:
        return "deal"
    return "standings" if entry.event.startswith(b'{"type":"ended"') else "play"


def _form(log: LogFile) -> str | Fault:
    for entry in log.entries:
        if fault := _unlike_stored(entry.event):
            return Fault(entry.index + 1, fault)
    return f"{len(log.entries)} entries, each as stored, and the digest line."


def _unlike_stored(event: bytes) -> str | None:
    """Say how the bytes differ from compact JSON with its type first, if they do.

    Two readers of one file must not come to different events: so there is one way
    to write a text or a number, and no key twice.
    """
    try:
        loose = msgspec.json.decode(event)
        same = msgspec.json.encode(loose) == event
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        return f"the event is not JSON: {error}."
    if not same:
        return "the event is not in compact JSON."
    if next(iter(loose), None) != "type":
        return "the event does not begin with its type."
    return None


def _deal(race: Race, race_id: str | None, commitment: str | None) -> str | Fault:
    if race_id not in (None, race.id):
        return Fault(1, f"this is the log of race {race.id}, not of {race_id}.")
    if commitment not in (None, race.commitment):
        return Fault(
            1, f"the race was committed to {race.commitment}, not to {commitment}."
        )
    kept = "" if commitment is None else ", the one that was given"
    chosen = "; somebody chose the seed" if race.chosen else ""
    return (
        f"Seed and salt make the commitment {race.commitment[:8]}{kept}; all cards "
        f"come from them{chosen}."
    )


def _claim(race: Race, max_nodes: int) -> Finding:
    """Whether a deal can be won that is said to be."""
    if race.settings.deals == "any":
        return "Nothing is claimed of the deal."
    if any(seat.outcome is Outcome.WON for seat in race.taken):
        return "The deal is winnable, as claimed: it was cleared."
    solution = solve(race.deal, max_nodes)
    match solution.verdict:
        case Verdict.WON:
            moves = counted(len(solution.line), "move")
            return f"The deal is winnable, as claimed: {moves} clear it."
        case Verdict.LOST:
            return Fault(
                1, "the deal is claimed to be winnable, and no line clears it."
            )
        case Verdict.UNKNOWN:
            return Unchecked(
                f"a search of {counted(max_nodes, 'node')} does not tell whether the "
                "deal is winnable, as claimed."
            )


def _play(race: Race) -> str:
    seats = tuple(race.taken)
    turns = [played for seat in seats for played in seat.turns]
    lists = [played for played in turns if played != "undo"]
    moves = sum(map(len, lists))
    undone = len(turns) - len(lists)
    return (
        f"{counted(len(seats), 'seat')}, {counted(moves, 'move')} in "
        f"{counted(len(lists), 'turn')}"
        + (f", {counted(undone, 'undo')}" if undone else "")
        + ": each in turn, in time and legal."
    )


def _standings(race: Race) -> str | Fault:
    if race.standings is None:
        return Fault(
            race.length, "the log stops before the race has ended; it is not whole."
        )
    return f"{counted(len(race.standings), 'place')}, as the moves come to."


def _digest(log: LogFile, digest: str | None) -> str | Fault:
    line = len(log.entries) + 1
    if log.digest != log.actual_digest:
        return Fault(
            line,
            "the lines before do not come to this digest; the file was changed.",
        )
    if digest not in (None, log.digest):
        return Fault(line, f"the digest is not the one that was given, {digest}.")
    kept = "" if digest is None else ", the one that was given"
    return f"{log.digest[:8]} is that of the {line - 1} lines before{kept}."

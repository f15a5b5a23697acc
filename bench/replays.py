"""How fast a log is replayed and verified, per game: one core, no store."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from samedeal_games import GAMES, Variant, apply_move, deal, legal_moves, outcome
from samedeal_protocol import events
from samedeal_protocol.codec import encode_event
from samedeal_protocol.events import Event
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race.audit import advance
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import begin, evolve
from samedeal_server.service.identity import Player
from samedeal_server.service.setup import first_events


_RUNS = 5


@dataclass(frozen=True)
class ReplayRate:
    """Moves a second of one variant: reduced from events, verified from bytes.

    Attributes:
        deal_us: the first event of a race alone; in a variant that refuses most
            shuffles, it takes a hundred times as long as a move.
        moves_per_s: the moves alone.
        reduced_per_s: whole logs, as in the last: random games are short, so that the
            deal, the lobby and the end count as much as the moves.
    """

    game: str
    variant: str
    moves: int
    deal_us: float
    moves_per_s: float
    reduced_per_s: float
    verified_per_s: float


def measure(races: int = 60) -> list[ReplayRate]:
    """Replay races of random games of every variant."""
    return [_measure(v, races) for game in GAMES.values() for v in game.variants]


def _measure(variant: Variant, races: int) -> ReplayRate:
    chance = random.Random(1)
    logs = [_log(variant, chance) for _ in range(races)]
    moves = sum(isinstance(e, events.Moved) for log in logs for e, _ in log)
    stored = [[(encode_event(e), at_ms) for e, at_ms in log] for log in logs]
    reduced_s = _least_s(lambda: [_reduce(log) for log in logs])
    verified_s = _least_s(lambda: [_verify(entries) for entries in stored])
    dealt_s = _least_s(lambda: [_reduce(log[:1]) for log in logs])
    played = [_at_the_start(log) for log in logs]
    moved_s = _least_s(lambda: [_play(race, log) for race, log in played])
    return ReplayRate(
        game=variant.game,
        variant=variant.name,
        moves=moves,
        deal_us=1e6 * dealt_s / races,
        moves_per_s=moves / moved_s,
        reduced_per_s=moves / reduced_s,
        verified_per_s=moves / verified_s,
    )


def _least_s(work: Callable[[], object]) -> float:
    """CPU time of the best of a few runs: whatever disturbs one makes it longer."""
    times: list[float] = []
    for _ in range(_RUNS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def _verify(entries: list[tuple[bytes, int]]) -> Race | None:
    race: Race | None = None
    for data, at_ms in entries:
        race, _ = advance(race, data, at_ms)
    return race


def _reduce(log: list[tuple[Event, int]]) -> Race:
    first, at_ms = log[0]
    assert isinstance(first, events.Created)
    race = begin(first, at_ms)
    for event, at_ms in log[1:]:
        race = evolve(race, event, at_ms)
    return race


def _at_the_start(
    log: list[tuple[Event, int]],
) -> tuple[Race, list[tuple[Event, int]]]:
    """The race when it can be played, and its moves; some deals have none."""
    kinds = [type(event) for event, _ in log]
    moves = [entry for entry in log if type(entry[0]) is events.Moved]
    return _reduce(log[: kinds.index(events.Countdown) + 1]), moves


def _play(race: Race, moves: list[tuple[Event, int]]) -> Race:
    for event, at_ms in moves:
        race = evolve(race, event, at_ms)
    return race


def _log(variant: Variant, chance: random.Random) -> list[tuple[Event, int]]:
    seed = chance.randbytes(16)
    first = first_events(
        race="a" * 16,
        code="ABCDEF",
        variant=variant,
        settings=RaceSettings(seats=1, countdown_ms=0),
        host=Player("b" * 16, "Ada", ""),
        is_bot=False,
        seed=seed,
    )
    ready = events.Ready(seat=0, ready=True)
    log = [*first, ready, events.Countdown(countdown_ms=0)]
    state = deal(variant, seed)
    turn = 0
    while outcome(state) is None and turn < 60:
        move = chance.choice(legal_moves(state))
        log.append(events.Moved(seat=0, turn=turn, moves=(str(move),)))
        state = apply_move(state, move)
        turn += 1
    return [(event, 1_000_000 + n) for n, event in enumerate(log)]

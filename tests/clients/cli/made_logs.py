"""Logs of whole races, made by the core alone: no server, no store, no waiting."""

from collections.abc import Iterable
from dataclasses import dataclass

from samedeal_games import Move, State, find_variant, legal_moves, parse_seed
from samedeal_protocol import events, logfile
from samedeal_protocol.codec import decode_event, encode_event
from samedeal_protocol.commitment import commit
from samedeal_protocol.events import Event
from samedeal_protocol.names import Deals
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race import lobby, play, schedule
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import begin, evolve
from samedeal_server.race.seat import Seat


RACE_ID = "abcdefgh234567xy"
SALT = "5a" * 16
PLAYERS = ("adaaaaaaaaaaaaaa", "benbbbbbbbbbbbbb", "cycccccccccccccc")
NAMES = ("Ada", "Bén", "Cy")


@dataclass(frozen=True)
class Ids:
    """What is drawn by chance for a real race, its cards apart."""

    race: str = RACE_ID
    players: tuple[str, ...] = PLAYERS
    salt: str = SALT


SAME = Ids()


@dataclass
class MadeLog:
    """A race under way, and the entries that got it there."""

    race: Race
    entries: list[tuple[int, bytes]]

    def add(self, happened: Iterable[Event], at_ms: int) -> None:
        for event in happened:
            data = encode_event(event)
            self.race = evolve(self.race, decode_event(data), at_ms)
            self.entries.append((at_ms, data))

    def join(self, player: str, name: str) -> None:
        now = self.race.at_ms + 10
        self.add(lobby.join(self.race, player, name, False, now).events, now)

    def seat(self, number: int) -> Seat:
        seat = self.race.seat(number)
        assert seat is not None
        return seat

    def move(self, number: int, at_ms: int, *moves: str) -> None:
        seat = self.seat(number)
        self.add(play.move(self.race, seat, seat.turn, moves, at_ms).events, at_ms)

    def file(self) -> bytes:
        return logfile.write(self.entries)


def created(
    game: str,
    variant: str | None = None,
    *,
    seed: str = "00" * 16,
    seats: int = 2,
    undo: bool = False,
    deals: Deals = "any",
    ids: Ids = SAME,
) -> MadeLog:
    """An empty lobby."""
    chosen = find_variant(game, variant)
    salt_and_seed = bytes.fromhex(ids.salt), parse_seed(seed)
    event = events.Created(
        race=ids.race,
        code="ABCDEF",
        game=game,
        variant=chosen.name,
        rules=1,
        settings=RaceSettings(seats=seats, countdown_ms=1000, undo=undo, deals=deals),
        chosen=False,
        quick=False,
        host=ids.players[0],
        seed=seed,
        salt=ids.salt,
        commitment=commit(*salt_and_seed, game, chosen.name),
    )
    data = encode_event(event)
    stored = decode_event(data)
    assert isinstance(stored, events.Created)
    return MadeLog(begin(stored, 990_000), [(990_000, data)])


def started(
    game: str,
    variant: str | None = None,
    *,
    seed: str = "00" * 16,
    seats: int = 2,
    undo: bool = False,
    deals: Deals = "any",
    ids: Ids = SAME,
) -> MadeLog:
    """A race that begins at 1,000,000 ms, by the log's clock."""
    log = created(
        game, variant, seed=seed, seats=seats, undo=undo, deals=deals, ids=ids
    )
    for player, name in zip(ids.players[:seats], NAMES, strict=False):
        log.join(player, name)
    log.add(lobby.start(log.race, log.seat(0)).events, 999_000)
    return log


def whole(
    game: str,
    variant: str | None = None,
    *,
    seed: str = "00" * 16,
    seats: int = 2,
    turns: int = 10_000,
    deals: Deals = "any",
    ids: Ids = SAME,
) -> MadeLog:
    """A race to its end: each seat plays so many turns, then resigns or is done.

    Seat n makes the n-th legal move each time, so the seats come apart.
    """
    log = started(game, variant, seed=seed, seats=seats, deals=deals, ids=ids)
    now = 1_000_000
    for turn in range(turns):
        playing = [seat for seat in log.race.taken if not seat.is_done()]
        if not playing:
            break
        for seat in playing:
            now += 137
            log.move(seat.number, now, str(_pick(seat.board, seat.number + turn)))
    for seat in log.race.taken:
        if not seat.is_done():
            now += 211
            log.add(play.resign(log.race, seat, now).events, now)
    return ended(log, now + 5)


def ended(log: MadeLog, now: int) -> MadeLog:
    """The race with its end, which must be due."""
    decision = schedule.due(log.race, now, {})
    assert decision is not None
    log.add(decision.events, now)
    assert log.race.ended
    return log


def _pick(board: State, number: int) -> Move:
    moves = legal_moves(board)
    return moves[number % len(moves)]

"""Commands, cuts, restarts and time, drawn at random, against a simple model."""

import asyncio
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.helpers import raw
from tests.helpers.raw import Message, Raw

from samedeal_games import (
    GAMES,
    IllegalMoveError,
    InvalidMoveError,
    State,
    apply_move,
    check_move,
    deal,
    exposes,
    find_variant,
    left,
    legal_moves,
    parse_move,
    parse_seed,
    status,
    view,
)
from samedeal_protocol import patches
from samedeal_server.app import App, running
from samedeal_server.settings import Limits, Settings
from samedeal_server.store import Store, keys, open_store


T = TypeVar("T")

NAMES = ("Ada", "Bob")
VARIANTS = [(game.name, one.name) for game in GAMES.values() for one in game.variants]
LIMIT_MS = 3_600_000

players = st.integers(0, 1)


@dataclass
class Seat:
    """What one seat must look like."""

    boards: list[State]
    undo: bool
    turns: list[list[str] | str] = field(default_factory=list)
    closed: str = ""
    past: list[State] = field(default_factory=list)

    @property
    def board(self) -> State:
        return self.boards[-1]

    @property
    def turn(self) -> int:
        return len(self.turns)

    @property
    def status(self) -> str:
        return self.closed or status(self.board)

    @property
    def done(self) -> bool:
        stuck = status(self.board) == "stuck" and self.undo_fault is not None
        return bool(self.closed) or status(self.board) == "won" or stuck

    @property
    def undo_fault(self) -> str | None:
        """Why nothing can be taken back, as an error code."""
        if not self.undo or status(self.board) == "won":
            return "undo_refused"
        if self.closed:
            return "finished"
        if not self.past:
            return "nothing_to_undo"
        return "undo_refused" if exposes(self.past[-1], self.board) else None

    def play(self, move: str) -> None:
        self.past.append(self.board)
        self.boards.append(apply_move(self.board, parse_move(move)))
        self.turns.append([move])

    def take_back(self) -> None:
        self.boards.append(self.past.pop())
        self.turns.append("undo")

    def move_fault(self, move: str) -> str | None:
        """What a move at the right turn is refused with."""
        try:
            parsed = parse_move(move)
        except InvalidMoveError:
            return "bad_move"
        if self.done:
            return "finished"
        try:
            check_move(self.board, parsed)
        except IllegalMoveError:
            return "illegal_move"
        return None


class Races(RuleBasedStateMachine):
    """Two players on one server, one race after another."""

    valkey: str

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = contextlib.AsyncExitStack()
        self.race = ""
        self.seats: list[Seat] = []
        self.clients: list[Raw] = []
        self.steps = 0
        self.run(self.set_up())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def set_up(self) -> None:
        self.store: Store = await open_store(self.valkey)
        await self.store.nodes.ask_all("FLUSHALL")
        await self.serve()
        for name in NAMES:
            client = await raw.connect(self.app.url)
            await client.hello(name=name)
            self.clients.append(client)

    async def serve(self) -> None:
        chosen = Settings(port=0, redis=self.valkey, limits=Limits.off())
        self.app: App = await self.stack.enter_async_context(running(chosen))

    def teardown(self) -> None:
        self.run(self.tear_down())
        self.runner.close()

    async def tear_down(self) -> None:
        for client in self.clients:
            await client.close()
        await self.stack.aclose()
        await self.store.aclose()

    # Racing.

    @property
    def is_over(self) -> bool:
        return all(seat.done for seat in self.seats)

    @rule(variant=st.sampled_from(VARIANTS), seed=st.binary(min_size=16, max_size=16))
    @precondition(lambda self: self.is_over)
    def begin(self, variant: tuple[str, str], seed: bytes) -> None:
        self.run(self.begin_race(*variant, seed.hex()))

    async def begin_race(self, game: str, variant: str, seed: str) -> None:
        ada, bob = self.clients
        undo = seed < "8"
        fields: Message = {"game": game, "variant": variant, "seed": seed}
        fields |= {"seats": 2, "countdown_ms": 0, "undo": undo}
        joined = await ada.ask("create", time_limit_ms=LIMIT_MS, **fields)
        self.race = joined["race"]
        await bob.ask("join", race=self.race)
        dealt = deal(find_variant(game, variant), parse_seed(seed))
        self.seats = [Seat([dealt], undo) for _ in NAMES]
        for client in self.clients:
            await client.send("ready", race=self.race)
        for client, seat in zip(self.clients, self.seats, strict=True):
            shown = await client.until("view", race=self.race)
            assert shown["piles"] == view(seat.board)

    @rule(who=players, which=st.integers(0, 1000))
    @precondition(lambda self: not self.is_over)
    def move(self, who: int, which: int) -> None:
        seat = self.seats[who]
        moves = legal_moves(seat.board)
        if seat.done or not moves:
            return
        move, before = str(moves[which % len(moves)]), view(seat.board)
        patch = self.ask(who, "move", turn=seat.turn, moves=[move])
        seat.play(move)
        self.check_patch(patch, seat, seat.turn - 1, before)

    @rule(
        who=players,
        text=st.from_regex(r"[tc]1?[0-9][+>]([tc]1?[0-9]|f)", fullmatch=True),
    )
    @precondition(lambda self: self.seats)
    def move_anything(self, who: int, text: str) -> None:
        seat, before = self.seats[who], view(self.seats[who].board)
        answer = self.ask(who, "move", turn=seat.turn, moves=[text])
        fault = seat.move_fault(text)
        if fault is not None:
            assert answer["type"] == "error" and answer["code"] == fault, answer
            return
        seat.play(text)
        self.check_patch(answer, seat, seat.turn - 1, before)

    @rule(who=players, back=st.integers(1, 6), undo=st.booleans())
    @precondition(lambda self: self.seats)
    def send_again(self, who: int, back: int, undo: bool) -> None:
        """Something at an old turn: the same is confirmed, other things refused."""
        seat = self.seats[who]
        turn = max(0, seat.turn - back)
        if turn == seat.turn:
            return
        played = "undo" if undo else ["t0+t1"]
        if back % 2:
            played = seat.turns[turn]
        if isinstance(played, str):
            answer = self.ask(who, "undo", turn=turn)
        else:
            answer = self.ask(who, "move", turn=turn, moves=played)
        if played == seat.turns[turn]:
            self.check_patch(answer, seat, turn, view(seat.boards[turn]))
        else:
            assert (answer["code"], answer["turn"]) == ("stale_turn", seat.turn)

    @rule(who=players, ahead=st.integers(1, 3))
    @precondition(lambda self: self.seats)
    def move_ahead(self, who: int, ahead: int) -> None:
        turn = self.seats[who].turn + ahead
        answer = self.ask(who, "move", turn=turn, moves=["t0+t1"])
        assert answer["code"] == "stale_turn"
        assert answer["turn"] == self.seats[who].turn

    @rule(who=players)
    @precondition(lambda self: self.seats)
    def undo(self, who: int) -> None:
        seat, before = self.seats[who], view(self.seats[who].board)
        answer = self.ask(who, "undo", turn=seat.turn)
        if seat.undo_fault is not None:
            assert answer.get("code") == seat.undo_fault, answer
            return
        seat.take_back()
        self.check_patch(answer, seat, seat.turn - 1, before)

    @rule(who=players, sure=st.integers(0, 3))
    @precondition(lambda self: self.seats)
    def resign(self, who: int, sure: int) -> None:
        if sure:
            return
        seat = self.seats[who]
        answer = self.ask(who, "resign")
        if seat.done and seat.closed != "resigned":
            assert answer["code"] == "finished"
            return
        seat.closed = "resigned"
        assert answer["from"] == answer["turn"] == seat.turn
        assert answer["status"] == "resigned"

    # Trouble.

    @rule(who=players, turn=st.integers(0, 40))
    @precondition(lambda self: self.seats)
    def cut(self, who: int, turn: int) -> None:
        self.run(self.come_again(who, turn))

    async def come_again(self, who: int, turn: int) -> None:
        old = self.clients[who]
        await old.vanish()
        client = self.clients[who] = await raw.connect(self.app.url)
        welcome = await client.hello(token=old.token)
        assert welcome["player"] == old.player
        if not self.seats:
            return
        info = await client.ask("sync", race=self.race, turn=turn)
        if info["phase"] == "ended":
            return
        seat = self.seats[who]
        if turn <= seat.turn:
            patch = await client.until("patch", race=self.race)
            self.check_patch(patch, seat, turn, view(seat.boards[turn]))
        else:
            shown = await client.until("view", race=self.race)
            assert (shown["turn"], shown["piles"]) == (seat.turn, view(seat.board))

    @rule()
    def restart(self) -> None:
        self.run(self.start_again())

    async def start_again(self) -> None:
        await self.stack.aclose()
        for client in self.clients:
            assert await client.closed() == 1001
            await client.until("closing")
        await self.serve()
        for who in range(len(NAMES)):
            await self.come_again(who, 0)

    @rule(sure=st.integers(0, 2))
    @precondition(lambda self: not self.is_over)
    def pass_the_limit(self, sure: int) -> None:
        if sure:
            return
        self.run(self.make_older())
        for seat in self.seats:
            if not seat.done:
                seat.closed = "timed_out"

    async def make_older(self) -> None:
        """Time cannot be moved on, but all that has happened can be moved back."""
        key = keys.log(self.race)
        call = self.store.nodes.call
        entries = await call(key, "XRANGE", key, "-", "+")
        await call(key, "DEL", key)
        for id, fields in entries:
            ms, _, seq = id.decode().partition("-")
            older = f"{int(ms) - LIMIT_MS - 1}-{seq}"
            await call(key, "XADD", key, older, *fields)
        self.store.bells.ring(self.race)
        for client in self.clients:
            await client.until("race", race=self.race, phase="ended")

    # What always holds.

    @invariant()
    def everyone_is_told_the_same(self) -> None:
        self.steps += 1
        if self.seats:
            self.run(self.check_all())

    async def check_all(self) -> None:
        for who, client in enumerate(self.clients):
            info = await client.ask("sync", race=self.race)
            if self.is_over and info["phase"] != "ended":
                info = await client.until("race", race=self.race, phase="ended")
            assert info["phase"] == ("ended" if self.is_over else "racing"), info
            told = [(s["turn"], s["left"], s["status"]) for s in info["seats"]]
            assert told == [(s.turn, left(s.board), s.status) for s in self.seats]
            assert all(seat["connected"] for seat in info["seats"])
            shown = [one for one in await client.rest() if one["type"] == "view"]
            last = {one["seat"]: one for one in shown}
            for number in range(len(self.seats)) if self.is_over else (who,):
                seat = self.seats[number]
                assert last[number]["piles"] == view(seat.board)
                assert last[number]["turn"] == seat.turn
            if self.is_over:
                self.check_places(info)

    def check_places(self, info: Message) -> None:
        """Whoever has won is first, and fewer cards left are better than more."""

        def rank(number: int) -> tuple[bool, int]:
            seat = self.seats[number]
            return seat.status != "won", left(seat.board)

        first, second = (seat["place"] for seat in info["seats"])
        if rank(0) != rank(1):
            assert (first < second) == (rank(0) < rank(1)), info

    # Words.

    def ask(self, who: int, type: str, **fields: Any) -> Message:
        return self.run(self.clients[who].ask(type, race=self.race, **fields))

    def check_patch(
        self, patch: Message, seat: Seat, first: int, before: dict[str, list[str]]
    ) -> None:
        assert patch["type"] == "patch", patch
        assert (patch["from"], patch["turn"]) == (first, seat.turn)
        assert patch["turns"] == seat.turns[first:]
        assert patches.apply(before, patch["piles"]) == view(seat.board)
        assert (patch["left"], patch["status"]) == (left(seat.board), seat.status)


def compare(valkey: str, examples: int, steps: int) -> int:
    """Run so many stories of so many steps on the store at this URL; fails with
    the shortest one in which server and model differ. Returns the steps taken."""
    taken = 0

    class Here(Races):
        def __init__(self) -> None:
            self.valkey = valkey
            super().__init__()

        def teardown(self) -> None:
            nonlocal taken
            taken += self.steps
            super().teardown()

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return taken

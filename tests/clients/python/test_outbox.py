"""The outbox against a server that is a list, over a network that loses."""

import itertools

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from tests.clients.python import peer

from samedeal.errors import (
    IllegalMove,
    NoAnswer,
    NotInRace,
    RaceStarted,
    SamedealError,
    StaleTurn,
    TooManyUnanswered,
    Unavailable,
)
from samedeal.outbox import Fate, Outbox
from samedeal.requests import Answer, Request
from samedeal_protocol.commands import Command, Kick, Lobby, Move, Ready, Undo


class Asked:
    """Requests made for a test, and what became of each, by id."""

    def __init__(self, limit: int = 100) -> None:
        self.outbox = Outbox(limit, lambda: None)
        self.settled: dict[int, Answer] = {}
        self.failed: dict[int, SamedealError] = {}
        self._ids = itertools.count(1)

    def request(self, command: Command) -> Request:
        number = next(self._ids)
        return Request(
            number,
            command,
            b"",
            lambda answer: self.settled.__setitem__(number, answer),
            lambda error: self.failed.__setitem__(number, error),
        )

    def put(self, command: Command) -> Request:
        request = self.request(command)
        self.outbox.put(request)
        return request

    def move(self, turn: int, race: str = peer.RACE) -> Request:
        return self.put(Move(race=race, turn=turn, moves=["t0+t2"]))

    def taken(self) -> list[Request]:
        """All that is to be sent, sent."""
        return list(iter(self.outbox.take, None))


@pytest.fixture
def asked() -> Asked:
    return Asked()


def test_commands_go_once_and_in_order(asked: Asked) -> None:
    requests = [asked.put(Lobby()), asked.move(0), asked.put(Lobby())]
    assert asked.outbox.has_work
    assert asked.taken() == requests
    assert not asked.outbox.has_work


def test_what_comes_first_goes_before_what_waits(asked: Asked) -> None:
    later = asked.put(Lobby())
    first, before_first = asked.request(Lobby()), asked.request(Lobby())
    asked.outbox.put_first(first)
    asked.outbox.put_first(before_first)
    assert asked.taken() == [before_first, first, later]


def test_an_answer_is_for_one_request(asked: Asked) -> None:
    request = asked.put(Lobby())
    assert asked.outbox.answer("else") is None
    assert asked.outbox.answer(request.id) is request
    assert asked.outbox.answer(request.id) is None


def test_so_many_may_be_open(asked: Asked) -> None:
    asked = Asked(limit=2)
    first, _ = asked.put(Lobby()), asked.put(Lobby())
    with pytest.raises(TooManyUnanswered):
        asked.put(Lobby())
    asked.outbox.answer(first.id)
    asked.put(Lobby())


def test_turns_count_on_from_what_is_under_way(asked: Asked) -> None:
    outbox = asked.outbox
    assert outbox.next_turn(peer.RACE, 4) == 4
    asked.move(4)
    assert outbox.next_turn(peer.RACE, 4) == 5
    undo = asked.put(Undo(race=peer.RACE, turn=5))
    assert outbox.next_turn(peer.RACE, 4) == 6
    assert outbox.next_turn("b" * 16, 0) == 0
    assert outbox.next_turn(peer.RACE, 9) == 9, "A sync may have told more already."
    outbox.refuse(undo.id, IllegalMove("No."))
    assert outbox.next_turn(peer.RACE, 4) == 5


def test_after_a_cut_what_was_sent_goes_again_before_what_was_not(
    asked: Asked,
) -> None:
    sent = [asked.move(0), asked.move(1)]
    asked.taken()
    waiting = asked.move(2)
    asked.outbox.cut()
    assert asked.taken() == [*sent, waiting]
    assert [request.sent for request in sent] == [2, 2]


def test_after_a_cut_what_must_not_go_twice_fails(asked: Asked) -> None:
    kick = asked.put(Kick(race=peer.RACE, seat=1))
    kick.again = False
    unsent = asked.request(Kick(race=peer.RACE, seat=2))
    unsent.again = False
    asked.outbox.take()
    asked.outbox.put(unsent)
    asked.outbox.cut()
    assert isinstance(asked.failed[1], NoAnswer)
    assert asked.taken() == [unsent], "It was never sent, so it is still good."


def test_a_refusal_fails_the_move_and_those_behind_it(asked: Asked) -> None:
    first, second, third = asked.move(0), asked.move(1), asked.move(2)
    other_race = asked.move(0, "b" * 16)
    asked.outbox.take()
    asked.outbox.take()
    assert asked.outbox.refuse(first.id, IllegalMove("No.", turn=0)) is Fate.FAILED
    assert isinstance(asked.failed[1], IllegalMove)
    assert isinstance(asked.failed[2], StaleTurn)
    assert isinstance(asked.failed[3], StaleTurn)
    assert asked.taken() == [other_race], "The third was never played."
    assert asked.outbox.refuse(second.id, StaleTurn("No.")) is Fate.OVER, "Too late."
    assert third.sent == 0


def test_what_could_not_be_confirmed_goes_again_with_what_follows(
    asked: Asked,
) -> None:
    first, second = asked.move(0), asked.move(1)
    asked.taken()
    assert asked.outbox.refuse(first.id, Unavailable("Later.")) is Fate.AGAIN
    assert asked.outbox.refuse(second.id, StaleTurn("No.", turn=0)) is Fate.AGAIN
    assert asked.taken() == [first, second]
    assert not asked.failed


def test_the_turn_of_the_first_in_a_row_can_be_stale(asked: Asked) -> None:
    first = asked.move(0)
    asked.taken()
    assert asked.outbox.refuse(first.id, StaleTurn("No.", turn=3)) is Fate.FAILED
    assert isinstance(asked.failed[1], StaleTurn)


def test_what_must_not_be_retried_is_not(asked: Asked) -> None:
    kick = asked.put(Kick(race=peer.RACE, seat=1))
    kick.retry = False
    asked.taken()
    assert asked.outbox.refuse(kick.id, Unavailable("Later.")) is Fate.FAILED
    assert isinstance(asked.failed[1], Unavailable)


def test_waiting_too_long_says_what_the_server_said_last(asked: Asked) -> None:
    first, second = asked.move(0), asked.put(Lobby())
    asked.taken()
    asked.outbox.refuse(first.id, Unavailable("Later."))
    assert asked.outbox.expire(first)
    assert asked.outbox.expire(second)
    assert not asked.outbox.expire(second)
    assert isinstance(asked.failed[1], Unavailable)
    assert isinstance(asked.failed[2], NoAnswer)
    assert asked.taken() == []


def test_behind_an_unconfirmed_move_nothing_is_certain(asked: Asked) -> None:
    first, _ = asked.move(0), asked.move(1)
    asked.taken()
    asked.outbox.expire(first)
    assert isinstance(asked.failed[2], NoAnswer)


def test_sent_twice_a_refusal_may_mean_that_it_was_done(asked: Asked) -> None:
    ready = asked.put(Ready(race=peer.RACE))
    ready.done_if = frozenset({"race_started"})
    asked.taken()
    asked.outbox.cut()
    asked.taken()
    assert asked.outbox.refuse(ready.id, RaceStarted("No.")) is Fate.OVER
    assert asked.settled == {1: Answer(None, None)}


def test_sent_once_a_refusal_is_one(asked: Asked) -> None:
    ready = asked.put(Ready(race=peer.RACE))
    ready.done_if = frozenset({"race_started"})
    asked.taken()
    asked.outbox.refuse(ready.id, RaceStarted("No."))
    assert isinstance(asked.failed[1], RaceStarted)


def test_at_the_end_everything_open_fails(asked: Asked) -> None:
    asked.put(Lobby())
    asked.taken()
    asked.move(0)
    asked.outbox.end(NotInRace("Over."))
    assert [type(error) for error in asked.failed.values()] == [NotInRace, NotInRace]
    assert len(asked.outbox) == 0
    assert not asked.outbox.has_work


def rarely(*values: str) -> st.SearchStrategy[str]:
    """One of the values, but mostly none."""
    return st.sampled_from([*[""] * 4 * len(values), *values])


class Network(RuleBasedStateMachine):
    """Moves under way to a server that may be cut off or lose its log for a while.

    The server is as the protocol says: a list of moves, each accepted at the
    turn it names; the same move at the same turn is answered again; another
    turn is stale; now and then it is unavailable, having played or not.
    """

    @initialize()
    def begin(self) -> None:
        self.asked = Asked()
        self.log: list[str] = []
        self.to_server: list[Request] = []
        self.to_client: list[tuple[int, SamedealError | None]] = []
        self.known = 0
        self.names = itertools.count()

    @rule(illegal=rarely("illegal"))
    def move(self, illegal: str) -> None:
        name = f"{illegal or 'legal'} {next(self.names)}"
        turn = self.asked.outbox.next_turn(peer.RACE, self.known)
        self.asked.put(Move(race=peer.RACE, turn=turn, moves=[name]))

    @precondition(lambda self: self.asked.outbox.has_work)
    @rule()
    def send(self) -> None:
        request = self.asked.outbox.take()
        assert request is not None
        self.to_server.append(request)

    @precondition(lambda self: self.to_server)
    @rule(trouble=rarely("lost", "unsure"))
    def serve(self, trouble: str) -> None:
        request = self.to_server.pop(0)
        assert isinstance(request.id, int)
        error = self.decide(request.command, trouble)
        self.to_client.append((request.id, error))

    def decide(self, command: Command, trouble: str) -> SamedealError | None:
        assert isinstance(command, Move)
        name, turn = command.moves[0], command.turn
        if self.log[turn : turn + 1] == [name]:
            return None
        if trouble == "lost":
            return Unavailable("Not appended.")
        if turn != len(self.log):
            return StaleTurn("Stale.", turn=len(self.log))
        if name.startswith("illegal"):
            return IllegalMove("Illegal.")
        self.log.append(name)
        return Unavailable("Appended, but not confirmed.") if trouble else None

    @precondition(lambda self: self.to_client)
    @rule()
    def hear(self) -> None:
        number, error = self.to_client.pop(0)
        if error is not None:
            self.asked.outbox.refuse(number, error)
        elif request := self.asked.outbox.answer(number):
            request.settle(Answer(None, None))
            self.known = max(self.known, self.turn_of(request) + 1)

    @staticmethod
    def turn_of(request: Request) -> int:
        assert isinstance(request.command, Move)
        return request.command.turn

    @rule(cut=rarely("cut"))
    def cut(self, cut: str) -> None:
        """Whatever is on the way is lost; the next connection syncs."""
        if not cut:
            return
        self.to_server.clear()
        self.to_client.clear()
        self.asked.outbox.cut()
        self.known = len(self.log)

    def teardown(self) -> None:
        while self.asked.outbox.has_work or self.to_server or self.to_client:
            self.to_server.extend(self.asked.taken())
            while self.to_server:
                self.serve("")
            while self.to_client:
                self.hear()
        settled, failed = self.asked.settled, self.asked.failed
        assert not settled.keys() & failed.keys()
        assert len(self.asked.outbox) == 0
        # Each accepted once, in the order of asking, and told so; no other was.
        assert len(set(self.log)) == len(self.log) == len(settled)
        assert self.log == sorted(self.log, key=lambda name: int(name.split()[1]))
        for error in failed.values():
            assert isinstance(error, IllegalMove | StaleTurn)


TestNetwork = Network.TestCase
TestNetwork.settings = settings(deadline=None, max_examples=150, stateful_step_count=40)

"""Hidden means absent: every byte sent to anybody, held against the true cards.

What a seat may see is said here once more, apart from the server's own words
for it: in Doublets only the top of a pile, and of a stock nothing.
"""

import asyncio
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgspec.msgpack
import pytest
from tests.helpers import raw
from tests.helpers.positions import VARIANTS, dealt, variant_id
from tests.helpers.raw import Message, Raw
from tests.server.racing import Piles, Racer, applied
from tests.server.test_http import get

from samedeal_games import (
    InvalidMoveError,
    State,
    Variant,
    apply_move,
    card_name,
    card_text,
    from_view,
    is_legal,
    parse_move,
)
from samedeal_server.app import App


CARD = re.compile("[A23456789TJQK][cdhs]")
NAMED = re.compile(r"(ace|king|queen|jack|10|[2-9]) of (clubs|diamonds|hearts|spades)")


def shown(state: State) -> Piles:
    """What the seat may see of its own board."""
    covered = state.variant.game == "doublets"
    piles: Piles = {}
    for name, pile in zip(state.variant.piles, state.piles, strict=True):
        texts = [card_text(card) for card in pile]
        piles[name] = ["??"] * (len(texts) - 1) + texts[-1:] if covered else texts
    if state.variant.has_stock:
        piles["stock"] = ["??"] * len(state.stock)
    return piles


def cards_in(frame: str | bytes) -> list[str]:
    """Every card text in the bytes of a frame, wherever it stands."""
    if isinstance(frame, str):
        return re.findall(f'"({CARD.pattern})"', frame)
    found = re.findall(b"\xa2(" + CARD.pattern.encode() + b")", frame)
    return [text.decode() for text in found]


@dataclass
class Truth:
    """What the log says when all is over.

    Attributes:
        boards: by seat, the board at every turn.
    """

    seed: str
    salt: str
    boards: dict[int, list[State]]


def truth(file: bytes) -> Truth:
    entries = [json.loads(line) for line in file.splitlines()[:-1]]
    events = [entry["event"] for entry in entries]
    created = events[0]
    told = Truth(created["seed"], created["salt"], {})
    for event in events:
        if event["type"] == "joined":
            told.boards[event["seat"]] = [dealt(created)]
        elif event["type"] == "moved":
            boards = told.boards[event["seat"]]
            board = boards[-1]
            for text in event["moves"]:
                board = apply_move(board, parse_move(text))
            boards.append(board)
        elif event["type"] == "undone":
            told.boards[event["seat"]].append(told.boards[event["seat"]][-2])
    return told


def before_the_end(client: Raw) -> list[tuple[str | bytes, Message]]:
    """What a connection was sent before its race was over."""
    sent = list(zip(client.frames, client.received, strict=True))
    for number, (_, message) in enumerate(sent):
        if message.get("phase") == "ended":
            return sent[:number]
    raise AssertionError("It was never told of the end.")


def check(client: Raw, own_seat: int | None, real: Truth) -> None:
    """Nothing that was sent says more than the seat had a right to see."""
    secrets = {real.seed.encode(), real.salt.encode()}
    secrets |= {bytes.fromhex(secret.decode()) for secret in secrets}
    secrets |= {real.seed.upper().encode(), real.salt.upper().encode()}
    piles: Piles = {}
    for frame, message in before_the_end(client):
        data = frame.encode() if isinstance(frame, str) else frame
        assert not any(secret in data for secret in secrets), message
        assert not {"seed", "salt"} & _keys(message)
        found = cards_in(frame)
        kind = message["type"]
        if kind in ("view", "patch"):
            assert message["seat"] == own_seat, "Another seat's board."
            piles = message["piles"] if kind == "view" else applied(piles, message)
            seat: int = message["seat"]
            turn: int = message["turn"]
            board = real.boards[seat][turn]
            assert piles == shown(board)
            # Its cards stand in the piles and nowhere else.
            assert sorted(found) == sorted(_cards(message["piles"])), message
            assert not any(map(CARD.search, map(str, message.get("turns", []))))
        else:
            assert found == [], message
        if kind == "error" and own_seat is not None:
            _check_words(message["message"], piles)
        elif own_seat is None:
            assert kind in ("welcome", "race", "progress", "pong", "error")


def _check_words(text: str, piles: Piles) -> None:
    """An explanation names no card that does not lie open."""
    assert not re.search(rf"\b{CARD.pattern}\b", text), text
    open_cards = {
        card_name(card) for card in range(52) if card_text(card) in set(_cards(piles))
    }
    for rank, suit in NAMED.findall(text):
        assert f"the {rank} of {suit}" in open_cards, text


def _keys(value: Any) -> set[str]:
    """Every name of a field in a value."""
    names: set[str] = set()
    if isinstance(value, dict):
        names = set(cast(dict[str, Any], value))
    return names.union(*map(_keys, _items(value)))


def _cards(value: Any) -> list[str]:
    """Every card text in a value."""
    if isinstance(value, str):
        return [value] if CARD.fullmatch(value) else []
    return [card for item in _items(value) for card in _cards(item)]


def _items(value: Any) -> list[Any]:
    """What a value is made of."""
    if isinstance(value, dict):
        return list(cast(dict[str, Any], value).values())
    return [*cast(Sequence[Any], value)] if isinstance(value, list) else []


class Curious(Racer):
    """A racer who also asks for what it may not have, and asks again."""

    async def play(self) -> None:
        await super().play()
        # Stuck is not done where there is something to take back.
        await self.client.send("resign", race=self.race)

    async def step(self, command: str, **fields: Any) -> None:
        chance = random.Random(self.last["turn"])
        if chance.random() < 0.3:
            await self._pry(chance)
        if chance.random() < 0.2:
            await self.client.send("sync", race=self.race, turn=self.last["turn"])
        if chance.random() < 0.1:
            await self.client.send("sync", race=self.race)
            await self.client.send("watch", race=self.race)
            await self.client.send("undo", race=self.race, turn=self.last["turn"] + 7)
            await self.client.send("lobby")
        await super().step(command, **fields)

    async def _pry(self, chance: random.Random) -> None:
        """Ask for what is refused, hoping to be told too much."""
        for fields in ({}, {"seat": self.last["seat"]}):
            code = await self.client.refused("analyse", race=self.race, **fields)
            assert code == "race_started"
        board = from_view(self._variant, self.piles)
        names = [name for name in self.piles if name[1:].isdecimal()]
        some = chance.sample(names, chance.randint(2, min(5, len(names))))
        tops = sorted(int(name[1:]) for name in some if name.startswith("t"))
        take = "+".join(f"t{number}" for number in tops)
        for text in (take, f"{some[0]}>{some[1]}", f"{some[0]}>f"):
            try:
                if is_legal(board, parse_move(text)):
                    continue
            except InvalidMoveError:
                pass
            for moves in ([text], [text, take]):
                turn = self.last["turn"]
                code = await self.client.refused(
                    "move", race=self.race, turn=turn, moves=moves
                )
                assert code in ("bad_move", "illegal_move")


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
async def test_nobody_is_sent_what_is_hidden(server: App, variant: Variant) -> None:
    ada, bob, wes, eve = [
        await raw.connect(server.url, subprotocol)
        for subprotocol in (raw.JSON, raw.MSGPACK, raw.JSON, raw.MSGPACK)
    ]
    for name, client in (("Ann", ada), ("Bob", bob), ("Wes", wes), ("Eve", eve)):
        await client.hello(name=name)
    joined = await ada.ask(
        "create",
        game=variant.game,
        variant=variant.name,
        seats=3,
        bots=["greedy"],
        open=True,
        undo=True,
        countdown_ms=50,
    )
    race = joined["race"]
    await bob.ask("join", race=race)
    await wes.ask("watch", race=race)
    await eve.ask("watch", code=joined["code"])
    racers = [Curious(client, variant, race) for client in (ada, bob)]
    for client in (ada, bob):
        await client.send("ready", race=race)
    await asyncio.gather(*(racer.play() for racer in racers))
    for client in (ada, bob, wes, eve):
        await client.until("race", race=race, phase="ended")

    file = (await get(server, f"/races/{race}/log.jsonl")).body
    real = truth(file)
    for client, seat in ((ada, 0), (bob, 2), (wes, None), (eve, None)):
        check(client, seat, real)
        # And the check would have found them: they are told once it is over.
        told = client.received[len(before_the_end(client)) :]
        assert told[0]["seed"] == real.seed
        await client.until("view", seat=2)
        await client.close()


def test_the_checks_find_what_they_look_for() -> None:
    """A leak in either encoding would be seen."""
    message = {"type": "progress", "x": ["Td", {"y": "As"}], "Qh": 1, "z": "t0+t1"}
    text = json.dumps(message, separators=(",", ":"))
    packed = msgspec.msgpack.encode(message)
    assert sorted(cards_in(text)) == sorted(cards_in(packed)) == ["As", "Qh", "Td"]
    assert NAMED.findall("t0+t1: the 10 of clubs and the ace of spades do not match.")

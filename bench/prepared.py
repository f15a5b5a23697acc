"""Games played beforehand: what to send, and what has to come back."""

import random
from dataclasses import dataclass

from samedeal_games import (
    State,
    Variant,
    apply_move,
    deal,
    find_variant,
    left,
    legal_moves,
    outcome,
    status,
    view,
)
from samedeal_protocol import commands, updates
from samedeal_protocol.codec import Codec
from samedeal_protocol.patches import diff


# Stands for the race's id, which has the same length.
_RACE = "r" * 16


@dataclass(frozen=True)
class PreparedGame:
    """One seat's game: a move a turn.

    Attributes:
        commands: frames to send, with a stand-in for the race's id.
        patches: how the answer to each begins; what follows is the time.
    """

    seed: bytes
    commands: tuple[bytes, ...]
    patches: tuple[bytes, ...]

    def for_race(self, race: str) -> tuple[list[bytes], list[bytes]]:
        """Commands and answers with the race's id in its place."""
        old, new = _RACE.encode(), race.encode()
        sent = [frame.replace(old, new, 1) for frame in self.commands]
        return sent, [frame.replace(old, new, 1) for frame in self.patches]


def prepare(
    game: str, variant: str, codec: Codec, count: int, *, seed: int, seat: int = 0
) -> list[PreparedGame]:
    """`count` games of random deals and moves, the longest of five times as many."""
    chance = random.Random(seed)
    found = find_variant(game, variant)
    played = [_play(found, chance) for _ in range(count * 5)]
    played.sort(key=lambda moves: -len(moves[1]))
    return [_encode(found, *moves, codec, seat) for moves in played[:count]]


def _play(variant: Variant, chance: random.Random) -> tuple[bytes, list[str]]:
    seed = chance.randbytes(16)
    state = deal(variant, seed)
    moves: list[str] = []
    while outcome(state) is None and len(moves) < 60:
        move = chance.choice(legal_moves(state))
        moves.append(str(move))
        state = apply_move(state, move)
    return seed, moves


def _encode(
    variant: Variant, seed: bytes, moves: list[str], codec: Codec, seat: int
) -> PreparedGame:
    sent, expected = [], []
    state = deal(variant, seed)
    for turn, text in enumerate(moves):
        before = state
        state = _after(state, text)
        move = commands.Move(race=_RACE, turn=turn, moves=[text])
        sent.append(codec.encode_command(move))
        patch = updates.Patch(
            race=_RACE,
            seat=seat,
            from_=turn,
            turn=turn + 1,
            turns=[[text]],
            piles=diff(view(before), view(state)),
            left=left(state),
            status=status(state),  # type: ignore[arg-type]
            elapsed_ms=0,
        )
        # The time is the last field, and 0 is its last byte in both codecs
        # (in JSON before the brace).
        frame = codec.encode(patch)
        expected.append(frame[:-2] if codec.text else frame[:-1])
    return PreparedGame(seed, tuple(sent), tuple(expected))


def _after(state: State, text: str) -> State:
    move = next(move for move in legal_moves(state) if str(move) == text)
    return apply_move(state, move)

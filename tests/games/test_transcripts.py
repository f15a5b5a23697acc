"""Whole games of the vectors, turn by turn, with every refusal in between."""

from typing import Any

import pytest
from tests.helpers.positions import VARIANTS, VECTORS, dealt, rows

from samedeal_games import (
    IllegalMoveError,
    InvalidMoveError,
    State,
    apply_move,
    check_move,
    count_moves,
    left,
    legal_moves,
    parse_move,
    status,
    view,
)


FILES = sorted(path.name for path in (VECTORS / "transcripts").iterdir())


def test_there_are_transcripts_of_every_variant() -> None:
    assert set(FILES) == {f"{v.game}_{v.name}.jsonl" for v in VARIANTS}


@pytest.mark.parametrize("file", FILES)
def test_the_games_of(file: str) -> None:
    for row in rows(f"transcripts/{file}"):
        states: list[State] = [dealt(row)]
        assert stand(states[0]) | {"piles": view(states[0])} == row["start"]
        for turn in row["turns"]:
            before = states[-1]
            move = parse_move(turn["move"])
            check_move(before, move)
            states.append(apply_move(before, move))
            patch = difference(view(before), view(states[-1]))
            assert {"move": str(move), "patch": patch} | stand(states[-1]) == turn
        for refusal in row["refused"]:
            after: int = refusal["after"]
            refuse(states[after], refusal["move"])


def refuse(state: State, text: str) -> None:
    """Check that the move is refused, as what it is, and changes nothing."""
    if not is_notation(text):
        with pytest.raises(InvalidMoveError):
            parse_move(text)
        return
    move = parse_move(text)
    assert move not in legal_moves(state)
    seen = view(state), stand(state)
    with pytest.raises(IllegalMoveError) as refusal:
        check_move(state, move)
    assert str(refusal.value).startswith(f"{text}: ")
    assert (view(state), stand(state)) == seen


def stand(state: State) -> dict[str, Any]:
    moves = legal_moves(state)
    assert count_moves(state) == len(moves)
    return {"left": left(state), "status": status(state), "legal": len(moves)}


def difference(
    before: dict[str, list[str]], after: dict[str, list[str]]
) -> dict[str, list[Any]]:
    """Return the protocol's patch: how many cards stay, and what comes on top."""
    patch: dict[str, list[Any]] = {}
    for name, cards in after.items():
        keep = 0
        for was, now in zip(before[name], cards, strict=False):
            if was != now:
                break
            keep += 1
        if cards != before[name]:
            patch[name] = [keep, cards[keep:]]
    return patch


def is_notation(text: str) -> bool:
    """Decide by writing down every move text there is, up to pile 199."""
    places = {f"{kind}{number}": number for kind in "tc" for number in range(200)}
    source, shift, target = text.partition(">")
    if shift:
        return source in places and (target in places or target == "f")
    names = text.split("+")
    numbers = [places.get(name, -1) for name in names]
    return (
        len(names) >= 2
        and all(name in places and name.startswith("t") for name in names)
        and numbers == sorted(set(numbers))
    )

"""A board played by lines: to the letter of what other programs rely on."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from samedeal_cli.simulation import LONGEST_LINE, read_lines, simulate
from samedeal_games import deal, find_variant, parse_seed


TRANSCRIPTS = Path(__file__).parents[2] / "vectors" / "transcripts"
ZEROS = bytes(16)


def answers(game: str, variant: str | None, seed: bytes, data: bytes) -> list[Any]:
    state = deal(find_variant(game, variant), seed)
    return [json.loads(line) for line in simulate(state, read_lines(io.BytesIO(data)))]


def juvenile(data: bytes) -> list[Any]:
    return answers("juvenile", "one-deck", ZEROS, data)


def script(game: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The lines of a transcript, refusals in their places, and what a turn gives."""
    refused: dict[int, list[str]] = {}
    for item in game["refused"]:
        refused.setdefault(item["after"], []).append(item["move"])
    for turn in range(len(game["turns"]) + 1):
        for move in refused.get(turn, ()):
            yield move, None
        if turn < len(game["turns"]):
            played = dict(game["turns"][turn])
            yield played.pop("move"), {"turn": turn + 1, **played}


@pytest.mark.parametrize("path", sorted(TRANSCRIPTS.iterdir()), ids=lambda p: p.stem)
def test_transcripts(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        lines = list(script(game))
        data = "".join(f"{text}\n" for text, _ in lines).encode()
        start, *rest = answers(
            game["game"], game["variant"], parse_seed(game["seed"]), data
        )
        assert start == {"turn": 0, **game["start"]}
        turn = 0
        for (text, expected), answer in zip(lines, rest, strict=True):
            if expected is None:
                assert answer["turn"] == turn, text
                assert answer["error"] in ("bad_move", "illegal_move", "finished")
                assert answer.keys() == {"turn", "error", "message"}
            else:
                assert answer == expected, text
                turn += 1


def test_each_kind_of_error() -> None:
    start, *rest = juvenile(b"t7+t3\nt0+t1\nt0+t99\nt0>f\n\xff\n\n \n t0+t6\n")
    assert [answer["error"] for answer in rest] == [
        "bad_move",  # Not ascending.
        "illegal_move",
        "illegal_move",  # Well formed, but there is no such pile.
        "illegal_move",  # A shift, where cards are taken.
        "bad_move",  # Not UTF-8.
        "bad_move",  # Empty.
        "bad_move",  # One space parts two moves.
        "bad_move",
    ]
    assert all(answer["turn"] == start["turn"] == 0 for answer in rest)


def test_several_moves_a_line_are_one_turn() -> None:
    _, answer = juvenile(b"t0+t6 t2+t4 t5+t7\n")
    assert answer == {
        "turn": 1,
        "patch": {
            "t0": [6, []],
            "t6": [5, []],
            "t2": [6, []],
            "t4": [5, []],
            "t5": [5, []],
            "t7": [5, []],
        },
        "left": 46,
        "status": "playing",
        "legal": answer["legal"],
    }


@pytest.mark.parametrize(
    ("line", "error"),
    [(b"t0+t6 t0+t6", "illegal_move"), (b"t0+t6 t6+t0", "bad_move")],
)
def test_all_moves_of_a_line_or_none(line: bytes, error: str) -> None:
    _, refused, played = juvenile(line + b"\nt0+t6\n")
    assert (refused["turn"], refused["error"]) == (0, error)
    assert (played["turn"], played["left"]) == (1, 50)


def test_several_moves_where_cards_are_hidden() -> None:
    text = (TRANSCRIPTS / "doublets_reserve.jsonl").read_text(encoding="utf-8")
    game = json.loads(text.splitlines()[0])
    moves = " ".join(turn["move"] for turn in game["turns"]).encode()
    seed = parse_seed(game["seed"])
    _, answer = answers("doublets", "reserve", seed, moves)
    assert (answer["turn"], answer["left"]) == (1, game["turns"][-1]["left"])


def test_after_the_end() -> None:
    game = won_game()
    moves = " ".join(turn["move"] for turn in game["turns"])
    data = f"{moves} t0+t1\n{moves}\nt0+t1\nt0+t1 t1\n".encode()
    _, beyond, last, *after = answers(
        game["game"], game["variant"], parse_seed(game["seed"]), data
    )
    assert (beyond["turn"], beyond["error"]) == (0, "illegal_move")
    assert last["status"] == "won"
    assert last["left"] == last["legal"] == 0
    assert [(item["turn"], item["error"]) for item in after] == [
        (1, "finished"),
        (1, "bad_move"),
    ]


def won_game() -> dict[str, Any]:
    with (TRANSCRIPTS / "simple-pairs_standard.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            game: dict[str, Any] = json.loads(line)
            if game["turns"] and game["turns"][-1]["status"] == "won":
                return game
    raise LookupError("no transcript of a won game")


def test_line_ends() -> None:
    one, two = juvenile(b"t0+t6\r\nt2+t4"), juvenile(b"t0+t6\nt2+t4\n")
    assert one == two
    assert [answer["turn"] for answer in one] == [0, 1, 2]


def test_no_input_is_the_start_alone() -> None:
    (start,) = juvenile(b"")
    assert list(start) == ["turn", "piles", "left", "status", "legal"]


@pytest.mark.parametrize("extra", [0, 1, 2, 1 + LONGEST_LINE, 3 * LONGEST_LINE])
def test_a_line_without_end_is_one_refusal(extra: int) -> None:
    endless = b"t0+t6 " * (LONGEST_LINE // 6) + b"x" * (4 + extra)
    _, refused, played = juvenile(endless + b"\nt0+t6\n")
    assert refused["error"] == "bad_move"
    assert played["turn"] == 1


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=40),
            st.text(max_size=20).map(str.encode),
            st.sampled_from([b"t0+t6", b"t5+t7", b"t2+t4", b"t0>c0", b"t0+t6 t2+t4"]),
        ),
        max_size=12,
    )
)
@settings(max_examples=150, deadline=None)
def test_any_bytes_get_an_answer_a_line(lines: list[bytes]) -> None:
    data = b"".join(line + b"\n" for line in lines)
    start, *rest = juvenile(data)
    assert len(rest) == data.count(b"\n")
    turn, left = 0, start["left"]
    for answer in rest:
        if "error" in answer:
            assert answer["error"] in ("bad_move", "illegal_move", "finished")
            assert answer["message"]
        else:
            turn += 1
            assert answer["left"] < left
            left = answer["left"]
        assert answer["turn"] == turn

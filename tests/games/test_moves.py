from itertools import combinations

import pytest
from hypothesis import example, given, strategies as st

from samedeal_games import InvalidMoveError, Move, Shift, Take, parse_move
from samedeal_games.moves import quoted


numbers = st.integers(0, 20) | st.integers(0, 10**30)
takes = st.sets(numbers, min_size=2).map(lambda piles: Take(tuple(sorted(piles))))
places = st.builds("{}{}".format, st.sampled_from("tc"), numbers)
shifts = st.builds(Shift, places, places | st.just("f"))
near_moves = st.text(st.sampled_from("tcf0123456789+>٣１"), max_size=12)


@given(takes | shifts)
def test_parsing_reverses_printing(move: Move) -> None:
    assert parse_move(str(move)) == move


@given(near_moves)
@example("t3+t7")
@example("c0>t12")
def test_printing_reverses_parsing_of_what_is_accepted(text: str) -> None:
    try:
        move = parse_move(text)
    except InvalidMoveError:
        return
    assert str(move) == text


@given(st.text())
def test_no_text_gives_any_other_error(text: str) -> None:
    try:
        parse_move(text)
    except InvalidMoveError as error:
        assert len(str(error)) < 400


@given(takes | shifts)
def test_repr_is_code(move: Move) -> None:
    assert eval(repr(move)) == move


def test_every_pair_of_piles_is_written_as_its_numbers() -> None:
    for low, high in combinations(range(20), 2):
        assert parse_move(f"t{low}+t{high}") == Take((low, high))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("t3+t7", Take((3, 7))),
        ("t0+t9+t10+t15", Take((0, 9, 10, 15))),
        ("t3+t99", Take((3, 99))),
        ("t3>c0", Shift("t3", "c0")),
        ("c0>t2", Shift("c0", "t2")),
        ("t3>f", Shift("t3", "f")),
        ("c0>f", Shift("c0", "f")),
        ("c0>c1", Shift("c0", "c1")),
        ("t3>t3", Shift("t3", "t3")),
        ("t5>c2", Shift("t5", "c2")),
    ],
)
def test_well_formed(text: str, move: Move) -> None:
    assert parse_move(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "t", "+", ">", "t3", "t7+t3", "t3+t3", "t3+t4+t4", "t03+t7", "t00+t1",
        "t3+", "+t3", "t3++t7", "t3+7", "3+7", "t3 + t7", " t3+t7", "t3+t7 ", "t3+t7\n",
        "T3+t7", "t3+T7", "t3-t7", "t3,t7", "t3+c0", "c0+c1", "t3+stock", "t-1+t2",
        "t+3+t7", "t1_0+t12", "t3+t7;t3+t7", '["t3+t7"]', "t٣+t7", "t1+t1٣", "t1+t2+t1٣", "t¹+t7", "t３+t7",
        "t3＋t7", "т3+t7", "t3>fc", "t3>f0", "t3>", ">t3", "t3>>f", "t3>f>", "f>t0",
        "fh>t5", "f>f", "t3>stock", "stock>t3", "t03>c0", "t3>c00", "c01>f", "t3>t4>t5",
        "t3＞f", "t3>F", "undo", "resign", "null", "%s", "é♠", "\x00", "t3>f\n",
    ],
)  # fmt: skip
def test_not_the_notation(text: str) -> None:
    with pytest.raises(InvalidMoveError) as refusal:
        parse_move(text)
    assert str(refusal.value).startswith(ascii(text))
    assert str(refusal.value).endswith(".")


def test_too_much_text_is_refused_not_computed() -> None:
    with pytest.raises(InvalidMoveError, match="too long"):
        parse_move("t3+t" + "9" * 8000)


def test_a_message_says_what_an_unordered_take_should_be() -> None:
    with pytest.raises(InvalidMoveError, match="ascending order, as t3[+]t7"):
        parse_move("t7+t3")


def test_an_absurd_move_is_quoted_in_part() -> None:
    assert quoted(Take((3, 7))) == "t3+t7"
    assert len(quoted(Take(tuple(range(900))))) == 64

"""Boards drawn: every card that is seen, where it belongs, in 80 columns."""

import io
import re
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st
from rich.console import Console
from rich.text import Text

from samedeal_games import (
    GAMES,
    State,
    Variant,
    apply_move,
    deal,
    find_variant,
    legal_moves,
    view,
)
from samedeal_terminal.boards import WIDTH, draw_board, draw_card
from samedeal_terminal.glyphs import ASCII, UNICODE, Glyphs


VARIANTS = [variant for game in GAMES.values() for variant in game.variants]
ZEROS = bytes(16)

variants = pytest.mark.parametrize(
    "variant", VARIANTS, ids=lambda v: f"{v.game} {v.name}"
)


def played(variant: Variant, seed: bytes, choices: list[int]) -> State:
    state = deal(variant, seed)
    for choice in choices:
        moves = legal_moves(state)
        if not moves:
            break
        state = apply_move(state, moves[choice % len(moves)])
    return state


def cards_drawn(text: str, glyphs: Glyphs) -> Counter[str]:
    found = re.findall(rf"(?<![tcf\d])(10|[A2-9JQK])([{glyphs.suits}])", text)
    return Counter(
        ("T" if rank == "10" else rank) + "cdhs"[glyphs.suits.index(suit)]
        for rank, suit in found
    )


@variants
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@given(
    seed=st.binary(min_size=16, max_size=16),
    choices=st.lists(st.integers(0, 99), max_size=60),
)
@settings(max_examples=12, deadline=None)
def test_every_card_that_is_seen(
    variant: Variant, glyphs: Glyphs, seed: bytes, choices: list[int]
) -> None:
    piles = view(played(variant, seed, choices))
    text = draw_board(variant, piles, glyphs=glyphs).plain
    shown = Counter(
        card
        for name, pile in piles.items()
        for card in (pile[-1:] if name[0] in "cf" else pile)
        if card != "??"
    )
    assert cards_drawn(text, glyphs) == shown
    face_down = sum(pile.count("??") for name, pile in piles.items() if name != "stock")
    stock = len(piles.get("stock", ()))
    assert text.count(glyphs.hidden) == face_down + (stock > 0)
    assert all(len(line) <= WIDTH for line in text.splitlines())
    assert all(line == line.rstrip() for line in text.splitlines())
    assert glyphs is UNICODE or text.isascii()


@variants
def test_every_pile_has_its_name(variant: Variant) -> None:
    words = draw_board(variant, view(deal(variant, ZEROS)), glyphs=ASCII).plain.split()
    assert set(variant.piles) <= set(words)
    assert ("stock" in words) is variant.has_stock


def test_piles_grow_downwards() -> None:
    variant = find_variant("juvenile")
    assert draw_board(variant, view(deal(variant, ZEROS))).plain == (
        "    t0    t1    t2    t3    t4    t5    t6    t7\n"
        "    A♦    2♥   10♣    K♦    4♥   10♠    4♦    8♥\n"
        "    2♠    9♠    8♣    Q♣    9♦    3♥    6♦    3♠\n"
        "    9♣    K♠    9♥    8♦    A♠    5♦   10♥    J♥\n"
        "    Q♦    4♠    Q♠    3♦    3♣    J♦    2♦    J♣\n"
        "    K♥    5♥    5♠    7♠    4♣    J♠    6♠    7♥\n"
        "    6♥    A♣   10♦    2♣    6♣    7♦    A♥    7♣\n"
        "    K♣    5♣    8♠    Q♥"
    )


def test_fifteens_are_a_grid_above_the_stock() -> None:
    variant = find_variant("straight-fifteens")
    assert draw_board(variant, view(deal(variant, ZEROS)), glyphs=ASCII).plain == (
        "    t0  3d    t1  9d    t2  6c    t3  7d\n"
        "    t4  3h    t5 10d    t6  Qd    t7  2h\n"
        "    t8  7s    t9  Qh   t10  Kh   t11  2s\n"
        "   t12  8s   t13  5h   t14  As   t15  9h\n"
        "\n"
        "   stock  ?? x 36"
    )


def test_cells_and_foundations_come_first() -> None:
    variant = find_variant("private-lane")
    state = deal(variant, ZEROS)
    piles = view(state) | {"c1": ["9h"], "fd": ["Ad", "2d"]}
    head = draw_board(variant, piles).plain.splitlines()[:3]
    assert head == [
        "    c0    c1        f♣    f♦    f♥    f♠",
        "     ·    9♥         ·    2♦     ·     ·",
        "",
    ]


def test_touched_piles_and_tops_stand_out() -> None:
    variant = find_variant("juvenile")
    board = draw_board(variant, view(deal(variant, ZEROS)), touched={"t1"})
    styled = {
        board.plain[span.start : span.end].strip()
        for span in board.spans
        if "reverse" in str(span.style)
    }
    assert styled == {"t1"}
    bold = [span for span in board.spans if str(span.style).startswith("bold ")]
    assert len(bold) == 1 + sum(card[1] in "dh" for card in ("Qh", "7d", "Ah"))


@pytest.mark.parametrize(
    ("card", "drawn", "style"),
    [("Td", "10♦", "red"), ("As", " A♠", ""), ("??", " ▒▒", "dim")],
)
def test_a_card(card: str, drawn: str, style: str) -> None:
    assert draw_card(card) == Text(drawn, style=style)


def test_no_colour_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    variant = find_variant("juvenile")
    board = draw_board(variant, view(deal(variant, ZEROS)))

    def printed() -> str:
        file = io.StringIO()
        console = Console(file=file, force_terminal=True, color_system="standard")
        console.print(board)
        return file.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "31m" in printed()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "31m" not in printed()

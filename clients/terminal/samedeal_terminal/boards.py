"""Boards as text: a view and its variant in, a drawing out.

What is drawn is a view, so nothing that a seat may not see can appear. Colours are
styles only; whoever prints decides whether the terminal gets them.
"""

from collections.abc import Container, Mapping, Sequence

from rich.text import Text

from samedeal_games import Variant
from samedeal_terminal.glyphs import UNICODE, Glyphs


Piles = Mapping[str, Sequence[str]]
"""Pile name to card texts, bottom first, as the protocol's views have them."""

WIDTH = 80  # No board is wider.

_NAME = "dim"
_TOUCHED = "bold reverse"
_RED = "red"
_WIDEST_COLUMN = 6
_GRIDS = {"straight-fifteens": 4}  # Games laid out in rows of so many piles.


def draw_board(
    variant: Variant,
    piles: Piles,
    *,
    glyphs: Glyphs = UNICODE,
    touched: Container[str] = (),
) -> Text:
    """Draw a board in at most 80 columns, without a line end after its last line.

    The names of piles in ``touched`` stand out: those that the latest move changed.
    """
    board = _Drawing(piles, glyphs, touched)
    tableau = [name for name in variant.piles if name.startswith("t")]
    others = [name for name in variant.piles if not name.startswith("t")]
    if others:
        board.places(others)
        board.line()
    if per_row := _GRIDS.get(variant.game):
        for first in range(0, len(tableau), per_row):
            board.row(tableau[first : first + per_row])
    else:
        board.columns(tableau)
    if variant.has_stock:
        board.line()
        board.stock(len(piles["stock"]))
    return board.text()


def draw_card(text: str, *, glyphs: Glyphs = UNICODE, top: bool = False) -> Text:
    """Draw one card, three columns wide; a top, which is in play, is bold."""
    if text == "??":
        return Text(f"{glyphs.hidden:>3}", style=_NAME)
    rank = "10" if text[0] == "T" else text[0]
    suit = text[1]
    style = f"{'bold ' if top else ''}{_RED if suit in 'dh' else ''}".strip()
    return Text(f"{rank + glyphs.suits['cdhs'.index(suit)]:>3}", style=style)


class _Drawing:
    """A board under way, line by line."""

    def __init__(self, piles: Piles, glyphs: Glyphs, touched: Container[str]) -> None:
        self._piles = piles
        self._glyphs = glyphs
        self._touched = touched
        self._lines: list[Text] = []

    def text(self) -> Text:
        return Text("\n").join(self._lines)

    def line(self, *parts: Text) -> None:
        line = Text().join(parts)
        line.rstrip()
        self._lines.append(line)

    def places(self, names: Sequence[str]) -> None:
        """Cells and foundations: each shows one card, the cells first."""
        gap = Text("    ")
        apart = [name for name in names if name.startswith("f")][:1]
        heads: list[Text] = []
        cards: list[Text] = []
        for name in names:
            if name in apart:
                heads.append(gap)
                cards.append(gap)
            heads.append(self._name(name, _WIDEST_COLUMN))
            cards.append(self._cell(self._piles[name], -1, _WIDEST_COLUMN))
        self.line(*heads)
        self.line(*cards)

    def columns(self, names: Sequence[str]) -> None:
        """Piles side by side, growing downwards."""
        width = min(_WIDEST_COLUMN, (WIDTH - 1) // len(names))
        self.line(*[self._name(name, width) for name in names])
        height = max(1, *(len(self._piles[name]) for name in names))
        for level in range(height):
            cells = [self._cell(self._piles[name], level, width) for name in names]
            self.line(*cells)

    def row(self, names: Sequence[str]) -> None:
        """Piles of one card in one row of a grid."""
        self.line(
            *[
                part
                for name in names
                for part in (
                    self._name(name, _WIDEST_COLUMN),
                    self._cell(self._piles[name], -1, 4),
                )
            ]
        )

    def stock(self, count: int) -> None:
        glyphs = self._glyphs
        shown = f"{glyphs.hidden} {glyphs.times} {count}" if count else "empty"
        self.line(Text("   stock  ", style=_NAME), Text(shown))

    def _name(self, name: str, width: int) -> Text:
        shown = f"f{self._suit(name)}" if name.startswith("f") else name
        style = _TOUCHED if name in self._touched else _NAME
        return Text(" " * (width - len(shown))) + Text(shown, style=style)

    def _suit(self, foundation: str) -> str:
        return self._glyphs.suits["cdhs".index(foundation[1])]

    def _cell(self, pile: Sequence[str], level: int, width: int) -> Text:
        """The card at a level of a pile (-1: its top), or what stands for none."""
        if not pile:
            empty = self._glyphs.empty if level <= 0 else ""
            return Text(f"{empty:>{width}}", style=_NAME)
        if level >= len(pile):
            return Text(" " * width)
        top = level in (-1, len(pile) - 1)
        card = draw_card(pile[level], glyphs=self._glyphs, top=top)
        return Text(" " * (width - 3)) + card

"""Standard output as commands write to it."""

import shutil
import sys
import textwrap
from collections.abc import Iterable

from rich.console import Console

from samedeal_terminal.glyphs import Glyphs, glyphs_for


TEXT_WIDTH = 80


def stdout_console() -> Console:
    """Return a console on standard output.

    It styles only a terminal, and honours NO_COLOR; nothing in the text is taken
    for markup. Piped, lines are as long as they are.
    """
    console = Console(markup=False, highlight=False, emoji=False, legacy_windows=False)
    if not console.is_terminal:
        console.width = max(console.width, TEXT_WIDTH)
    return console


def stdout_glyphs() -> Glyphs:
    """Return the glyphs that standard output can show."""
    return glyphs_for(sys.stdout.encoding)


def wrapped(text: str, indent: str = "") -> str:
    """Return paragraphs wrapped to the terminal, to 80 columns at most."""
    width = min(TEXT_WIDTH, shutil.get_terminal_size((TEXT_WIDTH, 24)).columns)
    return "\n\n".join(
        textwrap.fill(
            paragraph, max(width, 20), initial_indent=indent, subsequent_indent=indent
        )
        for paragraph in text.split("\n\n")
    )


def columns(rows: Iterable[tuple[str, str]], indent: str = "") -> str:
    """Return rows of two columns, the second wrapped under itself."""
    rows = list(rows)
    width = max(len(left) for left, _ in rows) + 2
    hanging = indent + " " * width
    return "\n".join(
        f"{indent}{left:<{width}}{wrapped(right, hanging).lstrip()}"
        for left, right in rows
    )

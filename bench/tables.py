"""Figures as a table for people and as JSON for programs."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table


Row = Mapping[str, object]


def show(title: str, rows: Sequence[Row], console: Console) -> None:
    """Print rows that have the same columns."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in rows[0]:
        is_text = isinstance(rows[0][name], str)
        table.add_column(name, justify="left" if is_text else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(_text(value) for value in row.values()))
    console.print(table)
    console.print()


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.2f}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)

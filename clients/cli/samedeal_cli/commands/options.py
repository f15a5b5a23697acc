"""Options that mean the same in several commands."""

from typing import Annotated

import typer


def filled(value: str | None) -> str | None:
    """The value of an option or argument that must not be empty.

    An empty one comes from a variable of a script that is not set; the working
    directory, or the default, is not what was meant.

    Raises:
        typer.BadParameter: it is.
    """
    if value is not None and not value.strip():
        raise typer.BadParameter("it is empty; is a variable not set?")
    return value


Data = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Where the embedded store keeps its data (the platform's directory "
        "for that).",
        show_default=False,
        callback=filled,
    ),
]

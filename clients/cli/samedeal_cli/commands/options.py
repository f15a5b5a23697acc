"""Options that mean the same in several commands."""

from typing import Annotated

import typer


Data = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Where the embedded store keeps its data (the platform's directory "
        "for that).",
        show_default=False,
    ),
]

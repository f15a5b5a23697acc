"""A race of bots as it goes on, shown; its log is what is left of it."""

import contextlib
from pathlib import Path

from rich.live import Live

import samedeal
from samedeal_cli.errors import Failure
from samedeal_cli.output import stdout_console, stdout_glyphs
from samedeal_cli.racing import Plan, race
from samedeal_games import GAMES
from samedeal_terminal.races import draw_progress, draw_standings


def watch(plan: Plan) -> None:
    """Run the race, show it, and write its log to the current folder.

    Raises:
        Failure: there can be no server here, or the log cannot be written.
    """
    console, glyphs = stdout_console(), stdout_glyphs()
    title = GAMES[plan.variant.game].title
    console.print(f"{title}, {plan.variant.name}: {_lanes(plan)}.")
    with contextlib.ExitStack() as screen:
        live = None
        if console.is_terminal:
            live = screen.enter_context(
                Live(console=console, auto_refresh=False, transient=True)
            )

        def look(going_on: samedeal.Race) -> None:
            if live is not None:
                info, progress = going_on.info, going_on.progress
                live.update(draw_progress(info, progress, glyphs=glyphs), refresh=True)

        info, log = race(plan, look)
    console.print(draw_standings(info))
    path = Path(f"{info.race}.jsonl")
    try:
        path.write_bytes(log)
    except OSError as error:
        raise Failure(f"Cannot write {path} here: {error.strerror}.") from None
    console.print(f"The log is in {path}: samedeal replay {path}")


def _lanes(plan: Plan) -> str:
    count = len(plan.levels) + len(plan.bots)
    return "one bot on its own" if count == 1 else f"{count} bots race"

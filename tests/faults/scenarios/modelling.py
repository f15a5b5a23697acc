"""The stateful test as a scenario, for as many stories as one likes."""

import asyncio
from pathlib import Path

from tests.faults.checking import Verdict
from tests.faults.crowd import Row
from tests.faults.model import compare

from samedeal_server.store import start_embedded


async def compared(folder: Path, stories: int, steps: int = 30) -> Row:
    """Random commands, cuts, restarts and time; the model is right."""
    embedded = await start_embedded(folder)
    verdict = Verdict(races=stories, ended_once=stories)
    try:
        taken = await asyncio.to_thread(compare, embedded.url, stories, steps)
    except AssertionError as error:
        taken, verdict.faults = 0, [str(error)]
    finally:
        await embedded.stop()
    return Row("stories against the model", 0, verdict, notes=[f"{taken} steps"])

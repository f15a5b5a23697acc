"""What a race's player is advised, and what is known of the race afterwards."""

import asyncio

from msgspec import UNSET

from samedeal.errors import Unavailable
from samedeal.requests import Answer
from samedeal.session import Session
from samedeal_protocol import commands
from samedeal_protocol.updates import Analysis, Hint


_AGAIN_S = 0.25
"""Between two questions for what is still being worked out."""


async def hint(session: Session, race: str) -> Hint:
    """Advice on one's own board; see `Race.hint`."""
    return await session.ask(commands.Hint(race=race), _hint)


async def analysis(session: Session, race: str, seat: int | None) -> Analysis:
    """What could have become of a race, asked for until it is known; see
    `Race.analyse`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + session.timeout
    command = commands.Analyse(race=race, seat=UNSET if seat is None else seat)
    while True:
        try:
            # Not sent again by the session: that would hold up what comes after.
            return await session.ask(command, _analysis, retry=False)
        except Unavailable:
            if loop.time() + _AGAIN_S > deadline:
                raise
            await asyncio.sleep(_AGAIN_S)


def _hint(answer: Answer) -> Hint:
    assert isinstance(answer.update, Hint), "A hint is answered by a hint."
    return answer.update


def _analysis(answer: Answer) -> Analysis:
    assert isinstance(answer.update, Analysis), "An analysis answers its own command."
    return answer.update

"""Commands that take time: whatever comes of one, the client is answered.

All that waits on behalf of a connection is here, so that the rest can be compiled.
"""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from typing import TYPE_CHECKING, Any

from samedeal_protocol.commands import Command
from samedeal_server.hub.request import unavailable
from samedeal_server.race.decide import RaceCommand
from samedeal_server.race.refusal import Refusal
from samedeal_server.store import StoreUnavailable


if TYPE_CHECKING:
    from samedeal_server.net.inbox import Inbox
    from samedeal_server.net.session import Session

logger = logging.getLogger(__name__)


async def answer(
    session: "Session", command: Command, work: Coroutine[Any, Any, None]
) -> None:
    """Do the work that a command asks for, in the time that all of it may take."""
    try:
        # Each step is bounded, but one command may take several.
        async with asyncio.timeout(session.services.settings.unavailable_s):
            await work
    except Refusal as refusal:
        session.refuse_command(command, refusal)
    except TimeoutError:
        session.refuse_command(command, unavailable())
    except StoreUnavailable as error:
        logger.info("A command could not be done: %s", error)
        session.refuse_command(command, unavailable())
    except Exception:
        logger.exception("A command failed.")
        fault = "The server has a fault here; it has been logged."
        session.refuse_command(command, Refusal("internal", fault))


async def find_and_submit(session: "Session", command: RaceCommand) -> None:
    """Have a command decided by a race that is not in memory.

    Raises:
        Refusal: there is no such race, or its log cannot be read.
    """
    asked_s = asyncio.get_running_loop().time()
    live = await session.services.hub.get(command.race)
    session.services.playing.submit(session, live, command, asked_s)


async def go_on(inbox: "Inbox", work: Awaitable[None]) -> None:
    """Wait for what a frame has set going, and take the frames that wait after it."""
    try:
        await work
        while (frame := inbox.following()) is not None:
            more = inbox.receive(frame)
            if more is not None:
                await more
    except Exception as error:  # noqa: BLE001 (handed on whole)
        inbox.failed(error)
    finally:
        inbox.free()

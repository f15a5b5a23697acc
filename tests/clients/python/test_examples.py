"""The examples, run as they are."""

import asyncio
import re
import sys
from pathlib import Path

from samedeal_server.app import App


EXAMPLES = Path(__file__).parents[3] / "clients/python/examples"


async def test_the_bot_of_twenty_lines_plays_a_whole_race(server: App) -> None:
    example = EXAMPLES / "twenty_lines.py"
    assert len(example.read_text().splitlines()) <= 20
    bot = await asyncio.create_subprocess_exec(
        sys.executable,
        "-Werror",
        str(example),
        server.url,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complained = await asyncio.wait_for(bot.communicate(), 30)
    assert (bot.returncode, complained) == (0, b"")
    first, second = said.decode().splitlines()
    assert re.fullmatch(r"1\. .+: .+", first)
    assert re.fullmatch(r"[12]\. .+: .+", second)
    assert "Twenty" in first + second

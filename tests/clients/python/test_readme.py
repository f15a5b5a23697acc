"""The README's program, run as it is but for the address."""

import asyncio
import re
import sys
from pathlib import Path

from samedeal_server.app import App


README = Path(__file__).parents[3] / "clients/python/README.md"


async def test_the_program_of_the_readme_runs(server: App, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.+?)```", README.read_text(), re.DOTALL)
    address = "http://127.0.0.1:8765"
    assert address in program
    file = tmp_path / "program.py"
    file.write_text(program.replace(address, server.url))
    run = await asyncio.create_subprocess_exec(
        sys.executable,
        "-Werror",
        str(file),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complained = await asyncio.wait_for(run.communicate(), 30)
    assert (run.returncode, complained) == (0, b"")
    lines = said.decode().splitlines()
    assert re.match(r"Join [A-Z]{6}, or watch it\.", lines[0])
    assert [line[0] for line in lines[1:]] == sorted(line[0] for line in lines[1:])
    assert len(lines) == 4


def test_the_project_shows_the_bot_that_is_run() -> None:
    root = Path(__file__).parents[3]
    shown = re.search(
        r"<!-- bot -->\n```python\n(.+?)```",
        (root / "README.md").read_text(),
        re.DOTALL,
    )
    bot = (root / "clients/python/examples/twenty_lines.py").read_text()
    assert shown is not None and shown[1] == bot
    # Those of the program: blank lines part it for the eye.
    assert len([line for line in bot.splitlines() if line]) <= 20

"""Driving the web page in a real browser, and the other end of its races."""

import asyncio
import contextlib
import json
import re
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.positions import VECTORS
from websockets.asyncio.client import ClientConnection, connect


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = Path(__file__).parents[2] / "clients/web/node_modules/axe-core/axe.min.js"

_FLAGS = (
    "--headless",
    "--remote-debugging-port=0",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_RANKS = [
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
]
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@contextlib.contextmanager
def chromium(folder: Path) -> Iterator[str]:
    """The system's Chromium, started once; the URL to drive it by.

    Tests that want it are skipped where there is none.
    """
    if CHROMIUM is None:
        pytest.skip("there is no chromium here; on Debian: apt-get install chromium")
    command = [CHROMIUM, *_FLAGS, f"--user-data-dir={folder}", "about:blank"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            # It writes the port that it has taken into this file.
            port = folder / "DevToolsActivePort"
            deadline = time.monotonic() + 30
            while not (port.exists() and port.read_text().count("\n")):
                assert time.monotonic() < deadline, "Chromium does not start"
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port.read_text().split()[0]}"
        finally:
            process.terminate()


@contextlib.asynccontextmanager
async def driven(url: str) -> AsyncIterator[Any]:
    """That Chromium, for as long as this event loop needs it."""
    api = pytest.importorskip("playwright.async_api", reason="needs playwright")
    async with api.async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(url)
        yield browser
        await browser.close()


def transcript(file: str, status: str) -> dict[str, Any]:
    """A played-out game of a file of vectors that ended so; a short one, not too short."""
    rows = (VECTORS / "transcripts" / file).read_text("utf-8").splitlines()
    games: list[dict[str, Any]] = [json.loads(row) for row in rows]
    ended = [g for g in games if g["turns"] and g["turns"][-1]["status"] == status]
    return min((g for g in ended if len(g["turns"]) > 8), key=lambda g: len(g["turns"]))


def card_name(card: str) -> str:
    """As the page calls it: "seven of hearts"."""
    rank = _RANKS["A23456789TJQK".index(card[0])]
    return f"{rank} of {_SUITS[card[1]]}"


class Peer:
    """Somebody at the other end, with nothing but a WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._asked = 0

    async def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The first answer to a command; other updates meanwhile are passed over."""
        self._asked += 1
        await self._socket.send(json.dumps({"type": type, "id": self._asked, **fields}))
        while True:
            update: dict[str, Any] = json.loads(await self._socket.recv())
            if update.get("re") == self._asked:
                assert update["type"] != "error", update
                return update

    async def until(self, type: str, **fields: Any) -> dict[str, Any]:
        """The next update of that type with those fields."""
        while True:
            update: dict[str, Any] = json.loads(await self._socket.recv())
            if update["type"] == type and fields.items() <= update.items():
                return update


@contextlib.asynccontextmanager
async def peer(url: str, name: str) -> AsyncIterator[Peer]:
    """A player on the server at `url`."""
    async with connect(url.replace("http", "ws", 1) + "/ws") as socket:
        player = Peer(socket)
        await player.ask("hello", name=name)
        yield player


class Player:
    """A person at a page."""

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        self.url = url

    def spot(self, pile: str, card: str | None = None) -> Any:
        """The control over a pile; once `card` is its top, where that is given."""
        shows = "" if card is None else f'[aria-label^="{card_name(card)}"]'
        return self.page.locator(f'.spot[data-pile="{pile}"]{shows}')

    async def open(self, path: str = "/") -> None:
        await self.page.goto(self.url + path)

    async def join(self, code: str, name: str) -> None:
        """By the link, up to being ready in the lobby."""
        await self.open(f"/r/{code}")
        await self.page.get_by_label("Your name").fill(name)
        await self.page.get_by_role("button", name="Join the race").click()
        await self.page.get_by_role("button", name="I am ready").click()

    async def race_a_bot(self, game: str, name: str = "Ann") -> None:
        """From the start page to one's board."""
        await self.open()
        await self.page.get_by_label("Your name").fill(name)
        await self.page.locator(f'input[value="{game}"]').check(force=True)
        await self.page.get_by_role("button", name="Race a bot").click()
        await self.spot("t0").wait_for()

    async def tops(self) -> dict[str, str]:
        """Pile to its top card, of all that show one."""
        labels: list[list[str]] = await self.page.eval_on_selector_all(
            ".spot", "spots => spots.map((s) => [s.dataset.pile, s.ariaLabel])"
        )
        found = {}
        for pile, label in labels:
            if match := re.match(r"(\w+) of (\w+)", label):
                rank = "A23456789TJQK"[_RANKS.index(match[1])]
                found[pile] = rank + match[2][0]
        return found

    async def left(self) -> int:
        """How many cards one has left, as shown."""
        return int(await self.page.locator(".lane.own b").inner_text())

    async def drag(self, source: str, target: str) -> None:
        """A top card to a pile, with the mouse."""
        start = await self.spot(source).bounding_box()
        end = await self.spot(target).bounding_box()
        mouse = self.page.mouse
        await mouse.move(start["x"] + start["width"] / 2, start["y"] + 12)
        await mouse.down()
        await mouse.move(end["x"] + end["width"] / 2, end["y"] + 12, steps=3)
        await mouse.up()

    async def ended(self) -> str:
        """The headline of the result, once the race is over."""
        headline = self.page.locator(".headline")
        await headline.wait_for()
        return str(await headline.inner_text())


async def check_axe(player: Player, where: str) -> None:
    """axe finds nothing on the page as it is; needs `bypass_csp` in the context."""
    await player.page.add_script_tag(path=str(AXE))
    found = await player.page.evaluate(
        """async () => (await axe.run(document)).violations.map((violation) =>
          [violation.id, violation.nodes.slice(0, 4).map((node) =>
            node.html.slice(0, 160) + " " + (node.any[0]?.message ?? "")).join("\\n")])"""
    )
    assert not found, f"{where}: " + "\n".join(
        f"{rule}: {html}" for rule, html in found
    )


async def eventually(condition: Any, what: str, seconds: float = 10.0) -> None:
    """Returns once the coroutine function `condition` gives something true."""
    deadline = time.monotonic() + seconds
    while not await condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        await asyncio.sleep(0.01)

"""How heavy and how quick the page is. Run with `-s` to see the figures."""

import sys

from tests.clients.web.conftest import NewPlayer

from samedeal_server.app import App


MOST_BYTES = 150 * 1024
MOST_REQUESTS = 25


async def test_the_start_page_is_light(server: App, new_player: NewPlayer) -> None:
    ann = await new_player()
    requests: list[str] = []
    ann.page.on("request", lambda request: requests.append(request.url))
    ann.page.on("websocket", lambda socket: requests.append(socket.url))
    await ann.open()
    await ann.page.get_by_text("None right now").wait_for()
    await ann.page.wait_for_load_state("networkidle")
    sizes = await ann.page.evaluate(
        """() => [performance.getEntriesByType("navigation")[0],
          ...performance.getEntriesByType("resource")].map((entry) =>
            [entry.encodedBodySize + 300, entry.decodedBodySize])"""
    )
    packed, plain = (sum(column) for column in zip(*sizes, strict=True))
    _say(
        f"start page: {len(requests)} requests, {packed / 1024:.0f} KiB "
        f"over the wire, {plain / 1024:.0f} KiB unpacked"
    )
    assert len(requests) <= MOST_REQUESTS, requests
    assert packed <= MOST_BYTES


async def test_how_soon_one_can_play(server: App, new_player: NewPlayer) -> None:
    """Prints, as machines differ: from the address to a board, and to a move drawn."""
    ann = await new_player(oneTap=False)
    await ann.open()
    await ann.page.get_by_role("button", name="Race a bot").wait_for()
    shown = await ann.page.evaluate(
        "performance.getEntriesByName('screen')[0].startTime"
    )
    usable = await ann.page.evaluate(
        """() => new Promise((resolve) => {
          document.querySelector("button.primary.large").click();
          new MutationObserver(() => {
            if (document.querySelector(".card.up")) {
              requestAnimationFrame(() => resolve(performance.now()));
            }
          }).observe(document.body, { childList: true, subtree: true });
          window.pressed = performance.now();
        })"""
    )
    pressed = await ann.page.evaluate("window.pressed")
    _say(
        f"from navigation to the start page {shown:.0f} ms; from the button to a "
        f"usable board {usable - pressed:.0f} ms; in all "
        f"{shown + usable - pressed:.0f} ms"
    )
    await ann.spot("t0").wait_for()
    await ann.page.evaluate("document.fonts.ready")
    drawn = await ann.page.evaluate(_MOVE_AND_MEASURE)
    _say(
        f"from input to the move in the document {drawn['changed']:.1f} ms, "
        f"to the next frame {drawn['painted']:.1f} ms"
    )


def _say(text: str) -> None:
    sys.stdout.write(f"\n{text}")


_MOVE_AND_MEASURE = """async () => {
  const tops = [...document.querySelectorAll(".spot")].map((spot) =>
    [spot, spot.ariaLabel.split(" ")[0]]);
  const [spot, rank] = tops.find(([one, rank]) =>
    tops.some(([other, same]) => other !== one && same === rank));
  const [mate] = tops.find(([other, same]) => other !== spot && same === rank);
  const press = (target) => {
    const box = target.getBoundingClientRect();
    target.dispatchEvent(new PointerEvent("pointerdown", {
      bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2,
    }));
  };
  press(spot);
  await new Promise(requestAnimationFrame);
  const start = performance.now();
  press(mate);
  const changed = performance.now() - start;
  if (document.querySelectorAll(".card.gone").length < 2) throw Error("nothing moved");
  await new Promise(requestAnimationFrame);
  return { changed, painted: performance.now() - start };
}"""

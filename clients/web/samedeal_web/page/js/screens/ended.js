/** The end: standings, everybody's board, and what next. */

import { boardOf } from "../board.js";
import { fullTitle } from "../catalogue.js";
import { copyField } from "../copy.js";
import { fill, h, icon, setText } from "../dom.js";
import { onlyHere, replayLink } from "../links.js";
import { placeText, resultOf, topBar } from "../parts.js";
import { createTable } from "../table.js";
import { openVerify } from "../verify.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../race.js").Race} Race */

/** @param {App} app */
export function create(app) {
  const race = /** @type {Race} */ (app.state.race);
  const { info } = race;
  const title = fullTitle(info.game, info.variant);
  const bar = topBar(app, title, info.game);
  const headline = h("h2", { class: "headline" });
  const standings = h("ol", { class: "standings" });
  const boards = h("div", { class: "boards" });
  const next = h("div", { class: "buttons" });
  /** @type {Set<number>} */
  const drawn = new Set();

  /** @param {Race} now */
  function drawStandings(now) {
    const ranked = now.info.seats.filter((seat) => seat.place !== undefined);
    ranked.sort((a, b) => (a.place ?? 0) - (b.place ?? 0) || a.seat - b.seat);
    setText(headline, headlineOf(now));
    fill(
      standings,
      ...ranked.map((seat) =>
        h(
          "li",
          { class: `seat-${seat.seat % 8}${seat.seat === now.seat ? " own" : ""}` },
          h("b", { class: "place" }, placeText(seat.place)),
          h("span", { class: "lane-name" }, seat.name),
          seat.seat === now.seat ? h("span", { class: "tag" }, "you") : null,
          seat.bot ? h("span", { class: "tag" }, "bot") : null,
          h("span", { class: "result" }, resultOf(seat)),
        ),
      ),
    );
  }

  /** @param {Race} now */
  function drawNext(now) {
    const again = now.info.rematch ? "Join the rematch" : "Rematch";
    fill(
      next,
      now.seat === null
        ? null
        : h(
            "button",
            { type: "button", class: "primary large", onclick: () => void rematch(now) },
            icon("play"),
            again,
          ),
      now.info.seats.some((seat) => seat.turn > 0)
        ? h("a", { class: "button", href: `/replay/${now.info.race}` }, icon("film"), "Replay")
        : null,
      h(
        "button",
        { type: "button", onclick: () => void openVerify(now.info) },
        icon("check"),
        "Verify this race",
      ),
      h("a", { class: "button quiet", href: "/" }, "Another game"),
    );
  }

  /** @param {Race} now a race against bots alone starts again at once */
  async function rematch(now) {
    const following = await app.rematch(now.info.race);
    const alone = now.info.seats.every((seat) => seat.seat === now.seat || seat.bot);
    if (following && alone) await app.ask({ type: "start", race: following.info.race });
  }

  /** @param {Race} now */
  function drawBoards(now) {
    for (const view of [...now.views.values()].sort((a, b) => a.seat - b.seat)) {
      if (drawn.has(view.seat)) continue;
      drawn.add(view.seat);
      const name = now.info.seats.find((seat) => seat.seat === view.seat)?.name ?? "";
      const table = createTable(now.spec, {
        label: `Board of ${name}`,
        widest: 44,
        still: () => true,
      });
      const felt = h("div", { class: "felt mini" }, table.element);
      boards.append(
        h(
          "figure",
          { class: `seat-${view.seat % 8}` },
          h(
            "figcaption",
            {},
            h("span", { class: "lane-name" }, name),
            h("span", {}, view.left ? `${view.left} left` : "cleared"),
          ),
          felt,
        ),
      );
      requestAnimationFrame(() => {
        table.resize(felt.clientWidth - 16, felt.clientHeight - 16);
        table.draw(boardOf(view.piles));
      });
    }
  }

  let shown = "";
  return {
    element: h(
      "div",
      { class: "ended" },
      bar.element,
      h(
        "main",
        {},
        h("section", { class: "panel" }, headline, standings, next),
        h("section", { "aria-label": "Boards" }, boards),
        h(
          "section",
          { class: "panel share" },
          h("h3", {}, "Show it to others"),
          copyField("Link to the replay", replayLink(info.race)),
          onlyHere()
            ? h("p", { class: "warning" }, "This link works on this computer only.")
            : null,
        ),
      ),
    ),
    title: `${title}: result`,
    update: () => {
      bar.update();
      const now = app.state.race;
      if (!now || now.info.race !== info.race) return;
      const key = JSON.stringify([now.info.seats, now.info.rematch]);
      if (key !== shown) {
        shown = key;
        drawStandings(now);
        drawNext(now);
      }
      drawBoards(now);
    },
  };
}

/** @param {Race} race */
function headlineOf({ info, seat }) {
  const own = info.seats.find((item) => item.seat === seat);
  const first = info.seats.filter((item) => item.place === 1);
  if (!first.length) return "This race ended before it began";
  if (own?.place === 1 && first.length === 1) {
    return info.seats.length === 1
      ? own.status === "won"
        ? "Cleared!"
        : "That was it"
      : "You win!";
  }
  if (own?.place === 1) return "A tie for the first place";
  if (first.length > 1) return `A tie: ${first.map((item) => item.name).join(" and ")}`;
  return `${first[0].name} wins`;
}

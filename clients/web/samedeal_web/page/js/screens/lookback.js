/** "Where was it lost?": asked by a button, shown on the scrubber and in words. */

import { announce } from "../announce.js";
import { fill, h, icon } from "../dom.js";
import { askAnalysis, dealInWords, findings } from "../hindsight.js";

/** @typedef {import("../../../../types.js").Replay} Replay */
/** @typedef {import("../hindsight.js").Finding} Finding */

/**
 * @param {Replay} replay
 * @param {import("../timeline.js").Position[][]} seats
 * @param {number} end the last moment of the scrubber, in ms
 * @param {(ms: number) => void} goTo
 */
export function createLookBack(replay, seats, end, goTo) {
  const marks = h("div", { class: "marks" });
  const panel = h("section", { class: "panel lookback", "aria-label": "Hindsight", hidden: true });
  const button = h("button", { type: "button", onclick: () => void look() }, "Where was it lost?");

  async function look() {
    button.disabled = true;
    tell(h("p", {}, "Looking for it; this may take some seconds…"));
    const found = await askAnalysis(replay.race, {
      fetch: (path) => fetch(path),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    if (typeof found === "string") {
      button.disabled = false;
      tell(h("p", { class: "warning" }, found));
      announce(found);
      return;
    }
    button.hidden = true;
    const all = findings(replay, seats, found);
    const deal = dealInWords(found);
    tell(h("p", {}, h("b", {}, deal)), h("ul", {}, ...all.map(itemOf)));
    fill(marks, ...all.map(markOf));
    announce([deal, ...all.map(({ text }) => text)].join(" "));
    panel.focus();
  }

  /** @param {...Node} content */
  function tell(...content) {
    panel.hidden = false;
    panel.tabIndex = -1;
    fill(panel, ...content);
  }

  /** @param {Finding} finding */
  function itemOf({ seat, text, at_ms, line }) {
    return h(
      "li",
      { class: `seat-${seat % 8}` },
      h("span", {}, text),
      at_ms === null
        ? null
        : h(
            "button",
            { type: "button", onclick: () => goTo(at_ms) },
            icon("flag"),
            "Show the move",
          ),
      line.length
        ? h(
            "details",
            {},
            h("summary", {}, "What would have cleared it"),
            h("p", {}, line.join(" ")),
          )
        : null,
    );
  }

  /** @param {Finding} finding */
  function markOf({ seat, text, at_ms }) {
    if (at_ms === null) return null;
    const mark = h("button", {
      type: "button",
      class: `mark seat-${seat % 8}`,
      "aria-label": text,
      title: text,
      onclick: () => goTo(at_ms),
    });
    mark.style.setProperty("--at", String(at_ms / end));
    return mark;
  }

  return { button, panel, marks };
}

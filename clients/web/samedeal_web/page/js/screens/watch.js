/** Watching: how far everybody is, live. Boards stay hidden until the end. */

import { fullTitle } from "../catalogue.js";
import { formatTime } from "../clock.js";
import { h, setText } from "../dom.js";
import { lanes, topBar } from "../parts.js";

/** @param {import("../app.js").App} app */
export function create(app) {
  const race = /** @type {import("../race.js").Race} */ (app.state.race);
  const title = fullTitle(race.info.game, race.info.variant);
  const bar = topBar(app, title, race.info.game);
  const racers = lanes("Racers");
  const time = h("b", { class: "figure" });
  const ticking = setInterval(tick, 100);

  function tick() {
    const now = app.state.race;
    if (!now) return;
    racers.update(now);
    const since = now.startAt === null ? 0 : performance.now() - now.startAt;
    setText(time, formatTime(since));
  }

  return {
    element: h(
      "div",
      { class: "watch" },
      bar.element,
      h(
        "main",
        {},
        h(
          "section",
          { class: "panel" },
          h("h2", {}, "Live"),
          h("p", {}, "You are watching. Everybody's board is shown when the race is over."),
          h("p", {}, time),
          racers.element,
        ),
        h("p", {}, h("a", { class: "button", href: "/" }, "Start a race of your own")),
      ),
    ),
    title: `${title}: watching`,
    update: () => {
      bar.update();
      tick();
    },
    close: () => clearInterval(ticking),
  };
}

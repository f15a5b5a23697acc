/** Why there is nothing to see, and what to do about it. */

import { h, setText } from "../dom.js";
import { topBar } from "../parts.js";

/** @param {import("../app.js").App} app */
export function create(app) {
  const bar = topBar(app);
  const head = h("h1", { tabindex: -1 });
  const text = h("p", {});
  const advice = h("p", {});
  return {
    element: h(
      "div",
      { class: "trouble" },
      bar.element,
      h(
        "main",
        {},
        h(
          "section",
          { class: "panel" },
          head,
          text,
          advice,
          h("a", { class: "button primary", href: "/" }, "To the start page"),
        ),
      ),
    ),
    title: "Race",
    update: () => {
      bar.update();
      const { trouble } = app.state;
      setText(head, trouble ? "No such race here" : "One moment…");
      setText(text, trouble?.text ?? "");
      setText(
        advice,
        trouble?.code === "unknown_race" ? "Check the code; races are kept for 30 days." : "",
      );
    },
  };
}

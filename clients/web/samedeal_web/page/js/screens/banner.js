/** What has become of one's own board, over it. */

import { announce } from "../announce.js";
import { outcomeWords } from "../commentary.js";
import { fill, h } from "../dom.js";
import { ownSeat } from "../race.js";

/** @param {HTMLElement} felt the board it is about */
export function createBanner(felt) {
  const element = h("div", { class: "banner", hidden: true });
  let shown = "";
  return {
    element,
    /** @param {import("../race.js").Race} race */
    update: (race) => {
      const own = ownSeat(race);
      const status = race.confirmed?.status ?? own?.status ?? "playing";
      if (status === shown || !own) return;
      shown = status;
      element.hidden = status === "playing" || status === "waiting";
      felt.classList.toggle("over", !element.hidden);
      if (element.hidden) return;
      const { headline, text, isFinal } = outcomeWords(race, { ...own, status });
      fill(
        element,
        h("h2", {}, headline),
        h("p", {}, text),
        isFinal && h("a", { class: "button", href: "/" }, "Another game"),
      );
      announce(`${headline}. ${text}`);
    },
  };
}

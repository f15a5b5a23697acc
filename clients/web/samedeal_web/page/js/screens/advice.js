/** Hints, in a race that was set up with them. */

import { h, icon } from "../dom.js";
import { adviseMove, pilesIn } from "../moves.js";
import { canPlay } from "../race.js";

/** @typedef {import("../race.js").Race} Race */

/**
 * @param {import("../app.js").App} app
 * @param {() => Race} current
 * @param {() => import("../spec.js").Piles} piles that are shown
 * @param {(text: string) => void} told called with what there is to say
 */
export function createAdvice(app, current, piles, told) {
  const button = h(
    "button",
    { type: "button", class: "hint-button", onclick: () => void ask() },
    icon("help"),
    h("span", {}, "Hint"),
  );
  /** @type {{ turn: number, piles: string[] } | null} */
  let advised = null;
  // Asked for while a move was under way: to be asked as soon as that is confirmed.
  let wanted = false;

  const canAsk = () => {
    const { info, confirmed, pending } = current();
    return Boolean(info.settings.hints && confirmed && !pending.length && canPlay(current()));
  };

  async function ask() {
    const { info } = current();
    wanted = !canAsk() && Boolean(info.settings.hints) && canPlay(current());
    if (!canAsk()) return;
    const hint = await app.ask({ type: "hint", race: info.race });
    const { confirmed, pending } = current();
    // What one has played meanwhile was quicker than the advice.
    if (hint?.type !== "hint" || hint.turn !== confirmed?.turn || pending.length) return;
    if (hint.move) advised = { turn: hint.turn, piles: pilesIn(hint.move, piles()) };
    told(hint.move ? `${adviseMove(hint.move, piles())} ${hint.why}` : hint.why);
  }

  return {
    button,
    ask,
    /** Piles to be marked for as long as the advice is new. */
    marks: () => {
      const { confirmed, pending } = current();
      const isNew = advised && advised.turn === confirmed?.turn && !pending.length;
      return isNew && advised ? advised.piles : [];
    },
    update: () => {
      button.hidden = !current().info.settings.hints;
      button.disabled = !canAsk();
      if (wanted && canAsk()) void ask();
    },
  };
}

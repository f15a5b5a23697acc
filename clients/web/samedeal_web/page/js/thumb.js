/** Small pictures of how a game is laid out. */

import { fan, layOut } from "./layout.js";
import { CELLS, FOUNDATIONS, specOf, tableau } from "./spec.js";
import { HIDDEN, SUITS, rankText, suitOf } from "./cards.js";
import { svg } from "./dom.js";

const WIDTH = 200;
const HEIGHT = 116;
const RANKS = "7KQ4A9J2T8635";

/**
 * @param {string} game
 * @param {string} variant
 */
export function thumbnail(game, variant) {
  const spec = specOf(game, variant);
  const layout = layOut(spec, WIDTH - 8, HEIGHT - 8, 30);
  const picture = svg("svg", {
    class: "thumb",
    viewBox: `-4 -4 ${WIDTH} ${HEIGHT}`,
    "aria-hidden": "true",
  });
  let dealt = 0;
  const next = () => RANKS[(dealt * 5) % 13] + SUITS[(dealt++ * 3) % 4];
  for (const pile of [...tableau(spec), "stock", ...CELLS, ...FOUNDATIONS]) {
    const slot = layout.slots[pile];
    if (!slot) continue;
    if (pile[0] === "c" || pile[0] === "f") {
      picture.append(box("t-slot", slot.x, slot.y));
      continue;
    }
    const cards = Array.from(
      { length: pile === "stock" ? 1 : spec.depth },
      (_, index, all = spec.depth) =>
        pile === "stock" || (spec.covered && index < all - 1) ? HIDDEN : next(),
    );
    fan(layout, pile, cards).forEach((y, index) => {
      const card = cards[index];
      picture.append(box(card === HIDDEN ? "t-down" : "t-up", slot.x, y));
      if (card !== HIDDEN && index === cards.length - 1) {
        picture.append(
          svg(
            "text",
            {
              class: `t-rank ${suitOf(card)}`,
              x: slot.x + layout.w / 2,
              y: y + layout.h * 0.66,
              "font-size": layout.w * 0.62,
              "text-anchor": "middle",
            },
            rankText(card),
          ),
        );
      }
    });
  }
  return picture;

  /** @type {(kind: string, x: number, y: number) => SVGElement} */
  function box(kind, x, y) {
    return svg("rect", {
      class: kind,
      x,
      y,
      width: layout.w,
      height: layout.h,
      rx: layout.w * 0.14,
    });
  }
}

/** How each of the twelve variants is played, and what a move does to what one sees. */

import { suitOf } from "./cards.js";

/** @typedef {import("../../../types.js").Piles} Piles */

/**
 * @typedef {object} Spec How a variant is played.
 * @property {"pairs" | "fifteens" | "lane"} kind
 * @property {number} piles how many tableau piles
 * @property {number} depth how many cards the highest pile is dealt
 * @property {boolean} [stock] whether emptied piles are refilled
 * @property {boolean} [covered] whether all but the tops are face down
 * @property {number} [sum] pairs: the ranks add to this; equal ranks without it
 * @property {boolean} [straight] fifteens: 10 J Q K is a court set
 * @property {boolean} [kind4] fifteens: four of one court rank are a set
 * @property {boolean} [courts] fifteens: 10 J Q K count 10
 * @property {boolean} [suited] lane: piles build in suit
 */

/** @type {Record<string, Spec>} */
const SPECS = {
  "juvenile/one-deck": { kind: "pairs", piles: 8, depth: 7, sum: 14 },
  "juvenile/two-decks": { kind: "pairs", piles: 8, depth: 8, stock: true, sum: 14 },
  "juvenile/seventeen-piles": { kind: "pairs", piles: 17, depth: 8, sum: 14 },
  "simple-pairs/standard": { kind: "pairs", piles: 9, depth: 1, stock: true },
  "doublets/reserve": { kind: "pairs", piles: 12, depth: 4, covered: true, stock: true },
  "doublets/sealed": { kind: "pairs", piles: 12, depth: 4, covered: true },
  "private-lane/by-suit": { kind: "lane", piles: 8, depth: 7, suited: true },
  "private-lane/any-suit": { kind: "lane", piles: 8, depth: 7 },
  "straight-fifteens/either": fifteens({ straight: true, kind4: true, courts: true }),
  "straight-fifteens/straight": fifteens({ straight: true, courts: true }),
  "straight-fifteens/four-of-a-kind": fifteens({ kind4: true, courts: true }),
  "straight-fifteens/courts-apart": fifteens({ straight: true }),
};

export const CELLS = ["c0", "c1"];
export const FOUNDATIONS = ["fc", "fd", "fh", "fs"];

/**
 * @param {Partial<Spec>} houseRule
 * @returns {Spec}
 */
function fifteens(houseRule) {
  return { kind: "fifteens", piles: 16, depth: 1, stock: true, ...houseRule };
}

/**
 * @param {string} game
 * @param {string} variant
 */
export function specOf(game, variant) {
  const spec = SPECS[`${game}/${variant}`];
  if (!spec) throw new Error(`This page does not know ${game}/${variant}; reload it.`);
  return spec;
}

/**
 * The card in play of a pile, if it has one.
 * @param {Piles} piles
 * @param {string} pile
 * @returns {string | undefined}
 */
export const topOf = (piles, pile) => piles[pile]?.[piles[pile].length - 1];

/** @param {Spec} spec */
export const tableau = (spec) => Array.from({ length: spec.piles }, (_, n) => `t${n}`);

/**
 * The text of a take: piles in ascending order.
 * @param {string[]} piles
 */
export const take = (piles) =>
  [...piles].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))).join("+");

/**
 * The piles as they are after a legal move, as far as one can see: a refill shows
 * face down until the server says what it is.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} move
 * @returns {Piles}
 */
export function play(spec, piles, move) {
  const after = Object.fromEntries(
    Object.entries(piles).map(([pile, cards]) => [pile, [...cards]]),
  );
  if (spec.kind === "lane") {
    const [source, target] = move.split(">");
    const card = /** @type {string} */ (after[source].pop());
    after[target === "f" ? `f${suitOf(card)}` : target].push(card);
    return after;
  }
  for (const pile of move.split("+")) {
    after[pile].pop();
    const refill = after[pile].length ? undefined : after.stock?.pop();
    if (refill) after[pile].push(refill);
  }
  return after;
}

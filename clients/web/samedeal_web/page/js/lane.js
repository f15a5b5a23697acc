/** Private Lane: where a card may go. */

import { cardName, rankName, rankOf, sentence, suitName, suitOf } from "./cards.js";
import { CELLS, tableau, topOf } from "./spec.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 */

/**
 * Whether a card may be put on another in the tableau.
 * @param {Spec} spec
 * @param {string} card
 * @param {string} other
 */
export const fits = (spec, card, other) =>
  rankOf(other) === rankOf(card) + 1 && (!spec.suited || suitOf(other) === suitOf(card));

/**
 * Whether a card is the next of its foundation.
 * @param {Piles} piles
 * @param {string} card
 */
export const goesUp = (piles, card) => piles[`f${suitOf(card)}`].length === rankOf(card) - 1;

/**
 * Where the top card of a pile or cell may go: `t3`, `c0`, `f`.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @returns {string[]}
 */
export function targets(spec, piles, source) {
  const card = topOf(piles, source);
  if (!card || source[0] === "f") return [];
  const fromCell = source[0] === "c";
  const alone = !fromCell && piles[source].length === 1;
  const found = goesUp(piles, card) ? ["f"] : [];
  for (const pile of tableau(spec)) {
    const top = topOf(piles, pile);
    if (top ? fits(spec, card, top) : !alone) found.push(pile);
  }
  return fromCell ? found : [...found, ...CELLS.filter((cell) => !piles[cell].length)];
}

/**
 * Why the top card of a pile may not go there.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @param {string} target `f` or `fh` for a foundation
 */
export function whyNot(spec, piles, source, target) {
  const card = topOf(piles, source);
  if (!card) return "There is no card to move.";
  if (target[0] === "f") {
    const next = piles[`f${suitOf(card)}`].length + 1;
    return `${sentence(suitName(suitOf(card)))} go on with the ${rankName(next)}.`;
  }
  const top = topOf(piles, target);
  if (target[0] === "c") {
    return source[0] === "c"
      ? "A card does not go from cell to cell."
      : `That cell holds the ${cardName(top ?? card)}.`;
  }
  if (!top) return "Moving a pile's only card to an empty pile changes nothing.";
  const base = spec.suited ? "the next higher card of its suit" : "a card one rank higher";
  return `${sentence(cardName(card))} does not go on ${cardName(top)}; it goes on ${base}.`;
}

/**
 * @param {Spec} spec
 * @param {Piles} piles
 */
export function laneMoves(spec, piles) {
  return [...tableau(spec), ...CELLS].flatMap((source) =>
    targets(spec, piles, source).map((target) => `${source}>${target}`),
  );
}

/** Juvenile, Simple Pairs and Doublets: two cards that go together. */

import { HIDDEN, cardName, rankName, rankOf, sentence } from "./cards.js";
import { tableau, topOf } from "./spec.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 */

/**
 * Whether two showing cards go together.
 * @param {Spec} spec
 * @param {string} one
 * @param {string} other
 */
function match(spec, one, other) {
  const [a, b] = [rankOf(one), rankOf(other)];
  return a > 0 && b > 0 && (spec.sum ? a + b === spec.sum : a === b);
}

/**
 * Piles whose tops go with the top of `pile`.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} pile
 */
export function partners(spec, piles, pile) {
  const card = topOf(piles, pile);
  if (!card) return [];
  return tableau(spec).filter((other) => {
    const top = topOf(piles, other);
    return other !== pile && top !== undefined && match(spec, card, top);
  });
}

/**
 * Why two cards do not go together.
 * @param {Spec} spec
 * @param {string} one
 * @param {string} other
 */
export function whyNoPair(spec, one, other) {
  if (one === HIDDEN || other === HIDDEN) return "Wait for the card to turn up.";
  const names = `${cardName(one)} and ${cardName(other)}`;
  return spec.sum
    ? `${sentence(names)} add to ${rankOf(one) + rankOf(other)}, not ${spec.sum}.`
    : `${sentence(names)} are not of the same rank.`;
}

/**
 * Why a card has nobody to go with.
 * @param {Spec} spec
 * @param {string} card
 */
export function whyAlone(spec, card) {
  if (card === HIDDEN) return "Wait for the card to turn up.";
  const wanted = spec.sum ? spec.sum - rankOf(card) : rankOf(card);
  const name = rankName(wanted);
  const other = wanted === rankOf(card) ? "other " : "";
  return `No ${other}${name} is showing.`;
}

/**
 * @param {Spec} spec
 * @param {Piles} piles
 */
export function pairMoves(spec, piles) {
  const names = tableau(spec);
  return names.flatMap((pile, index) =>
    partners(spec, piles, pile)
      .filter((other) => names.indexOf(other) > index)
      .map((other) => `${pile}+${other}`),
  );
}

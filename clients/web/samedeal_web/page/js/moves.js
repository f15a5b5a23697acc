/** Moves in words. */

import { HIDDEN, cardName, listed } from "./cards.js";
import { topOf } from "./spec.js";

/**
 * What was played: "Took seven of hearts and seven of clubs."
 * @param {string[]} moves
 * @param {import("./spec.js").Piles} piles as they were before
 */
export function sayMoves(moves, piles) {
  if (moves.length > 1) return `Moved ${moves.length} times.`;
  const [move] = moves;
  return move.includes(">") ? `${cardsOf(move, piles)}.` : `Took ${cardsOf(move, piles)}.`;
}

/**
 * What could be played: "Take seven of hearts and seven of clubs."
 * @param {string} move
 * @param {import("./spec.js").Piles} piles as they are
 */
export const adviseMove = (move, piles) =>
  `${move.includes(">") ? "Move" : "Take"} ${cardsOf(move, piles)}.`;

/**
 * The piles that a move takes from or puts on.
 * @param {string} move
 * @param {import("./spec.js").Piles} piles
 */
export const pilesIn = (move, piles) => {
  const [source, target] = move.split(">");
  if (target !== "f") return move.split(/[+>]/);
  return [source, `f${(topOf(piles, source) ?? HIDDEN)[1]}`];
};

/**
 * @param {string} move
 * @param {import("./spec.js").Piles} piles
 */
function cardsOf(move, piles) {
  const nameOf = (/** @type {string} */ pile) => cardName(topOf(piles, pile) ?? HIDDEN);
  if (!move.includes(">")) return listed(move.split("+").map(nameOf));
  const [source, target] = move.split(">");
  const where =
    target === "f"
      ? "the foundation"
      : target[0] === "c"
        ? "a free cell"
        : `pile ${Number(target.slice(1)) + 1}`;
  return `${nameOf(source)} to ${where}`;
}

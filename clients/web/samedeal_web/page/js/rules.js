/**
 * What is legal on a visible board, in all twelve variants.
 *
 * The server decides; this lets the page answer a click at once. Boards are a
 * view's piles. Nothing here knows a hidden card.
 */

import { fifteenMoves } from "./fifteens.js";
import { laneMoves } from "./lane.js";
import { pairMoves } from "./pairs.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 */

/**
 * Every legal move, each once.
 * @param {Spec} spec
 * @param {Piles} piles
 * @returns {string[]}
 */
export function legalMoves(spec, piles) {
  if (spec.kind === "lane") return laneMoves(spec, piles);
  return spec.kind === "pairs" ? pairMoves(spec, piles) : fifteenMoves(spec, piles);
}

/** Private Lane: a whole sequence as one turn of single moves, within the room there is. */

import { fits, targets, whyNot } from "./lane.js";
import { CELLS, play, tableau, topOf } from "./spec.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 * @typedef {{ moves: string[] } | { reason: string }} Plan
 */

/** A turn is at most so many moves. */
const MOST_MOVES = 64;

/**
 * How many cards from the top of a pile lie in sequence.
 * @param {Spec} spec
 * @param {string[]} cards
 */
export function runLength(spec, cards) {
  if (!cards.length) return 0;
  let count = 1;
  while (
    count < cards.length &&
    fits(spec, cards[cards.length - count], cards[cards.length - count - 1])
  ) {
    count++;
  }
  return count;
}

/**
 * How to move the top `count` cards of a pile, in sequence, to a target.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @param {string} target `t3`, `c0`, `f` or `fh`
 * @param {number} count
 * @returns {Plan}
 */
export function plan(spec, piles, source, target, count) {
  const to = target[0] === "f" ? "f" : target;
  if (source === target) return { reason: "The card lies there already." };
  if (count === 1) {
    return targets(spec, piles, source).includes(to)
      ? { moves: [`${source}>${to}`] }
      : { reason: whyNot(spec, piles, source, to) };
  }
  const cards = piles[source];
  if (to[0] !== "t") return { reason: "Only one card at a time goes there." };
  if (runLength(spec, cards) < count) return { reason: "These cards are not in sequence." };
  const top = topOf(piles, to);
  if (top && !fits(spec, cards[cards.length - count], top)) {
    const head = { ...piles, [source]: cards.slice(0, cards.length - count + 1) };
    return { reason: whyNot(spec, head, source, to) };
  }
  if (!top && count === cards.length) {
    return { reason: "Moving a whole pile to an empty pile changes nothing." };
  }
  const room = roomOf(spec, piles, to);
  const most = capacity(room.cells.length, room.empties.length);
  if (count > most) {
    return {
      reason: `That takes room for ${count} cards; the free cells and empty piles have room for ${most}.`,
    };
  }
  const moves = route(count, source, to, room.cells, room.empties);
  return moves.length > MOST_MOVES
    ? { reason: `That would take ${moves.length} moves; a turn has at most ${MOST_MOVES}.` }
    : { moves };
}

/**
 * The longest part of a pile's sequence that goes to a target.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @param {string} target
 * @returns {Plan}
 */
export function planMost(spec, piles, source, target) {
  const run = runLength(spec, piles[source]);
  const top = target[0] === "t" ? topOf(piles, target) : undefined;
  if (top) {
    for (let count = run; count > 1; count--) {
      const head = piles[source][piles[source].length - count];
      if (fits(spec, head, top)) return plan(spec, piles, source, target, count);
    }
  }
  return plan(spec, piles, source, target, 1);
}

/**
 * Every card that can go to the foundations now, one after the other.
 * @param {Spec} spec
 * @param {Piles} piles
 * @returns {string[]}
 */
export function collect(spec, piles) {
  /** @type {string[]} */
  const moves = [];
  for (let board = piles; moves.length < MOST_MOVES; ) {
    const source = [...tableau(spec), ...CELLS].find((pile) =>
      targets(spec, board, pile).includes("f"),
    );
    if (!source) break;
    moves.push(`${source}>f`);
    board = play(spec, board, `${source}>f`);
  }
  return moves;
}

/**
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} target not to be used on the way
 */
function roomOf(spec, piles, target) {
  return {
    cells: CELLS.filter((cell) => !piles[cell].length),
    empties: tableau(spec).filter((pile) => !piles[pile].length && pile !== target),
  };
}

/**
 * How many cards go over so many free cells and empty piles.
 * @param {number} cells
 * @param {number} empties
 */
export const capacity = (cells, empties) => (cells + 1) * 2 ** empties;

/**
 * @param {number} count
 * @param {string} source
 * @param {string} target
 * @param {string[]} cells
 * @param {string[]} empties
 * @returns {string[]}
 */
function route(count, source, target, cells, empties) {
  if (count <= cells.length + 1) {
    const held = cells.slice(0, count - 1);
    return [
      ...held.map((cell) => `${source}>${cell}`),
      `${source}>${target}`,
      ...held.reverse().map((cell) => `${cell}>${target}`),
    ];
  }
  const [via, ...others] = empties;
  const aside = Math.max(1, count - capacity(cells.length, others.length));
  return [
    ...route(aside, source, via, cells, others),
    ...route(count - aside, source, target, cells, others),
    ...route(aside, via, target, cells, others),
  ];
}

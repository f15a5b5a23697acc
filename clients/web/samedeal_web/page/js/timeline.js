/** A replay as positions in time: boards at any moment, and who led when. */

import { applyPatch } from "./board.js";

/**
 * @typedef {import("../../../types.js").Replay} Replay
 * @typedef {import("../../../types.js").ReplaySeat} ReplaySeat
 * @typedef {import("../../../types.js").Piles} Piles
 * @typedef {import("../../../types.js").Status} Status
 */

/**
 * @typedef {object} Position A seat's board from some moment on.
 * @property {number} at_ms
 * @property {number} turn
 * @property {Piles} piles
 * @property {number} left
 * @property {Status} status
 * @property {import("../../../types.js").ReplayStep["played"] | null} played what led here
 */

/**
 * All positions of a seat, the deal first.
 * @param {ReplaySeat} seat
 * @returns {Position[]}
 */
export function positionsOf(seat) {
  /** @type {Position[]} */
  const positions = [
    { at_ms: 0, turn: 0, piles: seat.piles, left: seat.left, status: seat.status, played: null },
  ];
  for (const step of seat.steps) {
    const { piles } = positions[positions.length - 1];
    positions.push({ ...step, piles: applyPatch(piles, step.piles) });
  }
  return positions;
}

/**
 * The index of the position that stands at a moment.
 * @param {Position[]} positions
 * @param {number} ms
 */
export function indexAt(positions, ms) {
  let index = positions.length - 1;
  while (index > 0 && positions[index].at_ms > ms) index--;
  return index;
}

/**
 * Every moment at which something happened, each once, in order.
 * @param {Position[][]} seats
 */
export const moments = (seats) =>
  [...new Set(seats.flatMap((positions) => positions.map(({ at_ms }) => at_ms)))].sort(
    (a, b) => a - b,
  );

/**
 * Who had the fewest cards left from when to when; a tie is the earlier leader's.
 * @param {Position[][]} seats
 * @param {number} ends_ms
 * @returns {{ seat: number, from: number, to: number }[]} `seat` is an index
 */
export function leaders(seats, ends_ms) {
  /** @type {{ seat: number, from: number, to: number }[]} */
  const found = [];
  for (const ms of moments(seats)) {
    const lefts = seats.map((positions) => positions[indexAt(positions, ms)].left);
    const least = Math.min(...lefts);
    const last = found[found.length - 1];
    const isTied = lefts.filter((left) => left === least).length > 1;
    if (last && lefts[last.seat] === least) continue;
    if (!last && isTied) continue;
    if (last) last.to = ms;
    found.push({ seat: lefts.indexOf(least), from: ms, to: ends_ms });
  }
  return found;
}

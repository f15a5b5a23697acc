/** Where a race was lost: what the server has found out, as words and moments. */

import { counted } from "./clock.js";
import { sayMoves } from "./moves.js";
import { play, specOf } from "./spec.js";

/**
 * @typedef {import("../../../types.js").Analysis} Analysis
 * @typedef {import("../../../types.js").SeatAnalysis} SeatAnalysis
 * @typedef {import("../../../types.js").Replay} Replay
 * @typedef {import("./timeline.js").Position} Position
 */

/**
 * @typedef {object} Finding What is told of one seat.
 * @property {number} seat its number
 * @property {string} name
 * @property {string} text
 * @property {number | null} at_ms when it lost the deal, by a move; null if it did not
 * @property {string[]} line moves that would have cleared the board before
 */

const AGAIN_MS = 1000;
const PATIENCE = 45;

/**
 * Ask what could have become of a race, until the server has worked it out.
 * @param {string} race
 * @param {object} means
 * @param {(path: string) => Promise<Response>} means.fetch
 * @param {(ms: number) => Promise<unknown>} means.wait
 * @returns {Promise<Analysis | string>} or why it cannot be had
 */
export async function askAnalysis(race, { fetch, wait }) {
  let trouble = "";
  for (let tries = 0; tries < PATIENCE; tries++) {
    try {
      const response = await fetch(`/races/${encodeURIComponent(race)}/analysis.json`);
      if (response.ok) return await response.json();
      trouble = (await response.text()).trim();
      if (response.status !== 503 && response.status !== 429) return trouble;
    } catch {
      return "The server cannot be reached; try again.";
    }
    await wait(AGAIN_MS);
  }
  return trouble;
}

/**
 * One sentence on the deal.
 * @param {Analysis} analysis
 */
export function dealInWords({ verdict, left, exact }) {
  if (verdict === "won") return "This deal could be cleared.";
  const best = counted(left, "card");
  if (verdict === "unknown") {
    return `Whether this deal could be cleared is not known. The best line found leaves ${best}.`;
  }
  return exact
    ? `Nobody could clear this deal: ${best} left at best.`
    : `Nobody could clear this deal. The best line found leaves ${best}; there may be a better one.`;
}

/**
 * What is known of every seat; nothing where nobody could clear the deal.
 * @param {Replay} replay
 * @param {Position[][]} seats positions, in the order of the replay's seats
 * @param {Analysis} analysis
 * @returns {Finding[]}
 */
export function findings(replay, seats, analysis) {
  if (analysis.verdict !== "won") return [];
  return replay.seats.flatMap(({ seat, name }, index) => {
    const found = analysis.seats.find((item) => item.seat === seat);
    if (!found) return [];
    const loss = lossIn(replay, seats[index], found);
    const text = loss ? `${turnWords(name, found)} ${loss.words}` : seatInWords(name, found);
    const line = found.left && found.turn !== undefined ? (found.line ?? []) : [];
    return [{ seat, name, text, at_ms: loss ? loss.at_ms : null, line }];
  });
}

/**
 * @param {string} name
 * @param {SeatAnalysis} found
 */
const turnWords = (name, { turn }) =>
  `${name} could clear it until turn ${turn}, and then lost it:`;

/**
 * Where no move is known to have lost the deal.
 * @param {string} name
 * @param {SeatAnalysis} found
 */
function seatInWords(name, { left, turn, certain }) {
  if (!left) return `${name} cleared it.`;
  if (turn === undefined) return `Whether ${name} could clear it is not known.`;
  return certain
    ? `${name} could still have cleared it at the end.`
    : `${name} could clear it at turn ${turn}; whether later, too, is not known.`;
}

/**
 * The move that lost the deal: when it was made, and which cards it took.
 * @param {Replay} replay
 * @param {Position[]} positions
 * @param {SeatAnalysis} found
 */
function lossIn(replay, positions, { turn, lost_by }) {
  if (turn === undefined || lost_by === undefined) return null;
  const index = positions.findIndex((position) => position.turn === turn + 1);
  const { at_ms, played } = positions[index] ?? {};
  if (at_ms === undefined || !Array.isArray(played)) return null;
  const spec = specOf(replay.game, replay.variant);
  // Of a list, the moves before the one that lost it come first.
  const piles = played
    .slice(0, played.indexOf(lost_by))
    .reduce((board, move) => play(spec, board, move), positions[index - 1].piles);
  const words = sayMoves([lost_by], piles);
  return { at_ms, words: words.charAt(0).toLowerCase() + words.slice(1) };
}

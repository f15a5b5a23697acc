/**
 * What a player's hands do, in terms of piles: which cards are picked, and when that
 * makes a move. Forgiving, and without a document.
 */

import { completions, judge, whyNoSet } from "./fifteens.js";
import { dropTargets, tapLane } from "./hands-lane.js";
import { partners, whyAlone, whyNoPair } from "./pairs.js";
import { legalMoves } from "./rules.js";
import { CELLS, tableau, take, topOf } from "./spec.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 */

/**
 * @typedef {object} Hands
 * @property {string[]} picked piles whose tops are picked, in order
 * @property {number} count lane: how many cards are picked from the one pile
 * @property {{ pile: string, at: number } | null} echo a pile where a second tap,
 *   soon, still belongs to the move just made
 */

/**
 * @typedef {object} Outcome What a gesture came to.
 * @property {string[]} [moves] to be played
 * @property {string} [say] why not, in words
 * @property {string[]} [shake] piles that refuse
 */

/**
 * @typedef {object} Habits The settings that bear on hands.
 * @property {boolean} oneTap a tap moves where only one thing can be meant
 * @property {boolean} autoTake a complete set goes by itself
 */

/** A second tap within so many ms is part of the first. */
const ECHO_MS = 450;

/** @returns {Hands} */
export const emptyHands = () => ({ picked: [], count: 0, echo: null });

/** @param {Hands} hands */
export function clear(hands) {
  hands.picked = [];
  hands.count = 0;
}

/**
 * Let go of what is no longer there.
 * @param {Hands} hands
 * @param {Piles} piles
 */
export function recheck(hands, piles) {
  if (hands.picked.some((pile) => (piles[pile]?.length ?? 0) < Math.max(1, hands.count))) {
    clear(hands);
  }
}

/**
 * A tap on a pile.
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {Habits} habits
 * @param {string} pile
 * @param {number} count from the tapped card to the top; 0 on an empty pile
 * @param {number} now ms
 * @returns {Outcome}
 */
export function tap(hands, spec, piles, habits, pile, count, now) {
  if (hands.echo && hands.echo.pile === pile && now - hands.echo.at < ECHO_MS) {
    hands.echo = null;
    return {};
  }
  hands.echo = null;
  if (spec.kind === "lane") return tapLane(hands, spec, piles, habits, pile, count, now);
  if (pile === "stock" || !topOf(piles, pile)) {
    clear(hands);
    return {};
  }
  return spec.kind === "pairs"
    ? tapPair(hands, spec, piles, habits, pile, now)
    : tapSet(hands, spec, piles, habits, pile);
}

/**
 * Take what is picked, where that takes asking.
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @returns {Outcome}
 */
export function confirmPick(hands, spec, piles) {
  if (spec.kind !== "fifteens" || !hands.picked.length) return {};
  const cards = hands.picked.map((pile) => topOf(piles, pile) ?? "??");
  if (judge(spec, cards).state === "complete") return taken(hands, take(hands.picked));
  return { say: whyNoSet(spec, cards), shake: [...hands.picked] };
}

/**
 * Piles worth a look: partners of what is picked, or all that can be played.
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @returns {string[]}
 */
export function aids(hands, spec, piles) {
  const [first] = hands.picked;
  if (spec.kind === "lane") {
    return first ? dropTargets(spec, piles, first, hands.count) : [];
  }
  if (spec.kind === "fifteens") return first ? completions(spec, piles, hands.picked) : [];
  if (first) return partners(spec, piles, first);
  return [...new Set(legalMoves(spec, piles).flatMap((move) => move.split("+")))];
}

/** @type {(hands: Hands, move: string) => Outcome} */
function taken(hands, move) {
  clear(hands);
  return { moves: [move] };
}

/**
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {Habits} habits
 * @param {string} pile
 * @param {number} now
 * @returns {Outcome}
 */
function tapPair(hands, spec, piles, habits, pile, now) {
  const card = topOf(piles, pile) ?? "??";
  const [first] = hands.picked;
  const mates = partners(spec, piles, pile);
  if (first === pile) {
    clear(hands);
    return {};
  }
  if (first) {
    if (mates.includes(first)) return taken(hands, take([first, pile]));
    const say = whyNoPair(spec, topOf(piles, first) ?? "??", card);
    hands.picked = mates.length ? [pile] : [];
    return { say, shake: [first, pile] };
  }
  if (!mates.length) return { say: whyAlone(spec, card), shake: [pile] };
  if (mates.length === 1 && habits.oneTap) {
    hands.echo = { pile: mates[0], at: now };
    return taken(hands, take([pile, mates[0]]));
  }
  hands.picked = [pile];
  return {};
}

/**
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {Habits} habits
 * @param {string} pile
 * @returns {Outcome}
 */
function tapSet(hands, spec, piles, habits, pile) {
  if (hands.picked.includes(pile)) {
    hands.picked = hands.picked.filter((other) => other !== pile);
    return {};
  }
  const picked = [...hands.picked, pile];
  const cards = picked.map((name) => topOf(piles, name) ?? "??");
  if (cards.includes("??")) return { say: whyNoSet(spec, cards), shake: [pile] };
  const { state, sum } = judge(spec, cards);
  if (state === "over") {
    const countable = spec.courts || sum > 15;
    const say = countable ? `That makes ${sum}; a set adds to 15.` : whyNoSet(spec, cards);
    return { say, shake: [pile] };
  }
  hands.picked = picked;
  return state === "complete" && habits.autoTake ? taken(hands, take(picked)) : {};
}

/**
 * The pile that a key for a rank means: the next one showing it, after `from`.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {number} rank
 * @param {Hands} hands
 * @param {(card: string) => number} rankOf
 */
export function pileOfRank(spec, piles, rank, hands, rankOf) {
  const names = spec.kind === "lane" ? [...tableau(spec), ...CELLS] : tableau(spec);
  const showing = names.filter((pile) => {
    const card = topOf(piles, pile);
    return card !== undefined && rankOf(card) === rank;
  });
  return showing.find((pile) => !hands.picked.includes(pile));
}

/**
 * What a player's hands do, in terms of piles: which cards are picked, and when that
 * makes a move. Forgiving, and without a document.
 */

import { cardName } from "./cards.js";
import {
  CELLS, completions, judge, legalMoves, partners, tableau, take, targets, topOf, whyAlone,
  whyNoPair, whyNoSet,
} from "./rules.js";
import { plan, planMost, runLength } from "./sequences.js";

/**
 * @typedef {import("./rules.js").Spec} Spec
 * @typedef {import("./rules.js").Piles} Piles
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
 * A double tap: to the foundation.
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} pile
 * @returns {Outcome}
 */
export function sendUp(hands, spec, piles, pile) {
  if (spec.kind !== "lane" || !topOf(piles, pile) || pile[0] === "f") return {};
  return carryOut(hands, plan(spec, piles, pile, "f", 1), pile);
}

/**
 * To a free cell.
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} pile
 * @returns {Outcome}
 */
export function sendToCell(hands, spec, piles, pile) {
  if (spec.kind !== "lane" || pile[0] !== "t" || !topOf(piles, pile)) return {};
  const cell = CELLS.find((name) => !piles[name].length);
  if (!cell) return { say: "Both cells are taken.", shake: [...CELLS] };
  return carryOut(hands, plan(spec, piles, pile, cell, 1), pile);
}

/**
 * Cards dropped on a pile.
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @param {number} count
 * @param {string} target
 * @returns {Outcome}
 */
export function drop(hands, spec, piles, source, count, target) {
  return carryOut(hands, plan(spec, piles, source, target, count), source);
}

/**
 * Where cards may be dropped.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @param {number} count
 * @returns {string[]} piles by name, foundations included
 */
export function dropTargets(spec, piles, source, count) {
  const all = Object.keys(piles).filter((pile) => pile !== source && pile !== "stock");
  return all.filter((pile) => {
    const top = topOf(piles, source);
    if (pile[0] === "f" && pile[1] !== top?.[1]) return false;
    return "moves" in plan(spec, piles, source, pile, count);
  });
}

/**
 * Whether the cards from there to the top can be lifted together.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} pile
 * @param {number} count
 */
export const canLift = (spec, piles, pile, count) =>
  spec.kind === "lane" &&
  pile[0] !== "f" &&
  count >= 1 &&
  (count === 1 || count <= runLength(spec, piles[pile]));

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
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {Habits} habits
 * @param {string} pile
 * @param {number} count
 * @param {number} now
 * @returns {Outcome}
 */
function tapLane(hands, spec, piles, habits, pile, count, now) {
  const [first] = hands.picked;
  if (first === pile) {
    clear(hands);
    return {};
  }
  if (first) {
    const planned =
      hands.count > 1
        ? plan(spec, piles, first, pile, hands.count)
        : planMost(spec, piles, first, pile);
    if ("moves" in planned) return carryOut(hands, planned, first);
    if (!count || pile[0] === "f") return { say: planned.reason, shake: [pile] };
    return { ...pick(hands, spec, piles, pile, count), say: planned.reason };
  }
  if (!count || pile[0] === "f") return {};
  const wanted = Math.min(count, runLength(spec, piles[pile]));
  if (wanted < count) {
    return { say: "The cards above it are not in sequence.", shake: [pile] };
  }
  const sensible = dropTargets(spec, piles, pile, count).filter(
    (target) => target[0] === "f" || (target[0] === "t" && piles[target].length > 0),
  );
  if (habits.oneTap && sensible.length === 1) {
    hands.echo = { pile, at: now };
    return carryOut(hands, plan(spec, piles, pile, sensible[0], count), pile);
  }
  return pick(hands, spec, piles, pile, count);
}

/**
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} pile
 * @param {number} count
 * @returns {Outcome}
 */
function pick(hands, spec, piles, pile, count) {
  clear(hands);
  if (!canLift(spec, piles, pile, count)) return { shake: [pile] };
  if (count === 1 && !targets(spec, piles, pile).length) {
    const card = cardName(topOf(piles, pile) ?? "??");
    return { say: `The ${card} has nowhere to go.`, shake: [pile] };
  }
  hands.picked = [pile];
  hands.count = count;
  return {};
}

/**
 * @param {Hands} hands
 * @param {import("./sequences.js").Plan} planned
 * @param {string} source
 * @returns {Outcome}
 */
function carryOut(hands, planned, source) {
  clear(hands);
  return "moves" in planned ? planned : { say: planned.reason, shake: [source] };
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

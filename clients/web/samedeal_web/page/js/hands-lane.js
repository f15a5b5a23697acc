/** What a player's hands do in Private Lane: tap, drop, send up, set aside. */

import { cardName } from "./cards.js";
import { targets } from "./lane.js";
import { plan, planMost, runLength } from "./sequences.js";
import { CELLS, topOf } from "./spec.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 * @typedef {import("./hands.js").Hands} Hands
 * @typedef {import("./hands.js").Habits} Habits
 * @typedef {import("./hands.js").Outcome} Outcome
 */

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
 * @param {Hands} hands
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {Habits} habits
 * @param {string} pile
 * @param {number} count
 * @param {number} now
 * @returns {Outcome}
 */
export function tapLane(hands, spec, piles, habits, pile, count, now) {
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

/** @param {Hands} hands */
function clear(hands) {
  hands.picked = [];
  hands.count = 0;
}

/** Straight Fifteens: sets that add to fifteen, and court sets. */

import { HIDDEN, cardName, listed, rankOf, sentence } from "./cards.js";
import { tableau, take, topOf } from "./spec.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 */

const TEN = 10;

/**
 * What a card counts towards fifteen; 0 where it is in no fifteen.
 * @param {Spec} spec
 * @param {string} card
 */
export function worth(spec, card) {
  const rank = rankOf(card);
  return rank < TEN ? rank : spec.courts ? 10 : 0;
}

/**
 * @param {Spec} spec
 * @param {string[]} cards
 */
function isCourtSet(spec, cards) {
  const ranks = new Set(cards.map(rankOf));
  if (cards.length !== 4 || [...ranks].some((rank) => rank < TEN)) return false;
  return Boolean((spec.straight && ranks.size === 4) || (spec.kind4 && ranks.size === 1));
}

/**
 * How a choice of cards stands: complete, still open, or beyond hope.
 * @param {Spec} spec
 * @param {string[]} cards
 * @returns {{ sum: number, state: "open" | "complete" | "over", say: string }}
 */
export function judge(spec, cards) {
  const sum = cards.reduce((total, card) => total + worth(spec, card), 0);
  const courts = cards.filter((card) => rankOf(card) >= TEN);
  const onlyCourts = courts.length === cards.length;
  const countable = spec.courts || courts.length === 0;
  if ((countable && sum === 15) || isCourtSet(spec, cards)) {
    return { sum, state: "complete", say: sum === 15 ? "15" : "court set" };
  }
  const hopeful = (countable && sum < 15) || (onlyCourts && mayBecomeCourtSet(spec, cards));
  const say =
    onlyCourts && cards.length > 1 && hopeful
      ? `${cards.length} of 4 courts`
      : countable
        ? `${sum} of 15`
        : `court set: ${courts.length} of 4`;
  return { sum, state: hopeful ? "open" : "over", say };
}

/**
 * @param {Spec} spec
 * @param {string[]} cards all of them courts
 */
function mayBecomeCourtSet(spec, cards) {
  const ranks = new Set(cards.map(rankOf)).size;
  if (cards.length > 4) return false;
  return Boolean((spec.straight && ranks === cards.length) || (spec.kind4 && ranks === 1));
}

/**
 * Why a choice of cards is no set.
 * @param {Spec} spec
 * @param {string[]} cards
 */
export function whyNoSet(spec, cards) {
  if (cards.includes(HIDDEN)) return "Wait for the card to turn up.";
  const names =
    cards.length > 4 ? `These ${cards.length} cards` : sentence(listed(cards.map(cardName)));
  if (!spec.courts && cards.some((card) => rankOf(card) >= TEN)) {
    return `${names}: 10, jack, queen and king go only as a court set here.`;
  }
  const { sum } = judge(spec, cards);
  return cards.length < 2
    ? "Take two cards or more."
    : `${names} add to ${sum}, not 15, and are no court set.`;
}

/**
 * Piles that are in some set together with all of the chosen ones.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string[]} chosen
 */
export function completions(spec, piles, chosen) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const move of fifteenMoves(spec, piles)) {
    const set = move.split("+");
    if (chosen.every((pile) => set.includes(pile))) set.forEach((pile) => found.add(pile));
  }
  return [...found].filter((pile) => !chosen.includes(pile));
}

/**
 * @param {Spec} spec
 * @param {Piles} piles
 */
export function fifteenMoves(spec, piles) {
  /** @type {string[]} */
  const moves = [];
  const showing = tableau(spec).flatMap((pile) => {
    const card = topOf(piles, pile);
    return card && card !== HIDDEN ? [{ pile, card, value: worth(spec, card) }] : [];
  });
  const counting = showing.filter(({ value }) => value > 0);

  /** @type {(from: number, missing: number, chosen: string[]) => void} */
  const extend = (from, missing, chosen) => {
    for (let index = from; index < counting.length; index++) {
      const { pile, value } = counting[index];
      if (value === missing) moves.push([...chosen, pile].join("+"));
      else if (value < missing) extend(index + 1, missing - value, [...chosen, pile]);
    }
  };
  extend(0, 15, []);

  const courts = [10, 11, 12, 13].map((rank) =>
    showing.filter(({ card }) => rankOf(card) === rank).map(({ pile }) => pile),
  );
  if (spec.straight) {
    const [tens, jacks, queens, kings] = courts;
    for (const ten of tens)
      for (const jack of jacks)
        for (const queen of queens)
          for (const king of kings) moves.push(take([ten, jack, queen, king]));
  }
  if (spec.kind4) {
    for (const same of courts) if (same.length === 4) moves.push(same.join("+"));
  }
  return moves;
}

/**
 * What is legal on a visible board, in all twelve variants.
 *
 * The server decides; this lets the page answer a click at once. Boards are a
 * view's piles. Nothing here knows a hidden card.
 */

import { HIDDEN, cardName, listed, rankName, rankOf, suitName, suitOf } from "./cards.js";

/** @typedef {import("../../../types.js").Piles} Piles */

/**
 * @typedef {object} Spec How a variant is played.
 * @property {"pairs" | "fifteens" | "lane"} kind
 * @property {number} piles how many tableau piles
 * @property {number} depth how many cards the highest pile is dealt
 * @property {boolean} [stock] whether emptied piles are refilled
 * @property {boolean} [covered] whether all but the tops are face down
 * @property {number} [sum] pairs: the ranks add to this; equal ranks without it
 * @property {boolean} [straight] fifteens: 10 J Q K is a court set
 * @property {boolean} [kind4] fifteens: four of one court rank are a set
 * @property {boolean} [courts] fifteens: 10 J Q K count 10
 * @property {boolean} [suited] lane: piles build in suit
 */

/** @type {Record<string, Spec>} */
const SPECS = {
  "juvenile/one-deck": { kind: "pairs", piles: 8, depth: 7, sum: 14 },
  "juvenile/two-decks": { kind: "pairs", piles: 8, depth: 8, stock: true, sum: 14 },
  "juvenile/seventeen-piles": { kind: "pairs", piles: 17, depth: 8, sum: 14 },
  "simple-pairs/standard": { kind: "pairs", piles: 9, depth: 1, stock: true },
  "doublets/reserve": { kind: "pairs", piles: 12, depth: 4, covered: true, stock: true },
  "doublets/sealed": { kind: "pairs", piles: 12, depth: 4, covered: true },
  "private-lane/by-suit": { kind: "lane", piles: 8, depth: 7, suited: true },
  "private-lane/any-suit": { kind: "lane", piles: 8, depth: 7 },
  "straight-fifteens/either": fifteens({ straight: true, kind4: true, courts: true }),
  "straight-fifteens/straight": fifteens({ straight: true, courts: true }),
  "straight-fifteens/four-of-a-kind": fifteens({ kind4: true, courts: true }),
  "straight-fifteens/courts-apart": fifteens({ straight: true }),
};

const TEN = 10;
export const CELLS = ["c0", "c1"];
export const FOUNDATIONS = ["fc", "fd", "fh", "fs"];

/**
 * @param {Partial<Spec>} houseRule
 * @returns {Spec}
 */
function fifteens(houseRule) {
  return { kind: "fifteens", piles: 16, depth: 1, stock: true, ...houseRule };
}

/**
 * @param {string} game
 * @param {string} variant
 */
export function specOf(game, variant) {
  const spec = SPECS[`${game}/${variant}`];
  if (!spec) throw new Error(`This page does not know ${game}/${variant}; reload it.`);
  return spec;
}

/**
 * The card in play of a pile, if it has one.
 * @param {Piles} piles
 * @param {string} pile
 * @returns {string | undefined}
 */
export const topOf = (piles, pile) => piles[pile]?.[piles[pile].length - 1];

/** @param {Spec} spec */
export const tableau = (spec) => Array.from({ length: spec.piles }, (_, n) => `t${n}`);

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

/**
 * The text of a take: piles in ascending order.
 * @param {string[]} piles
 */
export const take = (piles) =>
  [...piles].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))).join("+");

/**
 * The piles as they are after a legal move, as far as one can see: a refill shows
 * face down until the server says what it is.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} move
 * @returns {Piles}
 */
export function play(spec, piles, move) {
  const after = Object.fromEntries(
    Object.entries(piles).map(([pile, cards]) => [pile, [...cards]]),
  );
  if (spec.kind === "lane") {
    const [source, target] = move.split(">");
    const card = /** @type {string} */ (after[source].pop());
    after[target === "f" ? `f${suitOf(card)}` : target].push(card);
    return after;
  }
  for (const pile of move.split("+")) {
    after[pile].pop();
    const refill = after[pile].length ? undefined : after.stock?.pop();
    if (refill) after[pile].push(refill);
  }
  return after;
}

// Pair games.

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
function pairMoves(spec, piles) {
  const names = tableau(spec);
  return names.flatMap((pile, index) =>
    partners(spec, piles, pile)
      .filter((other) => names.indexOf(other) > index)
      .map((other) => `${pile}+${other}`),
  );
}

// Straight Fifteens.

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
  const hopeful =
    (countable && sum < 15) || (onlyCourts && mayBecomeCourtSet(spec, cards));
  const say = onlyCourts && cards.length > 1 && hopeful
    ? `${cards.length} of 4 courts`
    : countable ? `${sum} of 15` : `court set: ${courts.length} of 4`;
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
  const names = cards.length > 4 ? `These ${cards.length} cards` : sentence(listed(cards.map(cardName)));
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
function fifteenMoves(spec, piles) {
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

// Private Lane.

/**
 * Whether a card may be put on another in the tableau.
 * @param {Spec} spec
 * @param {string} card
 * @param {string} other
 */
export const fits = (spec, card, other) =>
  rankOf(other) === rankOf(card) + 1 && (!spec.suited || suitOf(other) === suitOf(card));

/**
 * Whether a card is the next of its foundation.
 * @param {Piles} piles
 * @param {string} card
 */
export const goesUp = (piles, card) => piles[`f${suitOf(card)}`].length === rankOf(card) - 1;

/**
 * Where the top card of a pile or cell may go: `t3`, `c0`, `f`.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @returns {string[]}
 */
export function targets(spec, piles, source) {
  const card = topOf(piles, source);
  if (!card || source[0] === "f") return [];
  const fromCell = source[0] === "c";
  const alone = !fromCell && piles[source].length === 1;
  const found = goesUp(piles, card) ? ["f"] : [];
  for (const pile of tableau(spec)) {
    const top = topOf(piles, pile);
    if (top ? fits(spec, card, top) : !alone) found.push(pile);
  }
  return fromCell ? found : [...found, ...CELLS.filter((cell) => !piles[cell].length)];
}

/**
 * Why the top card of a pile may not go there.
 * @param {Spec} spec
 * @param {Piles} piles
 * @param {string} source
 * @param {string} target `f` or `fh` for a foundation
 */
export function whyNot(spec, piles, source, target) {
  const card = topOf(piles, source);
  if (!card) return "There is no card to move.";
  if (target[0] === "f") {
    const next = piles[`f${suitOf(card)}`].length + 1;
    return `${sentence(suitName(suitOf(card)))} go on with the ${rankName(next)}.`;
  }
  const top = topOf(piles, target);
  if (target[0] === "c") {
    return source[0] === "c"
      ? "A card does not go from cell to cell."
      : `That cell holds the ${cardName(top ?? card)}.`;
  }
  if (!top) return "Moving a pile's only card to an empty pile changes nothing.";
  const base = spec.suited ? "the next higher card of its suit" : "a card one rank higher";
  return `${sentence(cardName(card))} does not go on ${cardName(top)}; it goes on ${base}.`;
}

/**
 * @param {Spec} spec
 * @param {Piles} piles
 */
function laneMoves(spec, piles) {
  return [...tableau(spec), ...CELLS].flatMap((source) =>
    targets(spec, piles, source).map((target) => `${source}>${target}`),
  );
}

/** @param {string} words */
const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

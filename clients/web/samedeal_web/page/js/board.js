/**
 * A board of cards that keep who they are from one position to the next, so that
 * what is drawn can move instead of being drawn anew. No document in here.
 */

import { HIDDEN, suitOf } from "./cards.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 * @typedef {import("../../../types.js").PilesPatch} PilesPatch
 * @typedef {{ id: number, text: string }} Card
 * @typedef {Record<string, Card[]>} Board
 */

let lastId = 0;

/** @type {(text: string) => Card} */
const fresh = (text) => ({ id: ++lastId, text });

/**
 * @param {Piles} piles
 * @returns {Board}
 */
export const boardOf = (piles) => mapPiles(piles, (cards) => cards.map(fresh));

/**
 * @param {Board} board
 * @returns {Piles}
 */
export const pilesOf = (board) => mapPiles(board, (cards) => cards.map((card) => card.text));

/**
 * The board after a move: a shifted card stays itself, a refill is a stock card.
 * @param {Spec} spec
 * @param {Board} board
 * @param {string} move legal
 * @returns {Board}
 */
export function playOn(spec, board, move) {
  const after = { ...board };
  if (spec.kind === "lane") {
    const [source, target] = move.split(">");
    const card = after[source][after[source].length - 1];
    const to = target === "f" ? `f${suitOf(card.text)}` : target;
    after[source] = after[source].slice(0, -1);
    after[to] = [...after[to], card];
    return after;
  }
  for (const pile of move.split("+")) {
    after[pile] = after[pile].slice(0, -1);
    if (!after[pile].length && after.stock?.length) {
      after[pile] = after.stock.slice(-1);
      after.stock = after.stock.slice(0, -1);
    }
  }
  return after;
}

/**
 * The board as the server has it: cards that agree stay themselves, face-down ones
 * turn up, and a card that lies elsewhere now moves there.
 * @param {Board} board
 * @param {Piles} piles
 * @returns {Board}
 */
export function reconcile(board, piles) {
  /** @type {Map<string, Card[]>} */
  const loose = new Map();
  const settled = mapPiles(piles, (texts, pile) => {
    const old = board[pile] ?? [];
    for (const card of old.slice(texts.length)) setLoose(loose, card);
    return texts.map((text, index) => {
      const card = old[index];
      if (card?.text === text) return card;
      if (card?.text === HIDDEN || (card && text === HIDDEN)) return { id: card.id, text };
      if (card) setLoose(loose, card);
      return null;
    });
  });
  return mapPiles(settled, (cards, pile) =>
    cards.map((card, index) => {
      if (card) return card;
      const text = piles[pile][index];
      return (text !== HIDDEN && loose.get(text)?.pop()) || fresh(text);
    }),
  );
}

/**
 * @param {Map<string, Card[]>} loose
 * @param {Card} card
 */
function setLoose(loose, card) {
  loose.set(card.text, [...(loose.get(card.text) ?? []), card]);
}

/**
 * `piles` with `patch` applied: changed piles keep so many cards from the bottom.
 * @param {Piles} piles
 * @param {PilesPatch} patch
 * @returns {Piles}
 */
export function applyPatch(piles, patch) {
  const after = { ...piles };
  for (const [pile, [keep, cards]] of Object.entries(patch)) {
    if (!after[pile] || keep > after[pile].length) {
      throw new Error(`The patch does not fit pile ${pile}.`);
    }
    after[pile] = [...after[pile].slice(0, keep), ...cards];
  }
  return after;
}

/**
 * @template T, U
 * @param {Record<string, T>} piles
 * @param {(cards: T, pile: string) => U} change
 * @returns {Record<string, U>}
 */
function mapPiles(piles, change) {
  return Object.fromEntries(
    Object.entries(piles).map(([pile, cards]) => [pile, change(cards, pile)]),
  );
}

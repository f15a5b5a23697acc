/** Cards as text (`Td`, `??` face down): what they are called and worth. */

export const HIDDEN = "??";
export const SUITS = "cdhs";

const RANKS = "A23456789TJQK";
const RANK_NAMES = [
  "ace",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "jack",
  "queen",
  "king",
];
/** @type {Record<string, string>} */
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/**
 * Ace 1 to king 13; 0 for a face-down card.
 * @param {string} card
 */
export const rankOf = (card) => RANKS.indexOf(card[0]) + 1;

/** @param {string} card */
export const suitOf = (card) => card[1];

/**
 * As printed on the card: `10`, `Q`.
 * @param {string} card
 */
export const rankText = (card) => (card[0] === "T" ? "10" : card[0]);

/**
 * "seven of hearts"
 * @param {string} card
 */
export const cardName = (card) =>
  card === HIDDEN
    ? "face-down card"
    : `${RANK_NAMES[rankOf(card) - 1]} of ${SUIT_NAMES[suitOf(card)]}`;

/** @param {number} rank 1 to 13 */
export const rankName = (rank) => RANK_NAMES[rank - 1];

/** @param {string} suit */
export const suitName = (suit) => SUIT_NAMES[suit];

/**
 * "a and b", "a, b and c"
 * @param {string[]} items
 */
export const listed = (items) =>
  items.length < 2
    ? items.join("")
    : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;

/**
 * With a capital letter to begin with.
 * @param {string} words
 */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

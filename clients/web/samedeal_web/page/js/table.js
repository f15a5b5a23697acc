/**
 * Draws a board: cards are elements that live as long as the card does and move by
 * `translate`. Knows where cards lie, not what may be done with them.
 */

import { HIDDEN, cardName, rankOf, rankText, suitOf } from "./cards.js";
import { counted } from "./clock.js";
import { h } from "./dom.js";
import { fan, layOut } from "./layout.js";
import { FOUNDATIONS } from "./spec.js";
import { pilesOf } from "./board.js";

/**
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("./board.js").Card} Card
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./layout.js").Layout} Layout
 */

/**
 * @typedef {object} Marks What stands out on a board.
 * @property {string[]} picked
 * @property {number} count cards picked from the top; 0 means one
 * @property {string[]} aids
 */

/**
 * @typedef {object} Table
 * @property {HTMLElement} element
 * @property {(board: Board, marks?: Marks) => void} draw
 * @property {(width: number, height: number) => void} resize
 * @property {() => Layout} layout
 * @property {(pile: string) => HTMLElement | undefined} spot the control over a pile
 * @property {(card: Card, x: number, y: number) => void} carry put a card under a finger
 * @property {(card: Card) => void} letGo
 * @property {(piles: string[]) => void} shake
 */

const GONE_MS = 200;
const MOVE_MS = 160;

/**
 * @param {Spec} spec
 * @param {object} options
 * @param {string} options.label what the board is, for a screen reader
 * @param {boolean} [options.live] has a control over every pile
 * @param {number} [options.widest] of a card, in px
 * @param {() => boolean} [options.still] whether motion is unwanted
 * @returns {Table}
 */
export function createTable(spec, { label, live = false, widest, still = () => false }) {
  const element = h("div", { class: "table", role: "group", "aria-label": label });
  /** @type {Map<number, { element: HTMLElement, text: string, pile: string }>} */
  const drawn = new Map();
  /** @type {Map<string, HTMLElement>} */
  const outlines = new Map();
  /** @type {Map<string, HTMLElement>} */
  const spots = new Map();
  const stockCount = h("span", { class: "stock-count", "aria-hidden": "true" });
  /** @type {Set<number>} */
  const carried = new Set();
  let layout = layOut(spec, 320, 240, widest);
  /** @type {[Board, Marks | undefined] | null} */
  let last = null;
  let current = "t0";

  /** @param {string} pile */
  const addPile = (pile) => {
    const outline = h("div", { class: "outline", "data-pile": pile, "aria-hidden": "true" });
    if (pile[0] === "f") outline.append(h("i", { class: `pip ${pile[1]}` }));
    outlines.set(pile, outline);
    element.append(outline);
    if (live && pile !== "stock") {
      const spot = h("button", { class: "spot", type: "button", "data-pile": pile });
      spot.addEventListener("focus", () => setCurrent(pile));
      spots.set(pile, spot);
      element.append(spot);
    }
    if (pile === "stock") element.append(stockCount);
  };

  /** @param {string} pile */
  const setCurrent = (pile) => {
    current = pile;
    for (const [name, spot] of spots) spot.tabIndex = name === pile ? 0 : -1;
  };

  const placePiles = () => {
    element.style.setProperty("--w", `${layout.w}px`);
    for (const [pile, outline] of outlines) {
      const { x, y } = layout.slots[pile];
      outline.style.translate = `${x}px ${y}px`;
      if (pile === "stock") stockCount.style.translate = `${x}px ${y + layout.h}px`;
    }
  };

  /**
   * @param {Board} board
   * @param {Marks} [marks]
   */
  const draw = (board, marks) => {
    last = [board, marks];
    if (!outlines.size) {
      Object.keys(layout.slots)
        .filter((pile) => board[pile])
        .forEach(addPile);
      placePiles();
      setCurrent(current);
    }
    /** @type {Set<number>} */
    const seen = new Set();
    const piles = pilesOf(board);
    for (const [pile, cards] of Object.entries(board)) {
      const tops = fan(layout, pile, piles[pile]);
      cards.forEach((card, index) => {
        seen.add(card.id);
        const picked =
          marks?.picked.includes(pile) && index >= cards.length - Math.max(1, marks.count);
        place(card, pile, index, layout.slots[pile].x, tops[index], Boolean(picked));
      });
      const spot = spots.get(pile);
      if (spot) {
        const y = tops[tops.length - 1] ?? layout.slots[pile].y;
        spot.style.translate = `${layout.slots[pile].x}px ${y}px`;
        spot.ariaLabel = describe(pile, piles[pile]);
        spot.ariaPressed = String(marks?.picked.includes(pile) ?? false);
        spot.classList.toggle("aid", marks?.aids.includes(pile) ?? false);
      }
      if (pile === "stock") {
        stockCount.textContent = cards.length ? counted(cards.length, "card") : "empty";
      }
    }
    for (const [id, { element: gone }] of drawn) {
      if (seen.has(id)) continue;
      drawn.delete(id);
      if (still()) gone.remove();
      else {
        gone.classList.add("gone");
        setTimeout(() => gone.remove(), GONE_MS);
      }
    }
  };

  /**
   * @param {Card} card
   * @param {string} pile
   * @param {number} index
   * @param {number} x
   * @param {number} y
   * @param {boolean} picked
   */
  const place = (card, pile, index, x, y, picked) => {
    let entry = drawn.get(card.id);
    if (!entry) {
      entry = { element: cardElement(card.text), text: card.text, pile };
      drawn.set(card.id, entry);
      element.append(entry.element);
    } else if (entry.text !== card.text) {
      const turned = cardElement(card.text);
      turned.classList.add("turned");
      turned.style.translate = entry.element.style.translate;
      entry.element.replaceWith(turned);
      entry.element = turned;
      entry.text = card.text;
    }
    const card_ = entry.element;
    card_.classList.toggle("picked", picked);
    if (carried.has(card.id)) return;
    if (entry.pile !== pile) {
      entry.pile = pile;
      card_.classList.add("moving");
      setTimeout(() => card_.classList.remove("moving"), MOVE_MS);
    }
    card_.style.translate = `${x}px ${y}px`;
    card_.style.zIndex = String(index + 1);
  };

  return {
    element,
    draw,
    resize: (width, height) => {
      if (width === layout.width && height === layout.height) return;
      layout = layOut(spec, width, height, widest);
      element.classList.add("still");
      placePiles();
      if (last) draw(...last);
      requestAnimationFrame(() => element.classList.remove("still"));
    },
    layout: () => layout,
    spot: (pile) => spots.get(pile),
    carry: (card, x, y) => {
      const entry = drawn.get(card.id);
      if (!entry) return;
      carried.add(card.id);
      entry.element.classList.add("carried");
      entry.element.style.translate = `${x}px ${y}px`;
    },
    letGo: (card) => {
      carried.delete(card.id);
      drawn.get(card.id)?.element.classList.remove("carried");
    },
    shake: (piles) => {
      for (const { element: card, pile } of drawn.values()) {
        if (!piles.includes(pile)) continue;
        card.classList.remove("shaken");
        void card.offsetWidth;
        card.classList.add("shaken");
      }
    },
  };
}

/**
 * "seven of hearts, top of pile 3, 4 cards"
 * @param {string} pile
 * @param {string[]} cards
 */
export function describe(pile, cards) {
  const name = pileName(pile);
  const top = cards[cards.length - 1];
  if (top === undefined) return `${name}, empty`;
  if (pile[0] !== "t") return `${cardName(top)}, ${name}`;
  const depth = cards.length > 1 ? `, ${counted(cards.length, "card")}` : "";
  return `${cardName(top)}, top of ${name}${depth}`;
}

/** @param {string} pile */
export function pileName(pile) {
  const number = Number(pile.slice(1)) + 1;
  if (pile[0] === "t") return `pile ${number}`;
  if (pile[0] === "c") return `free cell ${number}`;
  if (pile === "stock") return "stock";
  const suits = ["clubs", "diamonds", "hearts", "spades"];
  return `${suits[FOUNDATIONS.indexOf(pile)]} foundation`;
}

/** @param {string} text */
function cardElement(text) {
  if (text === HIDDEN) return h("div", { class: "card down", "aria-hidden": "true" });
  const suit = suitOf(text);
  const court = rankOf(text) > 10 ? " court" : "";
  return h(
    "div",
    { class: `card up ${suit}${court}`, "aria-hidden": "true" },
    h("span", { class: "rank" }, rankText(text)),
    h("i", { class: `pip ${suit}` }),
    h("i", { class: `big ${suit}` }),
  );
}

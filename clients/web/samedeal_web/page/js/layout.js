/** Where everything lies on the table, from its size alone. Pixels; no document. */

import { HIDDEN } from "./cards.js";
import { CELLS, FOUNDATIONS, tableau } from "./spec.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Piles} Piles
 * @typedef {{ x: number, y: number, room: number }} Slot `room`: height for the fan
 * @typedef {{ w: number, h: number, slots: Record<string, Slot>, width: number, height: number, up: number }} Layout
 *   `up`: how far a covered card shows, in px
 * @typedef {{ x: number, y: number, w: number, h: number }} Rect
 */

const ASPECT = 1.4;
const GAP_X = 0.14; // of a card's width
const GAP_Y = 0.16; // of a card's height
const FAN_UP = 0.28; // of a card's height, for a covered card that is face up; at least
const FAN_MOST = 0.4; // where there is room
const FAN_DOWN = 0.11;
const FAN_LANE = 0.27;
const GAP_LANE = 0.08; // eight piles are much on a phone
const STOCK_LINE = 0.18; // below the stock: how many cards it has
const WIDEST = 150;
const LANE_DEPTH = 10; // piles grow; beyond this their fans close up
const SLACK = 8; // px around a card that still count as the card

/**
 * The layout whose cards are largest.
 * @param {Spec} spec
 * @param {number} width
 * @param {number} height
 * @param {number} [widest] no card is wider than this
 * @returns {Layout}
 */
export function layOut(spec, width, height, widest = WIDEST) {
  const gap = spec.kind === "lane" ? GAP_LANE : GAP_X;
  const options = spec.kind === "lane" ? laneOptions() : gridOptions(spec);
  const sized = options.map((option) => {
    const columns = option.columns + (option.columns - 1) * gap;
    const w = Math.min(widest, width / columns, height / option.rows / ASPECT);
    return { option, w: Math.max(8, Math.floor(w)) };
  });
  const { option, w } = sized.reduce((best, next) => (next.w > best.w ? next : best));
  const h = Math.round(w * ASPECT);
  const columns = option.columns + (option.columns - 1) * gap;
  const left = Math.max(0, (width - columns * w) / 2);
  const up = fanOf(spec, option, height / h) * h;
  const down = option.single ? h + (spec.depth - 1) * up : option.rows * h;
  const top = spec.kind === "lane" ? 0 : Math.max(0, (height - down) / 2);
  /** @type {Record<string, Slot>} */
  const slots = {};
  for (const [pile, [column, y, room]] of Object.entries(option.places)) {
    const at = top + y * h;
    slots[pile] = {
      x: Math.round(left + column * (1 + gap) * w),
      y: Math.round(at),
      room: room === Infinity ? height - at : room * h,
    };
  }
  return { w, h, slots, width, height, up };
}

/**
 * How far a covered card shows, of a card's height: more where there is room.
 * @param {Spec} spec
 * @param {Option} option
 * @param {number} room the table's height in cards
 */
function fanOf(spec, option, room) {
  if (spec.kind === "lane") {
    const free = room - option.places.t0[1] - 1;
    return Math.min(FAN_MOST, Math.max(FAN_LANE, free / LANE_DEPTH));
  }
  if (!option.single || spec.depth === 1) return FAN_UP;
  return Math.min(FAN_MOST, Math.max(FAN_UP, (room - 1) / (spec.depth - 1)));
}

/**
 * @typedef {object} Option
 * @property {number} columns in card widths
 * @property {number} rows in card heights
 * @property {boolean} [single] one row of piles without a stock below
 * @property {Record<string, Place>} places
 */

/** @typedef {[column: number, y: number, room: number]} Place in cards */

/**
 * Piles in rows; the stock, if any, beside or below them.
 * @param {Spec} spec
 * @returns {Option[]}
 */
function gridOptions(spec) {
  const tall = 1 + (spec.depth - 1) * (spec.covered ? FAN_DOWN : FAN_UP);
  // Rows of four are the game's own; on a low table there is no room for four of them.
  const choices = spec.kind === "fifteens" ? [4, 2] : [1, 2, 3, 4];
  return choices.flatMap((rows) => {
    const columns = Math.ceil(spec.piles / rows);
    const down = rows * tall + (rows - 1) * GAP_Y;
    const single = rows === 1 && !spec.covered;
    /** @type {(single: boolean) => Option["places"]} */
    const piles = (single) =>
      Object.fromEntries(
        tableau(spec).map((pile, index) => {
          const y = Math.floor(index / columns) * (tall + GAP_Y);
          return [pile, [index % columns, y, single ? Infinity : tall]];
        }),
      );
    if (!spec.stock) return [{ columns, rows: down, single, places: piles(single) }];
    /** @type {Option} */
    const beside = {
      columns: columns + 1.25,
      rows: down,
      single,
      places: { ...piles(single), stock: [columns + 0.25, 0, 1] },
    };
    /** @type {Option} */
    const below = {
      columns,
      rows: down + GAP_Y + 1 + STOCK_LINE,
      places: {
        ...piles(false),
        stock: [(columns - 1) / 2, down + GAP_Y, 1],
      },
    };
    return [beside, below];
  });
}

/** @returns {Option[]} */
function laneOptions() {
  const fan = 1 + (LANE_DEPTH - 1) * FAN_LANE;
  /** @type {Option["places"]} */
  const upright = {};
  /** @type {Option["places"]} */
  const sideways = {};
  CELLS.forEach((pile, index) => {
    upright[pile] = [index, 0, 1];
    sideways[pile] = [0, index * (1 + GAP_Y), 1];
  });
  FOUNDATIONS.forEach((pile, index) => {
    upright[pile] = [4 + index, 0, 1];
    sideways[pile] = [9.6 + (index % 2), Math.floor(index / 2) * (1 + GAP_Y), 1];
  });
  for (let index = 0; index < 8; index++) {
    upright[`t${index}`] = [index, 1 + GAP_Y, Infinity];
    sideways[`t${index}`] = [1.3 + index, 0, Infinity];
  }
  return [
    { columns: 8, rows: 1 + GAP_Y + fan, places: upright },
    { columns: 11.6, rows: fan, places: sideways },
  ];
}

/**
 * The top edges of a pile's cards, bottom first.
 * @param {Layout} layout
 * @param {string} pile
 * @param {string[]} cards
 * @returns {number[]}
 */
export function fan(layout, pile, cards) {
  const slot = layout.slots[pile];
  if (pile === "stock") {
    return cards.map((_, index) => slot.y - Math.min(4, Math.floor(index / 8)));
  }
  if (pile[0] !== "t") return cards.map(() => slot.y);
  const steps = cards
    .slice(0, -1)
    .map((card) => (card === HIDDEN ? FAN_DOWN * layout.h : layout.up));
  const wanted = steps.reduce((sum, step) => sum + step, 0);
  const squeeze = wanted > 0 ? Math.min(1, Math.max(0, slot.room - layout.h) / wanted) : 1;
  let y = slot.y;
  return cards.map((_, index) => {
    const at = y;
    y += (steps[index] ?? 0) * squeeze;
    return Math.round(at);
  });
}

/**
 * Which card lies at a point: its pile and how many cards from it to the top.
 * @param {Layout} layout
 * @param {Piles} piles
 * @param {number} x
 * @param {number} y
 * @returns {{ pile: string, count: number } | null}
 */
export function hit(layout, piles, x, y) {
  for (const slack of [0, SLACK]) {
    for (const [pile, slot] of Object.entries(layout.slots)) {
      if (x < slot.x - slack || x > slot.x + layout.w + slack) continue;
      const cards = piles[pile] ?? [];
      const tops = cards.length ? fan(layout, pile, cards) : [slot.y];
      for (let index = tops.length - 1; index >= 0; index--) {
        if (y >= tops[index] - slack && y <= tops[index] + layout.h + slack) {
          return { pile, count: cards.length - index };
        }
      }
    }
  }
  return null;
}

/**
 * The pile that a dragged card overlaps most, among some.
 * @param {Layout} layout
 * @param {Piles} piles
 * @param {Rect} rect the dragged card
 * @param {string[]} among
 * @returns {string | null}
 */
export function mostOverlapped(layout, piles, rect, among) {
  let best = null;
  let most = 0;
  for (const pile of among) {
    const area = overlap(rect, whole(layout, piles, pile));
    if (area > most) [best, most] = [pile, area];
  }
  return best;
}

/**
 * A pile's outline, its fan included.
 * @param {Layout} layout
 * @param {Piles} piles
 * @param {string} pile
 * @returns {Rect}
 */
function whole(layout, piles, pile) {
  const { x, y } = layout.slots[pile];
  const tops = fan(layout, pile, piles[pile]);
  return { x, y, w: layout.w, h: (tops[tops.length - 1] ?? y) - y + layout.h };
}

/** @type {(a: Rect, b: Rect) => number} */
const overlap = (a, b) =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

/**
 * The pile that an arrow key leads to.
 * @param {Layout} layout
 * @param {string} from
 * @param {"ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown"} key
 * @returns {string}
 */
export function neighbour(layout, from, key) {
  const here = layout.slots[from];
  const along = key === "ArrowLeft" || key === "ArrowRight" ? "x" : "y";
  const across = along === "x" ? "y" : "x";
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  let best = from;
  let least = Infinity;
  for (const [pile, slot] of Object.entries(layout.slots)) {
    const ahead = (slot[along] - here[along]) * sign;
    if (ahead <= 1) continue;
    const distance = ahead + Math.abs(slot[across] - here[across]) * 3;
    if (distance < least) [best, least] = [pile, distance];
  }
  return best;
}

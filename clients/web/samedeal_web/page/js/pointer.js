/** Mouse, pen and touch on a board: taps and drags, told in terms of piles. */

import { canLift, dropTargets } from "./hands-lane.js";
import { fan, hit, mostOverlapped } from "./layout.js";
import { pilesOf } from "./board.js";

/**
 * @typedef {object} Gestures
 * @property {() => import("./board.js").Board | null} board null while nothing may be done
 * @property {(pile: string, count: number, isSecond: boolean) => void} tap
 * @property {(source: string, count: number, target: string) => void} drop
 * @property {() => void} clear a tap on nothing
 * @property {() => void} redraw put back what was carried
 */

const DRAG_PX = 6; // less is a tap with an unsteady hand
const DOUBLE_MS = 350;

/**
 * @param {HTMLElement} felt what listens
 * @param {import("./table.js").Table} table
 * @param {import("./spec.js").Spec} spec
 * @param {Gestures} gestures
 */
export function attachPointer(felt, table, spec, gestures) {
  /**
   * @typedef {object} Press
   * @property {number} id of the pointer
   * @property {number} x where it went down, on the table
   * @property {number} y
   * @property {{ pile: string, count: number } | null} on
   * @property {import("./board.js").Card[]} lifted
   * @property {number[]} tops
   * @property {boolean} isDrag
   */
  /** @type {Press | null} */
  let press = null;
  let lastTap = { pile: "", at: -Infinity };

  /** @param {PointerEvent} event */
  const at = (event) => {
    const box = table.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  felt.addEventListener("pointerdown", (event) => {
    const board = gestures.board();
    if (!board || event.button !== 0 || press) return;
    const { x, y } = at(event);
    const piles = pilesOf(board);
    const on = hit(table.layout(), piles, x, y);
    press = { id: event.pointerId, x, y, on, lifted: [], tops: [], isDrag: false };
    if (on && canLift(spec, piles, on.pile, on.count)) {
      press.lifted = board[on.pile].slice(-on.count);
      press.tops = fan(table.layout(), on.pile, piles[on.pile]).slice(-on.count);
      felt.setPointerCapture(event.pointerId);
    }
    // A game of taps answers at once, without waiting for the finger to leave.
    if (spec.kind !== "lane") finish();
  });

  felt.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id || !press.lifted.length || !press.on) return;
    const { x, y } = at(event);
    press.isDrag ||= Math.hypot(x - press.x, y - press.y) > DRAG_PX;
    if (!press.isDrag) return;
    const slot = table.layout().slots[press.on.pile];
    press.lifted.forEach((card, index) =>
      table.carry(
        card,
        slot.x + x - (press?.x ?? 0),
        (press?.tops[index] ?? 0) + y - (press?.y ?? 0),
      ),
    );
  });

  felt.addEventListener("pointerup", (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (press.isDrag) finishDrag(at(event));
    else finish();
  });

  felt.addEventListener("pointercancel", (event) => {
    if (!press || event.pointerId !== press.id) return;
    letGo();
    gestures.redraw();
  });

  // Screen readers and other tools press the control over a pile.
  felt.addEventListener("click", (event) => {
    if (event.detail !== 0 || !(event.target instanceof HTMLElement)) return;
    const pile = event.target.closest(".spot")?.getAttribute("data-pile");
    const board = gestures.board();
    if (pile && board) gestures.tap(pile, board[pile].length ? 1 : 0, false);
  });

  function finish() {
    const on = press?.on;
    letGo();
    if (!on) {
      lastTap = { pile: "", at: -Infinity };
      gestures.clear();
      return;
    }
    const now = performance.now();
    const isSecond = lastTap.pile === on.pile && now - lastTap.at < DOUBLE_MS;
    lastTap = { pile: on.pile, at: now };
    gestures.tap(on.pile, on.count, isSecond);
  }

  /** @param {{ x: number, y: number }} point */
  function finishDrag(point) {
    const board = gestures.board();
    const done = press;
    letGo();
    if (!board || !done?.on) return gestures.redraw();
    const layout = table.layout();
    const { pile, count } = done.on;
    const piles = pilesOf(board);
    const rect = {
      x: layout.slots[pile].x + point.x - done.x,
      y: done.tops[0] + point.y - done.y,
      w: layout.w,
      h: layout.h,
    };
    const legal = dropTargets(spec, piles, pile, count);
    const others = Object.keys(piles).filter((name) => name !== pile);
    const target =
      mostOverlapped(layout, piles, rect, legal) ?? mostOverlapped(layout, piles, rect, others);
    // Back on its own pile: nothing was meant.
    const own = mostOverlapped(layout, piles, rect, [pile, ...legal]);
    if (target && own !== pile) gestures.drop(pile, count, target);
    else gestures.redraw();
  }

  function letGo() {
    press?.lifted.forEach((card) => table.letGo(card));
    press = null;
  }
}

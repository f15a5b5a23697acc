/** What a key means on the board. */

/**
 * @typedef {{ type: "go", key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" }
 *   | { type: "rank", rank: number }
 *   | { type: "pick" | "take" | "clear" | "undo" | "up" | "cell" | "collect" | "hint" | "resign" | "help" }} Action
 */

/** @type {Record<string, Action>} */
const KEYS = {
  " ": { type: "pick" },
  Enter: { type: "take" },
  Escape: { type: "clear" },
  Backspace: { type: "undo" },
  u: { type: "undo" },
  f: { type: "up" },
  c: { type: "cell" },
  g: { type: "collect" },
  h: { type: "hint" },
  r: { type: "resign" },
  "?": { type: "help" },
  ArrowLeft: { type: "go", key: "ArrowLeft" },
  ArrowRight: { type: "go", key: "ArrowRight" },
  ArrowUp: { type: "go", key: "ArrowUp" },
  ArrowDown: { type: "go", key: "ArrowDown" },
};

/** @type {Record<string, number>} */
const RANKS = { a: 1, 1: 1, t: 10, 0: 10, j: 11, q: 12, k: 13 };

/**
 * The action of a key, if it has one; keys with Ctrl, Alt or Meta are the browser's,
 * and keys on another control are that control's.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "target">} event
 * @returns {Action | null}
 */
export function actionOf({ key, ctrlKey, altKey, metaKey, target }) {
  if (ctrlKey || altKey || metaKey) return null;
  const presses = key === " " || key === "Enter";
  if (presses && isOtherControl(target)) return null;
  const known = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (known) return known;
  const rank = RANKS[key.toLowerCase()] ?? (/^[2-9]$/.test(key) ? Number(key) : 0);
  return rank ? { type: "rank", rank } : null;
}

/** @param {EventTarget | null} target */
function isOtherControl(target) {
  if (!target || !("closest" in target)) return false;
  const element = /** @type {Element} */ (target);
  return Boolean(element.closest("button, a, input, select, summary")) && !element.closest(".spot");
}

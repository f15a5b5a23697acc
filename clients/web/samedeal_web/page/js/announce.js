/** Words for everyone: a note on screen, and live announcements for screen readers. */

import { setText } from "./dom.js";

const NOTE_MS = 4500;

const note = /** @type {HTMLElement} */ (document.getElementById("note"));
const live = /** @type {HTMLElement} */ (document.getElementById("live"));
let timer = 0;

/**
 * Show a sentence for a few seconds; the empty one takes the last away.
 * @param {string} text
 */
export function notify(text) {
  clearTimeout(timer);
  setText(note, text);
  note.classList.toggle("shown", text !== "");
  timer = window.setTimeout(() => {
    note.classList.remove("shown");
    note.textContent = "";
  }, NOTE_MS);
}

/**
 * Say a sentence to screen readers.
 * @param {string} text
 */
export function announce(text) {
  // The same words again are news again.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

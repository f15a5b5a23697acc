/** Copying text, with the clipboard interface or without. */

import { h, setText } from "./dom.js";

/**
 * Plain http away from localhost has no clipboard interface; there the browser's own
 * copying of a selection does it.
 * @param {HTMLInputElement} field holds the text
 * @returns {Promise<boolean>} whether it was copied; it is left selected if not
 */
export async function copyFrom(field) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      // Not allowed here: go on as if there were none.
    }
  }
  field.focus();
  field.select();
  return document.execCommand("copy");
}

/**
 * A read-only field with a button that copies it.
 * @param {string} label
 * @param {string} value
 */
export function copyField(label, value) {
  const field = h("input", { readonly: true, value, "aria-label": label, class: "link" });
  const button = h("button", { type: "button", class: "primary" }, "Copy");
  button.addEventListener("click", async () => {
    const done = await copyFrom(field);
    setText(button, done ? "Copied" : "Press Ctrl+C");
    setTimeout(() => setText(button, "Copy"), 2000);
  });
  return h("div", { class: "copy" }, field, button);
}

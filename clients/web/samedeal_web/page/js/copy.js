/** Copying text, with the clipboard interface or without. */

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

/** Times in words and figures. */

/**
 * 3:07, and tenths below a minute when asked for: 0:42.3
 * @param {number} ms
 * @param {boolean} [tenths]
 */
export function formatTime(ms, tenths = false) {
  const whole = Math.max(0, Math.floor(ms / 100));
  const minutes = Math.floor(whole / 600);
  const seconds = String(Math.floor((whole % 600) / 10)).padStart(2, "0");
  return `${minutes}:${seconds}${tenths ? `.${whole % 10}` : ""}`;
}

/**
 * "1 card", "3 cards"
 * @param {number} count
 * @param {string} one
 */
export const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/**
 * 1st, 2nd, 3rd, 4th
 * @param {number} place
 */
export function ordinal(place) {
  const teen = place % 100 >= 11 && place % 100 <= 13;
  const suffix = teen ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${suffix}`;
}

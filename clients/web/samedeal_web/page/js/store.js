/** What this browser remembers: who one is, how one likes it, what one has seen. */

/**
 * @typedef {object} Preferences
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} fourColours each suit in a colour of its own
 * @property {boolean} oneTap a tap moves where only one thing can be meant
 * @property {boolean} autoTake a complete set goes by itself
 * @property {boolean} aids what goes together is marked
 * @property {boolean} sound
 */

/** @type {Preferences} */
export const DEFAULTS = {
  theme: "auto",
  fourColours: false,
  oneTap: true,
  autoTake: true,
  aids: false,
  sound: false,
};

/**
 * @typedef {object} Kept What a log can later be checked against.
 * @property {string} commitment as told before the start
 * @property {string} [digest] as told at the end
 */

const MOST_KEPT = 40;

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function load(key, otherwise) {
  try {
    const text = localStorage.getItem(`samedeal.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    // Storage is off, or holds what an older page wrote: go on without.
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value `undefined` forgets it
 */
export function save(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(`samedeal.${key}`);
    else localStorage.setItem(`samedeal.${key}`, JSON.stringify(value));
  } catch {
    // Storage is off or full: what was to be kept lasts as long as the page.
  }
}

/** @returns {Preferences} */
export const loadPreferences = () => ({ ...DEFAULTS, ...load("preferences", {}) });

/**
 * @param {string} race
 * @returns {Kept | undefined}
 */
export const keptOf = (race) => load("kept", /** @type {Record<string, Kept>} */ ({}))[race];

/**
 * Keep what was told of a race: the first commitment and the last digest.
 * @param {import("../../../types.js").RaceInfo} info
 */
export function keep(info) {
  /** @type {Record<string, Kept>} */
  const all = load("kept", {});
  const old = all[info.race];
  if (old && old.digest === (info.digest ?? old.digest)) return;
  delete all[info.race];
  all[info.race] = {
    commitment: old?.commitment ?? info.commitment,
    digest: old?.digest ?? info.digest,
  };
  for (const race of Object.keys(all).slice(0, -MOST_KEPT)) delete all[race];
  save("kept", all);
}

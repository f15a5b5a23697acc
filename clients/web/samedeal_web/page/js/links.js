/** Addresses to share. */

const told = document.querySelector('meta[name="public-url"]')?.getAttribute("content");
const isFilledIn = Boolean(told) && !told?.startsWith("{{");

/** Where others reach this server. */
export const origin = () => (isFilledIn && told ? told : location.origin);

/** @param {string} code */
export const raceLink = (code) => `${origin()}/r/${code}`;

/** @param {string} race */
export const replayLink = (race) => `${origin()}/replay/${race}`;

/** Whether a shared link would lead others to their own machine. */
export const onlyHere = () => !isFilledIn && /^(localhost|127\.|\[::1\])/.test(location.hostname);

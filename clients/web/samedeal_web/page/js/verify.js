/**
 * Checking an ended race in the browser: that the log is whole, that it is the one
 * that was told of, and that the deal was fixed before the start.
 */

import { openSheet } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { keptOf } from "./store.js";

/** @typedef {import("../../../types.js").RaceInfo} RaceInfo */
/** @typedef {{ ok: boolean, what: string }} Check */

/** @param {RaceInfo} info */
export async function openVerify(info) {
  const list = h("ul", { class: "checks" }, h("li", {}, "Checking…"));
  const file = `/races/${info.race}/log.jsonl`;
  const command = `samedeal verify ${info.race} --server ${location.origin}`;
  openSheet(
    "Verify this race",
    h("div", { role: "status" }, list),
    h(
      "p",
      {},
      "This shows that the cards were fixed before the start and that the log is what the " +
        "server told you then. To check every move as well:",
    ),
    h("pre", {}, h("code", {}, command)),
    h("a", { class: "button", href: file, download: `${info.race}.jsonl` }, "Download the log"),
  );
  const checks = await verify(info, file);
  const good = checks.every(({ ok }) => ok);
  fill(
    list,
    ...checks.map(({ ok, what }) =>
      h("li", { class: ok ? "good" : "bad" }, icon(ok ? "check" : "close"), what),
    ),
  );
  list.dataset.result = good ? "good" : "bad";
}

/**
 * @param {RaceInfo} info
 * @param {string} file
 * @returns {Promise<Check[]>}
 */
async function verify(info, file) {
  if (!globalThis.crypto?.subtle) {
    return [
      {
        ok: false,
        what: "This browser checks nothing on a plain http page away from localhost. Use the file and the command below.",
      },
    ];
  }
  let bytes;
  try {
    const response = await fetch(file, { cache: "no-store" });
    if (!response.ok) return [{ ok: false, what: await response.text() }];
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    return [{ ok: false, what: "The log could not be fetched; try again." }];
  }
  return check(bytes, { ...info, ...withoutEmpty(keptOf(info.race)) }, info);
}

/**
 * @param {Uint8Array} bytes the log file
 * @param {{ commitment: string, digest?: string }} seen what was told at the time
 * @param {{ race: string }} info
 * @returns {Promise<Check[]>}
 */
export async function check(bytes, seen, info) {
  /** @type {Check[]} */
  const checks = [];
  const cut = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  const body = bytes.subarray(0, cut);
  const digest = await sha256(body);
  const lines = readLines(bytes);
  const last = lines?.[lines.length - 1];
  const isWhole = last?.digest === digest && lines !== null;
  checks.push({
    ok: isWhole,
    what: isWhole
      ? "The log is whole: its digest fits."
      : "The log was changed: its digest does not fit.",
  });
  const isTold = seen.digest === digest;
  checks.push({
    ok: isTold,
    what: isTold
      ? "It is the log whose digest you were told at the end."
      : "It is not the log whose digest you were told at the end.",
  });
  const created = lines?.[0]?.event;
  if (!lines || created?.type !== "created") {
    return [...checks, { ok: false, what: "The log cannot be read." }];
  }
  const commitment = await sha256(
    joined(
      bytesOf(created.salt),
      bytesOf(created.seed),
      new TextEncoder().encode(`${created.game}/${created.variant}`),
    ),
  );
  const isFixed = commitment === seen.commitment && created.race === info.race;
  checks.push({
    ok: isFixed,
    what: isFixed
      ? "The deal is the one promised before the start."
      : "The deal is not the one promised before the start.",
  });
  const entries = lines.slice(0, -1);
  const inOrder = entries.every(
    (line, index) =>
      line.index === index && (index === 0 || line.at_ms >= entries[index - 1].at_ms),
  );
  checks.push({
    ok: inOrder,
    what: inOrder
      ? `All ${entries.length} entries are there, in order.`
      : "Entries are missing or out of order.",
  });
  return checks;
}

/**
 * @param {Uint8Array} bytes
 * @returns {any[] | null}
 */
function readLines(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes */
async function sha256(bytes) {
  const hash = new Uint8Array(
    await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)),
  );
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} hex */
const bytesOf = (hex) =>
  Uint8Array.from(String(hex).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {...Uint8Array} parts */
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** @param {import("./store.js").Kept | undefined} kept */
const withoutEmpty = (kept) =>
  kept ? { commitment: kept.commitment, ...(kept.digest && { digest: kept.digest }) } : {};

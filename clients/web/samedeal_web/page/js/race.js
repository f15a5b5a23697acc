/**
 * A race as one client knows it: what the server has confirmed, and on top of that
 * what was just played here. Plain state and functions over it; no document, no
 * socket.
 */

import { applyPatch, boardOf, playOn, reconcile } from "./board.js";
import { play, specOf } from "./spec.js";

/**
 * @typedef {import("../../../types.js").RaceInfo} RaceInfo
 * @typedef {import("../../../types.js").SeatInfo} SeatInfo
 * @typedef {import("../../../types.js").Update} Update
 * @typedef {import("../../../types.js").View} View
 * @typedef {import("../../../types.js").Patch} Patch
 * @typedef {import("../../../types.js").Turn} Turn
 * @typedef {import("../../../types.js").Piles} Piles
 * @typedef {import("../../../types.js").Status} Status
 * @typedef {import("../../../types.js").Command} Command
 */

/**
 * @typedef {object} Confirmed One's own seat as the server has it.
 * @property {number} turn
 * @property {Piles} piles
 * @property {number} left
 * @property {Status} status
 * @property {number} elapsed_ms
 */

/**
 * @typedef {object} Race
 * @property {RaceInfo} info the latest word on the race, progress taken in
 * @property {import("./spec.js").Spec} spec
 * @property {number | null} seat one's own; null for a watcher
 * @property {number | null} startAt when play begins or began, by the local clock
 * @property {Confirmed | null} confirmed null before the start
 * @property {Pending[]} pending played here, not confirmed yet, oldest first
 * @property {import("./board.js").Board | null} board what is shown: confirmed and pending
 * @property {Map<number, View>} views every seat's board, once the race has ended
 * @property {boolean} syncing a sync is under way
 */

/** @typedef {{ moves: string[] }} Pending A turn; an object, so that it is itself. */

/**
 * @typedef {object} News What an update asks of whoever passed it in.
 * @property {boolean} [resend] send what is pending once more
 * @property {boolean} [gap] something was missed: sync
 * @property {boolean} [ended] the race is over with this update
 * @property {boolean} [began] play begins with this update
 * @property {boolean} [own] one's own board or status changed
 */

/**
 * @param {RaceInfo} info
 * @param {string} player one's own id
 * @param {number} now local ms
 * @returns {Race}
 */
export function createRace(info, player, now) {
  /** @type {Race} */
  const race = {
    info,
    spec: specOf(info.game, info.variant),
    seat: null,
    startAt: null,
    confirmed: null,
    pending: [],
    board: null,
    views: new Map(),
    syncing: false,
  };
  takeInfo(race, info, player, now);
  return race;
}

/** @param {Race} race @returns {SeatInfo | undefined} */
export const ownSeat = (race) => race.info.seats.find((seat) => seat.seat === race.seat);

/**
 * Whether one can play on right now.
 * @param {Race} race
 */
export const canPlay = (race) =>
  race.info.phase === "racing" && race.confirmed?.status === "playing";

/**
 * Cards one has left, what is pending counted in.
 * @param {Race} race
 */
export function ownLeft(race) {
  if (!race.confirmed) return ownSeat(race)?.left ?? 0;
  const pending = race.pending.flatMap(({ moves }) => moves);
  const cleared = (/** @type {string} */ move) =>
    race.spec.kind === "lane" ? Number(move.endsWith(">f")) : move.split("+").length;
  return race.confirmed.left - pending.reduce((sum, move) => sum + cleared(move), 0);
}

/**
 * Time raced so far at `now`, or in all once done.
 * @param {Race} race
 * @param {SeatInfo} seat
 * @param {number} now local ms
 */
export function elapsed(race, seat, now) {
  if (seat.status !== "playing" || race.startAt === null) return seat.elapsed_ms;
  return Math.max(0, Math.min(now - race.startAt, race.info.settings.time_limit_ms));
}

/**
 * Play a turn: it shows at once. The command is to be sent.
 * @param {Race} race one that can be played
 * @param {string[]} moves legal on the shown board, one after the other
 * @returns {{ command: Command, entry: Pending }}
 */
export function playTurn(race, moves) {
  const entry = { moves };
  race.pending.push(entry);
  for (const move of moves) race.board = playOn(race.spec, race.board ?? {}, move);
  return { command: commandOf(race, entry), entry };
}

/**
 * The command of a pending turn, numbered after those before it.
 * @param {Race} race
 * @param {Pending} entry
 * @returns {Command}
 */
export function commandOf(race, entry) {
  const turn = (race.confirmed?.turn ?? 0) + race.pending.indexOf(entry);
  return { type: "move", race: race.info.race, turn, moves: entry.moves };
}

/**
 * Take back what is pending: the server would not have it.
 * @param {Race} race
 */
export function takeBack(race) {
  race.pending = [];
  show(race);
}

/**
 * Take in an update about this race.
 * @param {Race} race
 * @param {Update} update
 * @param {string} player one's own id
 * @param {number} now local ms
 * @returns {News}
 */
export function receive(race, update, player, now) {
  switch (update.type) {
    case "race":
      return takeInfo(race, update, player, now);
    case "view":
      return takeView(race, update);
    case "patch":
      return update.seat === race.seat ? takePatch(race, update) : {};
    case "progress":
      noteSeat(race, update);
      return {};
    default:
      return {};
  }
}

/**
 * @param {Race} race
 * @param {RaceInfo} info
 * @param {string} player
 * @param {number} now
 * @returns {News}
 */
function takeInfo(race, info, player, now) {
  const before = race.info.phase;
  race.info = info;
  race.seat = info.seats.find((seat) => seat.player === player)?.seat ?? null;
  if (info.starts_in_ms !== undefined) race.startAt = now + info.starts_in_ms;
  if (info.phase !== "racing") race.syncing = false;
  const own = ownSeat(race);
  if (own && race.confirmed && own.turn === race.confirmed.turn) {
    race.confirmed = { ...race.confirmed, status: own.status, elapsed_ms: own.elapsed_ms };
  }
  return {
    ended: info.phase === "ended" && before !== "ended",
    began: info.phase === "racing" && before !== "racing",
  };
}

/**
 * @param {Race} race
 * @param {View} view
 * @returns {News}
 */
function takeView(race, view) {
  if (race.info.phase === "ended") race.views.set(view.seat, view);
  if (view.seat !== race.seat) return {};
  if (view.turn !== race.confirmed?.turn) race.pending = [];
  confirm(race, view, view.piles);
  return settle(race);
}

/**
 * @param {Race} race
 * @param {Patch} patch
 * @returns {News}
 */
function takePatch(race, patch) {
  const known = race.confirmed;
  if (!known) {
    noteSeat(race, patch);
    return {};
  }
  if (patch.turn < known.turn) return {};
  if (patch.turn === known.turn) {
    confirm(race, patch, known.piles);
    return settle(race);
  }
  if (patch.from !== known.turn) return { gap: true };
  for (const turn of patch.turns) {
    if (isSame(turn, race.pending[0]?.moves)) race.pending.shift();
    else {
      race.pending = [];
      follow(race, turn);
    }
  }
  confirm(race, patch, applyPatch(known.piles, patch.piles));
  return settle(race);
}

/**
 * Play what was played elsewhere on the shown board, for the eye.
 * @param {Race} race
 * @param {Turn} turn
 */
function follow(race, turn) {
  if (turn === "undo" || !race.board) return;
  try {
    for (const move of turn) race.board = playOn(race.spec, race.board, move);
  } catch {
    // The shown board was ahead; it is put right by what the patch confirms.
    race.board = null;
  }
}

/**
 * @param {Race} race
 * @param {View | Patch} update
 * @param {Piles} piles
 */
function confirm(race, update, piles) {
  const { turn, left, status, elapsed_ms } = update;
  race.confirmed = { turn, piles, left, status, elapsed_ms };
  noteSeat(race, update);
  if (status !== "playing") race.pending = [];
  show(race);
}

/** @param {Race} race */
function show(race) {
  if (!race.confirmed) return;
  const piles = race.pending
    .flatMap(({ moves }) => moves)
    .reduce((board, move) => play(race.spec, board, move), race.confirmed.piles);
  race.board = race.board ? reconcile(race.board, piles) : boardOf(piles);
}

/**
 * @param {Race} race
 * @returns {News}
 */
function settle(race) {
  const resend = race.syncing && race.pending.length > 0;
  race.syncing = false;
  return { resend, own: true };
}

/**
 * @param {Race} race
 * @param {{ seat: number, turn: number, left: number, status: Status, elapsed_ms: number }} update
 */
function noteSeat(race, { seat, turn, left, status, elapsed_ms }) {
  race.info = {
    ...race.info,
    seats: race.info.seats.map((info) =>
      info.seat === seat ? { ...info, turn, left, status, elapsed_ms } : info,
    ),
  };
}

/**
 * @param {Turn} turn
 * @param {string[] | undefined} moves
 */
const isSame = (turn, moves) =>
  turn !== "undo" && moves !== undefined && turn.join() === moves.join();

/** What is said during a race, on screen and to screen readers. */

import { announce } from "./announce.js";
import { counted } from "./clock.js";
import { resultOf } from "./parts.js";

/**
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("./race.js").SeatInfo} SeatInfo
 */

/**
 * What to do, until the first thing is done.
 * @param {string} game
 * @param {string} variant
 */
export function firstHint(game, variant) {
  switch (game) {
    case "juvenile":
      return "Take two cards that add to 14: K+A, Q+2, J+3 …";
    case "straight-fifteens":
      return variant === "courts-apart"
        ? "Pick cards that add to 15, or 10, J, Q and K."
        : "Pick cards that add to 15; J, Q and K count 10.";
    case "private-lane":
      return "Build suits up from the ace: drag, or tap twice.";
    default:
      return "Take two cards of the same rank.";
  }
}

/** @type {Partial<Record<import("./race.js").Status, string>>} */
const HEADLINES = {
  won: "Cleared!",
  stuck: "No moves left",
  resigned: "You gave up",
  timed_out: "Time is up",
};

/**
 * What has become of one's own board.
 * @param {Race} race
 * @param {SeatInfo} own
 */
export function outcomeWords(race, own) {
  const headline = HEADLINES[own.status] ?? "";
  if (own.status === "stuck" && race.info.settings.undo) {
    return { headline, text: "Take turns back with Undo, or give up.", isFinal: false };
  }
  const others = race.info.seats.some(
    (seat) => seat.seat !== own.seat && seat.status === "playing",
  );
  const more = others ? " The others are still racing." : "";
  return { headline, text: `${resultOf(own)}.${more}`, isFinal: true };
}

/** Tells of the others when something about them is worth an interruption. */
export function rivalsNews() {
  /** @type {Map<number, string>} */
  const heard = new Map();
  return {
    /** @param {Race} race */
    tell: (race) => {
      const news = race.info.seats
        .filter((seat) => seat.seat !== race.seat)
        .flatMap((seat) => {
          const text =
            seat.status === "playing"
              ? `${seat.name}: ${counted(Math.ceil(seat.left / 10) * 10, "card")} or fewer left`
              : `${seat.name}: ${resultOf(seat)}`;
          const isNews = heard.has(seat.seat) && heard.get(seat.seat) !== text;
          heard.set(seat.seat, text);
          return isNews ? [text] : [];
        });
      if (news.length) announce(news.join(". "));
    },
  };
}

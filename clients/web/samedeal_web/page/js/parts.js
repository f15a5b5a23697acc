/** Pieces that several screens share. */

import { counted, formatTime, ordinal } from "./clock.js";
import { openHelp, openSettings } from "./dialogs.js";
import { h, icon, setText } from "./dom.js";
import { elapsed } from "./race.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("../../../types.js").SeatInfo} SeatInfo
 * @typedef {import("../../../types.js").Status} Status
 */

/** @type {Record<Status, string>} */
export const STATUS = {
  waiting: "Waiting",
  playing: "Playing",
  won: "Cleared",
  stuck: "Stuck",
  resigned: "Gave up",
  timed_out: "Out of time",
};

/**
 * The bar on top of every screen.
 * @param {App} app
 * @param {string} [title]
 * @param {string} [game] whose rules help leads to
 */
export function topBar(app, title, game) {
  const state = h("span", { class: "connection", role: "status" });
  const element = h(
    "header",
    { class: "bar" },
    h(
      "a",
      { class: "brand", href: "/", "aria-label": "samedeal, home" },
      icon("brand"),
      h("span", {}, "samedeal"),
    ),
    title ? h("h1", { class: "bar-title", tabindex: -1 }, title) : null,
    state,
    h(
      "button",
      {
        class: "plain",
        type: "button",
        "aria-label": "How to play",
        onclick: () => openHelp(app, game),
      },
      icon("help"),
    ),
    h(
      "button",
      {
        class: "plain",
        type: "button",
        "aria-label": "Settings",
        onclick: () => openSettings(app),
      },
      icon("settings"),
    ),
  );
  let lostAt = 0;
  let timer = 0;
  return {
    element,
    /** Says so when the connection has been away for more than a blink. */
    update: () => {
      const { link } = app.state;
      if (link === "ready") lostAt = 0;
      else if (!lostAt) {
        lostAt = performance.now();
        clearTimeout(timer);
        timer = window.setTimeout(() => showLink(app, state, lostAt), 1100);
      }
      showLink(app, state, lostAt);
    },
  };
}

/**
 * @param {App} app
 * @param {HTMLElement} element
 * @param {number} lostAt
 */
function showLink(app, element, lostAt) {
  const { link } = app.state;
  if (link === "replaced") {
    if (element.querySelector("button")) return;
    element.replaceChildren(
      "Open in another window ",
      h("button", { type: "button", class: "small", onclick: () => app.takeOver() }, "Play here"),
    );
    element.classList.add("lost");
    return;
  }
  const isLost = link !== "ready" && lostAt > 0 && performance.now() - lostAt > 1000;
  element.classList.toggle("lost", isLost);
  setText(element, isLost ? "Reconnecting…" : "");
}

/**
 * Everybody in the race: cards left, how far, how it stands. One's own comes first.
 * @param {string} label
 */
export function lanes(label) {
  const element = h("ol", { class: "lanes", "aria-label": label });
  /** @type {Map<number, ReturnType<typeof lane>>} */
  const drawn = new Map();
  return {
    element,
    /**
     * @param {Race} now
     * @param {number} [ownLeft]
     */
    update: (now, ownLeft) => {
      const seats = [...now.info.seats].sort(
        (a, b) => Number(b.seat === now.seat) - Number(a.seat === now.seat) || a.seat - b.seat,
      );
      const total = dealtIn(now);
      for (const seat of seats) {
        let item = drawn.get(seat.seat);
        if (!item) {
          item = lane(seat, seat.seat === now.seat);
          drawn.set(seat.seat, item);
          element.append(item.element);
        }
        const left = seat.seat === now.seat && ownLeft !== undefined ? ownLeft : seat.left;
        item.update(now, { ...seat, left }, total);
      }
    },
  };
}

/**
 * How many cards are in play at the start.
 * @param {Race} race
 */
function dealtIn({ info }) {
  if (info.game === "juvenile" && info.variant !== "one-deck") return 104;
  return info.variant === "sealed" ? 48 : 52;
}

/**
 * @param {SeatInfo} seat
 * @param {boolean} own
 */
function lane(seat, own) {
  const bar = h("div", { class: "lane-bar" });
  const left = h("b", {});
  const state = h("span", { class: "lane-state" });
  const element = h(
    "li",
    { class: `lane seat-${seat.seat % 8}${own ? " own" : ""}` },
    h(
      "div",
      { class: "lane-head" },
      h("span", { class: "lane-name" }, seat.name),
      own
        ? h("span", { class: "tag" }, "you")
        : seat.bot
          ? h("span", { class: "tag" }, "bot")
          : null,
    ),
    h("div", { class: "lane-figures" }, h("span", {}, left, " left"), state),
    h("div", { class: "lane-track", "aria-hidden": "true" }, bar),
  );
  return {
    element,
    /**
     * @param {Race} race
     * @param {SeatInfo} now
     * @param {number} total
     */
    update: (race, now, total) => {
      setText(left, String(now.left));
      bar.style.scale = `${1 - now.left / total} 1`;
      element.dataset.status = now.status;
      const away = !now.connected && now.status === "playing" ? " · away" : "";
      const time = formatTime(elapsed(race, now, performance.now()));
      setText(
        state,
        now.status === "playing"
          ? time + away
          : `${STATUS[now.status]}${now.status === "waiting" ? "" : ` ${time}`}`,
      );
    },
  };
}

/**
 * "Cleared in 0:42.3", "12 cards left, stuck"
 * @param {{ status: Status, left: number, elapsed_ms: number }} seat
 */
export function resultOf(seat) {
  const time = formatTime(seat.elapsed_ms, true);
  return seat.status === "won"
    ? `Cleared in ${time}`
    : `${counted(seat.left, "card")} left · ${STATUS[seat.status].toLowerCase()} at ${time}`;
}

/**
 * @param {number | undefined} place
 */
export const placeText = (place) => (place === undefined ? "" : ordinal(place));

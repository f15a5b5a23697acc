/** A replay: all boards side by side, moved through time. */

import { boardOf, playOn, reconcile } from "../board.js";
import { fullTitle } from "../catalogue.js";
import { formatTime } from "../clock.js";
import { fill, h, icon, setText, svg } from "../dom.js";
import { STATUS, topBar } from "../parts.js";
import { specOf } from "../spec.js";
import { createTable } from "../table.js";
import { indexAt, moments, positionsOf } from "../timeline.js";
import { chart } from "./chart.js";
import { createLookBack } from "./lookback.js";

/** @typedef {import("../../../../types.js").Replay} Replay */
/** @typedef {import("../app.js").App} App */

const SPEEDS = [0.5, 1, 2, 4, 8];

/** @param {App} app */
export function create(app) {
  const race = "race" in app.state.route ? app.state.route.race : "";
  const bar = topBar(app);
  const content = h("main", {}, h("p", {}, "One moment…"));
  let stop = () => {};
  let isClosed = false;

  void load(race).then((loaded) => {
    if (isClosed) return;
    if (typeof loaded === "string") {
      fill(
        content,
        h(
          "section",
          { class: "panel" },
          h("h1", { tabindex: -1 }, "No replay here"),
          h("p", {}, loaded),
          h("a", { class: "button primary", href: "/" }, "To the start page"),
        ),
      );
      return;
    }
    const player = createPlayer(loaded);
    stop = player.close;
    fill(content, ...player.elements);
    player.begin();
    document.title = `${fullTitle(loaded.game, loaded.variant)}: replay – samedeal`;
  });

  return {
    element: h("div", { class: "replay" }, bar.element, content),
    title: "Replay",
    update: bar.update,
    close: () => {
      isClosed = true;
      stop();
    },
  };
}

/**
 * @param {string} race
 * @returns {Promise<Replay | string>} or what went wrong
 */
async function load(race) {
  try {
    const response = await fetch(`/races/${encodeURIComponent(race)}/replay.json`);
    return response.ok ? await response.json() : await response.text();
  } catch {
    return "The server cannot be reached; try again.";
  }
}

/** @param {Replay} replay */
function createPlayer(replay) {
  const spec = specOf(replay.game, replay.variant);
  const seats = replay.seats.map(positionsOf);
  const times = moments(seats);
  const end = Math.max(replay.ends_ms, 1);
  let now = 0;
  let speed = 1;
  let frame = 0;
  let before = 0;

  const shown = replay.seats.map((seat, index) => {
    const table = createTable(spec, { label: `Board of ${seat.name}`, widest: 84 });
    const felt = h("div", { class: "felt" }, table.element);
    const figures = h("span", {});
    const place = replay.standings.find((item) => item.seat === seat.seat)?.place;
    return {
      table,
      felt,
      figures,
      at: 0,
      board: boardOf(seats[index][0].piles),
      element: h(
        "figure",
        { class: `seat-${seat.seat % 8}` },
        h(
          "figcaption",
          {},
          h("span", { class: "lane-name" }, seat.name),
          place ? h("span", { class: "tag" }, `#${place}`) : null,
          figures,
        ),
        felt,
      ),
    };
  });

  const scrubber = h("input", {
    type: "range",
    min: 0,
    max: end,
    step: 1,
    value: 0,
    class: "scrubber",
    "aria-label": "Time",
  });
  const clock = h("b", { class: "figure" });
  const play = h(
    "button",
    { type: "button", class: "primary", onclick: toggle },
    icon("play"),
    h("span", {}, "Play"),
  );
  const pace = h(
    "select",
    { "aria-label": "Speed", onchange: (event) => (speed = Number(event.target.value)) },
    ...SPEEDS.map((value) => h("option", { value, selected: value === 1 }, `${value}×`)),
  );
  scrubber.addEventListener("input", () => {
    pause();
    seek(Number(scrubber.value));
  });

  /** @param {number} ms */
  function seek(ms) {
    now = Math.min(end, Math.max(0, ms));
    scrubber.value = String(now);
    scrubber.setAttribute("aria-valuetext", formatTime(now));
    setText(clock, formatTime(now, true));
    cursor.setAttribute("x1", String((now / end) * 1000));
    cursor.setAttribute("x2", String((now / end) * 1000));
    shown.forEach((_, index) => show(index));
  }

  /**
   * @param {number} index
   */
  function show(index) {
    const seat = shown[index];
    const positions = seats[index];
    const at = indexAt(positions, now);
    const position = positions[at];
    const { played } = position;
    if (at === seat.at + 1 && Array.isArray(played)) {
      // One step on: let the cards that moved be the ones that move.
      seat.board = played.reduce((board, move) => playOn(spec, board, move), seat.board);
    }
    if (at !== seat.at) seat.board = reconcile(seat.board, position.piles);
    // A leap is not a move: nothing flies.
    seat.table.element.classList.toggle("still", at !== seat.at && at !== seat.at + 1);
    seat.at = at;
    seat.table.draw(seat.board);
    const status =
      position.status === "playing" ? "" : ` · ${STATUS[position.status].toLowerCase()}`;
    setText(seat.figures, `turn ${position.turn} · ${position.left} left${status}`);
  }

  function toggle() {
    if (frame) pause();
    else {
      if (now >= end) seek(0);
      before = performance.now();
      frame = requestAnimationFrame(step);
      fill(play, icon("pause"), h("span", {}, "Pause"));
    }
  }

  function pause() {
    cancelAnimationFrame(frame);
    frame = 0;
    fill(play, icon("play"), h("span", {}, "Play"));
  }

  /** @param {number} at */
  function step(at) {
    seek(now + Math.max(0, at - before) * speed);
    before = at;
    if (now >= end) pause();
    else frame = requestAnimationFrame(step);
  }

  /** @param {1 | -1} direction */
  function turn(direction) {
    pause();
    const later = times.filter((ms) => (direction > 0 ? ms > now : ms < now));
    const to = direction > 0 ? later[0] : later[later.length - 1];
    if (to !== undefined) seek(to);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const onControl =
      event.target instanceof Element && event.target.closest("input, select, button, a, dialog");
    if (onControl || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") toggle();
    else if (event.key === "ArrowRight") turn(1);
    else if (event.key === "ArrowLeft") turn(-1);
    else return;
    event.preventDefault();
  }

  const back = createLookBack(replay, seats, end, (ms) => {
    pause();
    seek(ms);
  });
  const cursor = svg("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: 200 });
  const size = new ResizeObserver(() => {
    for (const { table, felt } of shown)
      table.resize(felt.clientWidth - 24, felt.clientHeight - 24);
  });

  return {
    elements: [
      h(
        "div",
        { class: "replay-top" },
        h(
          "div",
          { class: "replay-head" },
          h("h1", { tabindex: -1 }, fullTitle(replay.game, replay.variant)),
          shown.length ? back.button : null,
          h("a", { class: "button quiet", href: `/r/${replay.code}` }, "Standings"),
        ),
        back.panel,
      ),
      shown.length
        ? h(
            "div",
            { class: shown.length > 4 ? "boards many" : "boards" },
            ...shown.map(({ element }) => element),
          )
        : h("p", {}, "Nobody raced; there is nothing to see."),
      h(
        "section",
        { class: "transport", "aria-label": "Playback" },
        chart(replay, seats, end, cursor),
        h("div", { class: "scrub" }, back.marks, scrubber),
        h(
          "div",
          { class: "row" },
          h(
            "button",
            { type: "button", "aria-label": "One turn back", onclick: () => turn(-1) },
            icon("back"),
          ),
          play,
          h(
            "button",
            { type: "button", "aria-label": "One turn on", onclick: () => turn(1) },
            icon("next"),
          ),
          pace,
          clock,
        ),
      ),
    ],
    begin: () => {
      shown.forEach(({ felt }) => size.observe(felt));
      document.addEventListener("keydown", onKey);
      seek(0);
    },
    close: () => {
      pause();
      size.disconnect();
      document.removeEventListener("keydown", onKey);
    },
  };
}

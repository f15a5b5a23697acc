/** The page comes up: one app, one screen at a time, drawn once a frame at most. */

import { createApp } from "./app.js";
import { announce, notify } from "./announce.js";
import { fill } from "./dom.js";
import * as home from "./screens/home.js";

/**
 * @typedef {object} Screen
 * @property {HTMLElement} element
 * @property {string} title of the document
 * @property {() => void} update draw what has changed
 * @property {() => void} [played] draw one's own board, now
 * @property {() => void} [close]
 */

/** @typedef {{ create: (app: import("./app.js").App) => Screen }} ScreenModule */

const ENDING_MS = 900; // the last move is seen before the standings are

const PATIENCE_MS = 1500; // so long the page stays empty rather than say that it waits

/** @type {Record<string, () => Promise<ScreenModule>>} */
const LATER = {
  lobby: () => import("./screens/lobby.js"),
  racing: () => import("./screens/racing.js"),
  watch: () => import("./screens/watch.js"),
  ended: () => import("./screens/ended.js"),
  replay: () => import("./screens/replay.js"),
  trouble: () => import("./screens/trouble.js"),
};

const stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
/** @type {Screen | null} */
let screen = null;
let shown = "";
let wanted = "";
let isDirty = false;
let heldUntil = 0;

const app = createApp(
  {
    changed: redraw,
    played: () => screen?.played?.(),
    notify,
    happened: (event) => {
      if (event === "ended" && shown === "racing") {
        heldUntil = performance.now() + ENDING_MS;
        setTimeout(redraw, ENDING_MS + 10);
      }
      if (app.state.preferences.sound) void import("./sound.js").then((sound) => sound.play(event));
      if (event === "began") announce("Go!");
    },
    visit: (path) => {
      if (location.pathname !== path) history.pushState(null, "", path);
    },
  },
  routeOf(location.pathname),
);

/**
 * @param {string} path
 * @returns {import("./app.js").Route}
 */
function routeOf(path) {
  const [, kind, rest] = path.split("/");
  if (kind === "r" && rest) return { name: "race", code: rest.toUpperCase() };
  if (kind === "replay" && rest) return { name: "replay", race: rest };
  return { name: "home" };
}

/** Which screen the state asks for. */
function screenName() {
  const { route, race, trouble } = app.state;
  if (route.name !== "race") return route.name;
  if (trouble) return "trouble";
  if (!race) return shown || (performance.now() < PATIENCE_MS ? "" : "trouble");
  const { phase } = race.info;
  if (phase === "ended") return "ended";
  if (phase === "racing") return race.seat === null ? "watch" : "racing";
  return "lobby";
}

function redraw() {
  if (isDirty) return;
  isDirty = true;
  requestAnimationFrame(() => {
    isDirty = false;
    applyPreferences();
    const name = screenName();
    const key = keyOf(name);
    if (!name) return;
    if (key === shown) screen?.update();
    else if (performance.now() < heldUntil) screen?.update();
    else void show(name, key);
  });
}

/** A screen is made anew for another race. @param {string} name */
function keyOf(name) {
  const { route, race } = app.state;
  if (route.name === "home") return "home";
  if (name === "replay") return `replay ${"race" in route ? route.race : ""}`;
  return name === "lobby" || name === "ended" ? `${name} ${race?.info.race}` : name;
}

/**
 * @param {string} name
 * @param {string} key
 */
async function show(name, key) {
  if (wanted === key) return;
  wanted = key;
  const module = name === "home" ? home : await LATER[name]();
  if (wanted !== key) return;
  wanted = "";
  screen?.close?.();
  screen = module.create(app);
  shown = key;
  document.title = `${screen.title} – samedeal`;
  document.body.dataset.screen = name;
  fill(stage, screen.element);
  screen.update();
  performance.mark("screen");
  scrollTo(0, 0);
  if (name !== "home") stage.querySelector("h1")?.focus();
}

function applyPreferences() {
  const { theme, fourColours } = app.state.preferences;
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.classList.toggle("four-colours", fourColours);
}

// Links within the page stay in the page.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.download) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (!/^\/($|r\/|replay\/)/.test(link.pathname)) return;
  event.preventDefault();
  if (link.pathname !== location.pathname) history.pushState(null, "", link.pathname);
  app.setRoute(routeOf(link.pathname));
});
addEventListener("popstate", () => app.setRoute(routeOf(location.pathname)));

// Back from sleep, from the background, from no network.
addEventListener("online", () => app.check());
addEventListener("offline", () => app.check());
addEventListener("pageshow", () => app.check());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) app.check();
});

// What comes next is fetched once somebody is there.
addEventListener(
  "pointermove",
  () => {
    void LATER.lobby();
    void LATER.racing();
  },
  { once: true },
);

setTimeout(redraw, PATIENCE_MS + 10);
redraw();

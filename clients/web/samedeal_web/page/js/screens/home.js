/** Home: who one is, which game, and the ways into a race. */

import { fullTitle } from "../catalogue.js";
import { fill, h, icon, setText } from "../dom.js";
import { topBar } from "../parts.js";
import { createOptions, createPicker, variantOf } from "../picker.js";
import { load, save } from "../store.js";

/** @typedef {import("../app.js").App} App */

const LEVELS = {
  easy: "Easy",
  medium: "Medium",
  hard: "Hard",
  expert: "Expert",
  greedy: "Greedy, by the looks",
  random: "Random",
};
const LOBBY_MS = 4000;
const FIRST = { game: "doublets", variants: {}, level: "greedy", bots: 1 };

/** @typedef {import("../picker.js").Choice} Choice */

/** @param {App} app */
export function create(app) {
  /** @type {Choice} */
  const choice = { ...FIRST, ...load("choice", {}) };
  const bar = topBar(app);
  const name = h("input", {
    id: "name",
    maxlength: 24,
    autocomplete: "nickname",
    spellcheck: "false",
    placeholder: "Player",
    value: load("name", ""),
    enterkeyhint: "go",
  });
  const chosen = h("strong", {});
  const options = createOptions(choice);
  const back = h("div", { class: "back" });
  const open = h("ul", { class: "open" });

  const wanted = () => ({ game: choice.game, variant: variantOf(choice) });

  /** @param {() => Promise<unknown>} work */
  const go = async (work) => {
    app.rename(name.value);
    save("choice", choice);
    for (const button of ways) button.disabled = true;
    await work();
    for (const button of ways) button.disabled = false;
  };
  const raceBots = () =>
    go(() =>
      app.create(
        {
          ...wanted(),
          seats: choice.bots + 1,
          bots: Array(choice.bots).fill(choice.level),
          countdown_ms: 0,
          undo: choice.game === "private-lane",
          ...options.ofAll(),
        },
        true,
      ),
    );
  const invite = () =>
    go(() => app.create({ ...wanted(), ...options.ofAll(), ...options.withFriends() }, false));

  const primary = h(
    "button",
    { type: "submit", class: "primary large" },
    icon("play"),
    "Race a bot",
  );
  const ways = [
    primary,
    h("button", { type: "button", onclick: invite }, icon("people"), "Invite friends"),
    h(
      "button",
      { type: "button", onclick: () => go(() => app.quick(wanted())) },
      icon("bolt"),
      "Quick match",
    ),
  ];

  const level = h(
    "select",
    {
      "aria-label": "How good the bots are",
      onchange: (event) => (choice.level = event.target.value),
    },
    ...Object.entries(LEVELS).map(([value, text]) =>
      h("option", { value, selected: value === choice.level }, text),
    ),
  );
  const bots = h(
    "select",
    {
      "aria-label": "How many bots",
      onchange: (event) => {
        choice.bots = Number(event.target.value);
        showChoice();
      },
    },
    ...[1, 2, 3, 5, 7].map((count) =>
      h(
        "option",
        { value: count, selected: count === choice.bots },
        count === 1 ? "1 bot" : `${count} bots`,
      ),
    ),
  );

  const code = h("input", {
    id: "code",
    class: "code",
    maxlength: 6,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "ABCDEF",
  });
  const joinForm = h(
    "form",
    {
      class: "join",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (code.value.trim()) void go(() => app.join({ code: code.value.trim().toUpperCase() }));
      },
    },
    h("label", { for: "code" }, "Have a code?"),
    h("div", { class: "row" }, code, h("button", { type: "submit" }, "Join")),
  );

  const form = h(
    "form",
    {
      class: "panel start",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void raceBots();
      },
    },
    h("label", { for: "name" }, "Your name"),
    name,
    h("p", { class: "chosen" }, "Game: ", chosen),
    ...ways.slice(0, 1),
    h("div", { class: "row against" }, h("span", {}, "against"), bots, level),
    h("div", { class: "row two" }, ...ways.slice(1)),
    options.element,
  );

  function showChoice() {
    setText(chosen, fullTitle(choice.game, variantOf(choice)));
    primary.lastChild?.replaceWith(choice.bots === 1 ? "Race a bot" : `Race ${choice.bots} bots`);
  }

  const picker = createPicker(app, choice, () => {
    options.show();
    save("choice", choice);
    showChoice();
  });

  /** @type {unknown} */
  let shownOpen = null;
  let shownBack = "";
  const poll = setInterval(() => {
    if (!document.hidden && app.state.link === "ready") app.askLobby();
  }, LOBBY_MS);
  if (app.state.link === "ready") app.askLobby();
  let asked = app.state.link === "ready";

  showChoice();
  return {
    element: h(
      "div",
      { class: "home" },
      bar.element,
      h(
        "main",
        {},
        h(
          "section",
          { class: "hero" },
          h(
            "h1",
            {},
            h("span", {}, "Same cards."),
            " ",
            h("span", {}, "Same second. ", h("em", {}, "Go.")),
          ),
          h(
            "p",
            {},
            "Solitaire as a race: everyone gets the very same deal at the same moment. " +
              "Clear it first.",
          ),
          back,
        ),
        form,
        picker,
        h(
          "section",
          { class: "more", "aria-label": "Join others" },
          h("div", { class: "panel" }, joinForm),
          h("div", { class: "panel" }, h("h2", {}, "Open races"), open),
        ),
      ),
    ),
    title: "Race at solitaire",
    update: () => {
      bar.update();
      const { state } = app;
      if (!asked && state.link === "ready") {
        asked = true;
        app.askLobby();
      }
      if (state.open !== shownOpen || !open.firstChild) {
        shownOpen = state.open;
        fill(open, ...openRaces(app, go));
      }
      const going = goingOn(app);
      if (going !== shownBack) {
        shownBack = going;
        fill(
          back,
          going &&
            h(
              "button",
              { type: "button", class: "resume", onclick: () => void app.join({ race: going }) },
              "You are in a race. Back to it",
            ),
        );
      }
    },
    close: () => clearInterval(poll),
  };
}

/**
 * The id of a race that one still has a seat in, or nothing.
 * @param {App} app
 */
function goingOn({ state }) {
  const { race, me } = state;
  if (race && race.seat !== null && race.info.phase !== "ended") {
    const own = race.info.seats.find((seat) => seat.seat === race.seat);
    if (own?.status === "playing" || own?.status === "waiting") return race.info.race;
  }
  return race ? "" : (me?.races[0] ?? "");
}

/**
 * @param {App} app
 * @param {(work: () => Promise<unknown>) => void} go
 */
function openRaces(app, go) {
  const races = app.state.open ?? [];
  if (!races.length) {
    return [
      h("li", { class: "none" }, "None right now. Invite friends, or list a race of your own."),
    ];
  }
  return races
    .slice(0, 8)
    .map((race) =>
      h(
        "li",
        {},
        h(
          "span",
          {},
          h("b", {}, race.host),
          h("small", {}, `${fullTitle(race.game, race.variant)} · ${race.taken} of ${race.seats}`),
        ),
        h(
          "button",
          { type: "button", onclick: () => go(() => app.join({ race: race.race })) },
          "Join",
        ),
      ),
    );
}

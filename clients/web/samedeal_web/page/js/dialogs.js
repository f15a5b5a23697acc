/** Sheets over the page: help, settings, rules, a question. Escape closes each. */

import { findGame } from "./catalogue.js";
import { fill, h, icon } from "./dom.js";

/** @typedef {import("./app.js").App} App */

/**
 * @param {string} title
 * @param {...(Node | string)} content
 * @returns {HTMLDialogElement}
 */
export function openSheet(title, ...content) {
  const close = h(
    "button",
    { class: "plain", type: "button", "aria-label": "Close", onclick: () => sheet.close() },
    icon("close"),
  );
  /** @type {HTMLDialogElement} */
  const sheet = h(
    "dialog",
    {
      class: "sheet",
      "aria-label": title,
      onclose: () => sheet.remove(),
      onclick: (/** @type {Event} */ event) => event.target === sheet && sheet.close(),
    },
    h("div", { class: "sheet-body" }, h("header", {}, h("h2", {}, title), close), ...content),
  );
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}

/**
 * Ask before something that cannot be undone.
 * @param {string} title
 * @param {string} text
 * @param {string} action
 * @returns {Promise<boolean>}
 */
export function confirm(title, text, action) {
  return new Promise((resolve) => {
    let answer = false;
    const yes = () => {
      answer = true;
      sheet.close();
    };
    const no = h("button", { type: "button", onclick: () => sheet.close() }, "Play on");
    const sheet = openSheet(
      title,
      h("p", {}, text),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "danger", onclick: yes }, action),
        no,
      ),
    );
    sheet.addEventListener("close", () => resolve(answer));
    no.focus();
  });
}

/** @type {[keyof import("./store.js").Preferences, string, string][]} */
const SWITCHES = [
  ["oneTap", "One tap is enough", "A tap moves at once where only one thing can be meant."],
  ["autoTake", "Take complete sets at once", "Straight Fifteens: off, Enter or the button takes."],
  ["aids", "Show what goes together", "Marks partners and targets. Your rivals cannot see it."],
  ["fourColours", "Four colours", "Every suit in a colour of its own."],
  ["sound", "Sound", "A few soft tones."],
];

/** @param {App} app */
export function openSettings(app) {
  const themes = /** @type {const} */ (["auto", "light", "dark"]);
  openSheet(
    "Settings",
    h(
      "fieldset",
      { class: "segments" },
      h("legend", {}, "Appearance"),
      ...themes.map((theme) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name: "theme",
            value: theme,
            checked: app.state.preferences.theme === theme,
            onchange: () => app.prefer({ theme }),
          }),
          h("span", {}, theme === "auto" ? "As the system" : theme === "light" ? "Light" : "Dark"),
        ),
      ),
    ),
    ...SWITCHES.map(([name, title, about]) =>
      h(
        "label",
        { class: "switch" },
        h("span", {}, h("b", {}, title), h("small", {}, about)),
        h("input", {
          type: "checkbox",
          role: "switch",
          checked: Boolean(app.state.preferences[name]),
          onchange: (event) => app.prefer({ [name]: event.target.checked }),
        }),
      ),
    ),
  );
}

/**
 * The rules of a game, in the catalogue's words.
 * @param {App} app
 * @param {string} game
 */
export async function openRules(app, game) {
  const { title, variants } = findGame(game);
  const text = h("div", { class: "rules" }, h("p", {}, "One moment…"));
  openSheet(title, text);
  const rules = (await app.askRules()).find((item) => item.game === game);
  if (!rules) return;
  fill(
    text,
    ...rules.rules.split("\n\n").map((part) => h("p", {}, part.replaceAll("\n", " "))),
    variants.length > 1 && h("h3", {}, "Variants"),
    variants.length > 1 &&
      h(
        "dl",
        {},
        ...variants.flatMap((item) => [h("dt", {}, item.title), h("dd", {}, item.about)]),
      ),
  );
}

/** @type {[string, string][]} */
const KEYS = [
  ["← ↑ → ↓", "Go from pile to pile"],
  ["Space", "Pick the card, or put picked cards there"],
  ["A 2 … 9 0 J Q K", "Pick the next card of that rank (0 or T: ten)"],
  ["Enter", "Straight Fifteens: take what is picked"],
  ["Esc", "Let go of what is picked"],
  ["F", "Private Lane: to the foundation"],
  ["C", "Private Lane: to a free cell"],
  ["G", "Private Lane: all that can go to the foundations"],
  ["H", "A hint, where the race allows it"],
  ["U", "Take the last turn back, where the race allows it"],
  ["R", "Give up (asks first)"],
  ["?", "This sheet"],
];

/**
 * @param {App} app
 * @param {string} [game] whose rules are one button away
 */
export function openHelp(app, game) {
  openSheet(
    "How to play",
    h(
      "p",
      {},
      "Everyone in a race has the same cards and plays at the same time, each on a board " +
        "of their own. First to clear it wins; if nobody does, the fewest cards left.",
    ),
    h(
      "p",
      {},
      "Tap or click cards. In Private Lane also drag them, whole sequences too; a double " +
        "click sends a card to its foundation.",
    ),
    game
      ? h(
          "button",
          { type: "button", onclick: () => void openRules(app, game) },
          `Rules of ${findGame(game).title}`,
        )
      : "",
    h("h3", {}, "Keys"),
    h(
      "dl",
      { class: "keys" },
      ...KEYS.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]),
    ),
  );
}

/** Choosing a game and its variant, with a picture and in words; and how to race. */

import { GAMES, findGame, findVariant } from "./catalogue.js";
import { openRules } from "./dialogs.js";
import { fill, h, setText } from "./dom.js";
import { thumbnail } from "./thumb.js";

/**
 * @typedef {object} Choice
 * @property {string} game
 * @property {Record<string, string>} variants by game
 * @property {string} level of the bots
 * @property {number} bots how many
 */

/**
 * The name of the chosen game's variant.
 * @param {Choice} choice
 */
export const variantOf = (choice) =>
  findVariant(choice.game, choice.variants[choice.game] ?? "").name;

/**
 * @param {import("./app.js").App} app
 * @param {Choice} choice is changed by what is picked
 * @param {() => void} changed
 */
export function createPicker(app, choice, changed) {
  const games = h("div", { class: "games", role: "radiogroup", "aria-label": "Game" });
  const variants = h("div", { class: "variants" });

  /** @param {import("./catalogue.js").Game} game */
  const addGame = (game) => {
    const radio = h("input", {
      type: "radio",
      name: "game",
      value: game.name,
      checked: game.name === choice.game,
      onchange: () => {
        choice.game = game.name;
        showVariants();
        changed();
      },
    });
    const rules = h(
      "button",
      {
        type: "button",
        class: "textual",
        onclick: () => void openRules(app, game.name),
        "aria-label": `Rules of ${game.title}`,
      },
      "Rules",
    );
    const label = h(
      "label",
      {},
      radio,
      thumbnail(game.name, game.variants[0].name),
      h("span", { class: "game-title" }, game.title),
      h("span", { class: "game-about" }, game.about),
    );
    games.append(h("div", { class: "game" }, label, rules));
  };

  function showVariants() {
    const game = findGame(choice.game);
    const about = h("p", { class: "variant-about", "aria-hidden": "true" });
    setText(about, findVariant(game.name, variantOf(choice)).about);
    const options = game.variants.map((variant) => {
      const radio = h("input", {
        type: "radio",
        name: "variant",
        value: variant.name,
        checked: variant.name === variantOf(choice),
        onchange: () => {
          choice.variants = { ...choice.variants, [game.name]: variant.name };
          setText(about, variant.about);
          changed();
        },
      });
      const words = h("span", {}, h("b", {}, variant.title), h("small", {}, variant.about));
      return h("label", { class: "variant" }, radio, words);
    });
    const title = game.variants.length > 1 ? `${game.title}: which way?` : game.title;
    fill(variants, h("fieldset", {}, h("legend", {}, title), ...options), about);
  }

  GAMES.forEach(addGame);
  showVariants();
  return h("section", { class: "choose", "aria-label": "Choose a game" }, games, variants);
}

/**
 * How to race, as `create` takes it.
 * @param {Choice} choice
 */
export function createOptions(choice) {
  const tick = () => h("input", { type: "checkbox" });
  const [anyDeal, hints, listed, undo] = [tick(), tick(), tick(), tick()];
  const show = () => {
    undo.checked = choice.game === "private-lane";
  };
  show();
  return {
    element: h(
      "details",
      {},
      h("summary", {}, "Options"),
      h("label", { class: "check" }, anyDeal, "Any deal, even one that nobody can clear"),
      h("label", { class: "check" }, hints, "Allow hints (for practice)"),
      h("label", { class: "check" }, listed, "With friends: list it for everyone on this server"),
      h("label", { class: "check" }, undo, "With friends: allow taking turns back"),
    ),
    /** Another game has been chosen. */
    show,
    // What is not said is the server's choice: a deal that can be cleared, if it has some.
    ofAll: () => ({
      ...(anyDeal.checked && { deals: "any" }),
      ...(hints.checked && { hints: true }),
    }),
    withFriends: () => ({ open: listed.checked, undo: undo.checked }),
  };
}

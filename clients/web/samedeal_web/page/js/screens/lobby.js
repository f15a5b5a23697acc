/** The lobby: who is here, who is ready, how to get others in; then the countdown. */

import { announce } from "../announce.js";
import { fullTitle } from "../catalogue.js";
import { copyField } from "../copy.js";
import { openRules } from "../dialogs.js";
import { fill, h, icon, setText } from "../dom.js";
import { onlyHere, raceLink } from "../links.js";
import { topBar } from "../parts.js";
import { qrCode } from "../qr.js";
import { load } from "../store.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../race.js").Race} Race */

/** @param {App} app */
export function create(app) {
  const race = /** @type {Race} */ (app.state.race);
  const { code, game, variant } = race.info;
  const title = fullTitle(game, variant);
  const bar = topBar(app, title, game);
  const seats = h("ol", { class: "seats" });
  const actions = h("div", { class: "buttons" });
  const hint = h("p", { class: "hint", role: "status" });
  const count = h("div", { class: "count", hidden: true, "aria-hidden": "true" });
  const name = h("input", {
    id: "name",
    maxlength: 24,
    value: load("name", ""),
    placeholder: "Player",
    autocomplete: "nickname",
  });

  const act =
    (/** @type {string} */ type, more = {}) =>
    () =>
      void app.ask({ type, race: race.info.race, ...more });

  async function join() {
    app.rename(name.value);
    await app.join({ code });
  }

  /** @param {Race} now */
  function drawSeats({ info, seat: own }) {
    fill(
      seats,
      ...info.seats.map((seat) =>
        h(
          "li",
          { class: `seat-${seat.seat % 8}` },
          h("span", { class: "lane-name" }, seat.name),
          seat.seat === own ? h("span", { class: "tag" }, "you") : null,
          seat.bot ? h("span", { class: "tag" }, "bot") : null,
          seat.seat === info.host ? h("span", { class: "tag" }, "host") : null,
          h("span", { class: "seat-state" }, stateOf(seat, info.host)),
          own === info.host && seat.seat !== own && info.phase === "lobby"
            ? h(
                "button",
                {
                  type: "button",
                  class: "plain",
                  "aria-label": `Put ${seat.name} out`,
                  onclick: act("kick", { seat: seat.seat }),
                },
                icon("close"),
              )
            : null,
        ),
      ),
      info.seats.length < info.settings.seats
        ? h("li", { class: "free" }, `${info.settings.seats - info.seats.length} free`)
        : null,
    );
  }

  /** @param {Race} now */
  function drawActions({ info, seat: own }) {
    if (own === null) {
      const form = h(
        "form",
        {
          class: "row",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void join();
          },
        },
        h("label", { for: "name", class: "hidden-label" }, "Your name"),
        name,
        h("button", { type: "submit", class: "primary" }, "Join the race"),
      );
      fill(actions, info.phase === "lobby" ? form : null);
      return;
    }
    const seat = info.seats.find((item) => item.seat === own);
    fill(
      actions,
      info.host === own && info.phase === "lobby"
        ? h(
            "button",
            { type: "button", class: "primary large", onclick: act("start") },
            icon("play"),
            "Start now",
          )
        : null,
      info.phase === "lobby" && info.host !== own
        ? h(
            "button",
            {
              type: "button",
              class: seat?.ready ? "" : "primary large",
              onclick: act("ready", { ready: !seat?.ready }),
            },
            seat?.ready ? "Not ready after all" : "I am ready",
          )
        : null,
      h("a", { class: "button quiet", href: "/", onclick: act("leave") }, "Leave"),
    );
  }

  /** @param {Race} now */
  function hintText({ info, seat }) {
    const host = info.seats.find((item) => item.seat === info.host)?.name ?? "the host";
    if (info.phase === "countdown") return "Here it comes.";
    if (seat === null)
      return `${host} invites you to race. Nobody sees the cards before the start.`;
    if (app.state.isQuick) {
      return info.seats.length < 2
        ? "Looking for somebody to race. You can wait here, or send the link."
        : "Here they come: the race starts within ten seconds.";
    }
    if (info.seats.length < 2) return "Waiting for company. Send the link, or start alone.";
    if (info.host === seat)
      return "Start when you like; everyone gets the cards at the same moment.";
    return `The race starts when everyone is ready, or when ${host} starts it.`;
  }

  let shown = "";
  let said = 0;
  const ticking = setInterval(tick, 100);

  function tick() {
    const now = app.state.race;
    const counting = now?.info.phase === "countdown" && now.startAt !== null;
    count.hidden = !counting;
    if (!counting || !now || now.startAt === null) return;
    const seconds = Math.max(1, Math.ceil((now.startAt - performance.now()) / 1000));
    setText(count, String(seconds));
    if (seconds !== said) announce(String(seconds));
    said = seconds;
  }

  return {
    element: h(
      "div",
      { class: "lobby" },
      bar.element,
      h(
        "main",
        {},
        h("section", { class: "panel" }, h("h2", {}, "Who is racing"), seats, hint, actions),
        h(
          "section",
          { class: "panel share" },
          h("h2", {}, "Bring friends"),
          h("p", {}, "Send this link, or tell them the code:"),
          h("p", { class: "big-code", "aria-label": `Code ${code.split("").join(" ")}` }, code),
          copyField("Link to this race", raceLink(code)),
          onlyHere()
            ? h(
                "p",
                { class: "warning" },
                "This link works on this computer only. To race over your network, start the server with ",
                h("code", {}, "samedeal serve --lan"),
                ".",
              )
            : null,
          h("div", { class: "qr" }, qrCode(raceLink(code))),
          h(
            "button",
            { type: "button", class: "textual", onclick: () => void openRules(app, game) },
            "Rules of this game",
          ),
        ),
      ),
      count,
    ),
    title: `${title}: lobby`,
    update: () => {
      bar.update();
      const now = app.state.race;
      if (!now) return;
      const key = JSON.stringify([now.info.seats, now.info.phase, now.info.host, now.seat]);
      if (key !== shown) {
        const wasFocused = document.activeElement?.textContent;
        shown = key;
        drawSeats(now);
        drawActions(now);
        setText(hint, hintText(now));
        [...actions.querySelectorAll("button")]
          .find((item) => item.textContent === wasFocused)
          ?.focus();
      }
      tick();
    },
    close: () => clearInterval(ticking),
  };
}

/**
 * @param {import("../../../../types.js").SeatInfo} seat
 * @param {number} host starts the race, and need not be ready
 */
function stateOf(seat, host) {
  if (!seat.connected) return "away";
  if (seat.ready) return "ready";
  return seat.seat === host ? "" : "not ready yet";
}

/** The race: one's own board large, everybody's progress beside it. */

import { announce, notify } from "../announce.js";
import { HIDDEN, rankOf } from "../cards.js";
import { fullTitle } from "../catalogue.js";
import { formatTime } from "../clock.js";
import { firstHint, rivalsNews } from "../commentary.js";
import { confirm, openHelp } from "../dialogs.js";
import { h, icon, setText } from "../dom.js";
import * as hands from "../hands.js";
import * as lane from "../hands-lane.js";
import { actionOf } from "../keyboard.js";
import { sayMoves } from "../moves.js";
import { lanes, topBar } from "../parts.js";
import { attachPointer } from "../pointer.js";
import { canPlay, elapsed, ownLeft, ownSeat } from "../race.js";
import { judge } from "../fifteens.js";
import { topOf } from "../spec.js";
import { collect } from "../sequences.js";
import { play as playSound } from "../sound.js";
import { createTable } from "../table.js";
import { neighbour } from "../layout.js";
import { pilesOf } from "../board.js";
import { createAdvice } from "./advice.js";
import { createBanner } from "./banner.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../race.js").Race} Race */

/** @param {App} app */
export function create(app) {
  const race = /** @type {Race} */ (app.state.race);
  const { info, spec } = race;
  const title = fullTitle(info.game, info.variant);
  const bar = topBar(app, title, info.game);
  const racers = lanes("Racers");
  const rivals = rivalsNews();
  const motion = matchMedia("(prefers-reduced-motion: reduce)");
  const table = createTable(spec, { label: "Your board", live: true, still: () => motion.matches });
  const felt = h("div", { class: "felt" }, table.element);
  const line = h("p", { class: "line", role: "status" });
  const banner = createBanner(felt);
  const time = h("b", { class: "figure" });
  const left = h("b", { class: "figure" });
  const undo = h(
    "button",
    { type: "button", onclick: () => void app.undo() },
    icon("undo"),
    "Undo",
  );
  const take = h(
    "button",
    { type: "button", onclick: () => done(hands.confirmPick(app.state.hands, spec, piles())) },
    "Take",
  );
  const up = h("button", { type: "button", onclick: collectAll }, icon("up"), "Collect");
  const give = h(
    "button",
    { type: "button", class: "quiet", onclick: () => void giveUp() },
    icon("flag"),
    "Give up",
  );

  const current = () => app.state.race ?? race;
  const piles = () => pilesOf(current().board ?? {});
  const advice = createAdvice(app, current, piles, (text) => {
    say(text, "advice");
    drawBoard();
  });

  /** @param {import("../hands.js").Outcome} outcome */
  function done(outcome) {
    if (outcome.moves?.length) {
      announce(sayMoves(outcome.moves, piles()));
      say("");
      app.play(outcome.moves);
      if (app.state.preferences.sound) playSound("took");
    } else {
      if (outcome.shake) table.shake(outcome.shake);
      if (outcome.say) say(outcome.say);
      else if (!outcome.shake) say("");
      if (outcome.shake && app.state.preferences.sound) playSound("refused");
    }
    drawBoard();
  }

  let said = firstHint(info.game, info.variant);
  let saidAs = "reason";
  /**
   * @param {string} text
   * @param {"reason" | "advice"} [kind]
   */
  function say(text, kind = "reason") {
    said = text;
    saidAs = kind;
    showLine();
  }

  function showLine() {
    const { picked } = app.state.hands;
    if (spec.kind === "fifteens" && picked.length && !said) {
      const cards = picked.map((pile) => topOf(piles(), pile) ?? HIDDEN);
      setText(line, judge(spec, cards).say);
      line.dataset.kind = "sum";
      return;
    }
    setText(line, said);
    line.dataset.kind = said ? saidAs : "";
  }

  function drawBoard() {
    const now = current();
    if (!now.board) return;
    const held = app.state.hands;
    hands.recheck(held, piles());
    const wantsAids =
      canPlay(now) &&
      (app.state.preferences.aids || (held.picked.length > 0 && spec.kind !== "fifteens"));
    table.draw(now.board, {
      picked: held.picked,
      count: held.count,
      aids: wantsAids ? hands.aids(held, spec, piles()) : advice.marks(),
    });
    showLine();
    setText(left, String(ownLeft(now)));
    racers.update(now, ownLeft(now));
    felt.dataset.pending = String(now.pending.length);
    advice.update();
    take.hidden = spec.kind !== "fifteens" || app.state.preferences.autoTake;
    up.disabled = spec.kind !== "lane" || !canPlay(now) || !collect(spec, piles()).length;
  }

  function collectAll() {
    const moves = collect(spec, piles());
    if (canPlay(current()) && moves.length) done({ moves });
  }

  async function giveUp() {
    if (!isPlaying(current())) return;
    const yes = await confirm(
      "Give up?",
      "Your board counts as it stands now. The others race on.",
      "Give up",
    );
    if (yes) await app.ask({ type: "resign", race: info.race });
  }

  /**
   * @param {string} pile
   * @param {number} count
   * @param {boolean} isSecond of a double click
   */
  function tap(pile, count, isSecond) {
    if (!canPlay(current())) return;
    const held = app.state.hands;
    if (isSecond && spec.kind === "lane" && held.picked[0] === pile) {
      done(lane.sendUp(held, spec, piles(), pile));
      return;
    }
    done(hands.tap(held, spec, piles(), app.state.preferences, pile, count, performance.now()));
  }

  attachPointer(felt, table, spec, {
    board: () => (canPlay(current()) ? current().board : null),
    tap,
    drop: (source, count, target) =>
      done(lane.drop(app.state.hands, spec, piles(), source, count, target)),
    clear: () => {
      hands.clear(app.state.hands);
      done({});
    },
    redraw: drawBoard,
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (document.querySelector("dialog[open]")) return;
    const action = actionOf(event);
    if (!action) return;
    const spot = document.activeElement?.closest?.(".spot");
    const pile = spot instanceof HTMLElement ? (spot.dataset.pile ?? "") : "";
    if (action.type === "help") openHelp(app, info.game);
    else if (action.type === "resign") void giveUp();
    else if (!canPlay(current()) && action.type !== "undo" && action.type !== "go") return;
    else if (action.type === "go") {
      table.spot(pile ? neighbour(table.layout(), pile, action.key) : "t0")?.focus();
    } else if (action.type === "clear") {
      hands.clear(app.state.hands);
      done({});
    } else if (action.type === "undo") void app.undo();
    else if (action.type === "hint") void advice.ask();
    else if (action.type === "collect") collectAll();
    else if (action.type === "rank") byRank(action.rank);
    else if (action.type === "take" && spec.kind === "fifteens") {
      done(hands.confirmPick(app.state.hands, spec, piles()));
    } else if (!pile) return;
    else if (action.type === "up") done(lane.sendUp(app.state.hands, spec, piles(), pile));
    else if (action.type === "cell") done(lane.sendToCell(app.state.hands, spec, piles(), pile));
    else if (action.type === "pick" || action.type === "take")
      tap(pile, piles()[pile].length ? 1 : 0, false);
    event.preventDefault();
  }

  /** @param {number} rank */
  function byRank(rank) {
    const pile = hands.pileOfRank(spec, piles(), rank, app.state.hands, rankOf);
    if (!pile) {
      say("No such card is showing.");
      return;
    }
    table.spot(pile)?.focus();
    tap(pile, 1, false);
  }

  const size = new ResizeObserver(([entry]) => {
    const { width, height } = entry.contentRect;
    table.resize(Math.floor(width), Math.floor(height));
  });
  size.observe(felt);
  document.addEventListener("keydown", onKey);
  // Some browsers click on the way up of the space bar, whatever became of the way down.
  felt.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
  const ticking = setInterval(tick, 100);

  function tick() {
    const now = current();
    const own = ownSeat(now);
    if (!own) return;
    setText(time, formatTime(elapsed(now, own, performance.now())));
    racers.update(now, ownLeft(now));
  }

  function update() {
    bar.update();
    const now = current();
    tick();
    drawBoard();
    undo.hidden = !now.info.settings.undo;
    undo.disabled = !now.confirmed?.turn || now.pending.length > 0 || isClosed(now);
    give.disabled = !isPlaying(now);
    banner.update(now);
    rivals.tell(now);
  }

  return {
    element: h(
      "div",
      { class: "race" },
      bar.element,
      h(
        "main",
        {},
        racers.element,
        h("section", { class: "play", "aria-label": "Your board" }, felt, banner.element, line),
        h(
          "div",
          { class: "controls" },
          h(
            "div",
            { class: "figures", "aria-hidden": "true" },
            h("span", {}, time, h("small", {}, "time")),
            h("span", {}, left, h("small", {}, "cards left")),
          ),
          h(
            "div",
            { class: "buttons" },
            undo,
            take,
            spec.kind === "lane" ? up : null,
            advice.button,
            give,
          ),
        ),
      ),
    ),
    title: `${title}: racing`,
    update,
    played: drawBoard,
    close: () => {
      clearInterval(ticking);
      size.disconnect();
      document.removeEventListener("keydown", onKey);
      notify("");
    },
  };
}

/** @param {Race} race */
const isPlaying = (race) =>
  race.info.phase === "racing" &&
  (race.confirmed?.status === "playing" ||
    (race.confirmed?.status === "stuck" && race.info.settings.undo));

/** @param {Race} race */
const isClosed = (race) => !isPlaying(race);

/**
 * The page's one state and what can be asked of it. Screens read `state`, call these
 * functions, and are drawn again when something has changed.
 */

import { createLink, Refused } from "./link.js";
import { commandOf, createRace, playTurn, receive, takeBack } from "./race.js";
import { keep, load, loadPreferences, save } from "./store.js";

/**
 * @typedef {import("../../../types.js").Update} Update
 * @typedef {import("../../../types.js").Command} Command
 * @typedef {import("../../../types.js").RaceInfo} RaceInfo
 * @typedef {import("../../../types.js").OpenRace} OpenRace
 * @typedef {import("../../../types.js").GameRules} GameRules
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("./race.js").Pending} Pending
 */

/**
 * @typedef {{ name: "home" } | { name: "race", code: string } | { name: "replay", race: string }} Route
 */

/**
 * @typedef {object} State
 * @property {Route} route
 * @property {import("./link.js").LinkStatus} link
 * @property {{ player: string, name: string, races: string[] } | null} me
 * @property {Race | null} race the one on screen, or last on screen
 * @property {boolean} isQuick whether one came into it by quick match
 * @property {{ code: string, text: string } | null} trouble why a race cannot be shown
 * @property {OpenRace[] | null} open null until the server has told
 * @property {GameRules[]} rules
 * @property {import("./store.js").Preferences} preferences
 * @property {import("./hands.js").Hands} hands
 */

/**
 * @typedef {object} Hooks What the app needs of the page around it.
 * @property {() => void} changed something is to be drawn anew, soon
 * @property {() => void} played one's own board changed: draw it now
 * @property {(text: string) => void} notify say something to the player, briefly
 * @property {(event: "began" | "ended" | "refused") => void} happened
 * @property {(path: string) => void} visit show another address
 */

/** @typedef {ReturnType<typeof createApp>} App */

const RECOVER_MS = 250;

/**
 * @param {Hooks} hooks
 * @param {Route} route
 */
export function createApp(hooks, route) {
  /** @type {State} */
  const state = {
    route,
    link: "connecting",
    me: null,
    race: null,
    isQuick: false,
    trouble: null,
    open: null,
    rules: [],
    preferences: loadPreferences(),
    hands: freeHands(),
  };
  let recovering = 0;

  const link = createLink({
    open: () => {
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      return new WebSocket(`${scheme}://${location.host}/ws`, ["samedeal.v1+json"]);
    },
    credentials: () => {
      const [name, token] = [load("name", ""), load("token", "")];
      return { ...(name && { name }), ...(token && { token }) };
    },
    onBadToken: () => save("token", undefined),
    onWelcome: ({ player, name, token, races }) => {
      save("token", token);
      state.me = { player, name, races };
      resume();
    },
    onUpdate: take,
    onStatus: (status) => {
      state.link = status;
      hooks.changed();
    },
    later: (work, ms) => window.setTimeout(work, ms),
    never: (timer) => window.clearTimeout(timer),
    prefix: crypto.getRandomValues(new Uint32Array(2)).join("-") + "-",
  });

  /**
   * Ask, and show a refusal; null then.
   * @param {Command} command
   */
  async function ask(command) {
    try {
      return await link.ask(command);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      hooks.notify(error.message);
      return null;
    }
  }

  // Updates in.

  /** @param {Update} update */
  function take(update) {
    if (update.type === "lobby") state.open = update.races;
    if (update.type === "games") state.rules = update.games;
    if (update.type === "error" && update.code === "bad_name") {
      save("name", undefined);
      hooks.notify(update.message);
    }
    const { race } = state;
    if (race && "race" in update && update.race === race.info.race) {
      const news = receive(race, update, state.me?.player ?? "", performance.now());
      if (update.type === "race") keep(update);
      if (news.gap) recover(race);
      if (news.resend) race.pending.forEach((entry) => void sendTurn(race, entry));
      if (news.began) hooks.happened("began");
      if (news.ended) hooks.happened("ended");
      if (news.own) hooks.played();
    }
    hooks.changed();
  }

  /** After a connection was made: back to where one was. */
  function resume() {
    const { race, route } = state;
    if (route.name !== "race") return;
    if (race && race.info.code === route.code && race.seat !== null) recover(race, 0);
    else void openRace(route.code);
  }

  /**
   * @param {RaceInfo} info
   */
  function setRace(info) {
    state.hands = freeHands();
    keep(info);
    state.trouble = null;
    state.race = createRace(info, state.me?.player ?? "", performance.now());
    hooks.changed();
    return state.race;
  }

  /**
   * Show the race of a code: one's own seat in it, or as a watcher.
   * @param {string} code
   */
  async function openRace(code) {
    try {
      const update = await link.ask({ type: "watch", code });
      if (update.type !== "race" || state.route.name !== "race") return;
      const race = setRace(update);
      if (race.seat !== null) recover(race, 0);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      state.trouble = { code: error.code, text: error.message };
      state.race = null;
      hooks.changed();
    }
  }

  /**
   * Into a race that one has just got a seat in.
   * @param {Update | null} joined
   * @param {boolean} [isQuick]
   */
  async function enter(joined, isQuick = false) {
    if (joined?.type !== "joined") return null;
    state.isQuick = isQuick;
    state.race = null;
    state.trouble = null;
    state.route = { name: "race", code: joined.code };
    hooks.visit(`/r/${joined.code}`);
    const info = await ask({ type: "sync", race: joined.race });
    return info?.type === "race" ? setRace(info) : null;
  }

  // Turns out.

  /**
   * @param {Race} race
   * @param {Pending} entry
   */
  async function sendTurn(race, entry) {
    try {
      await link.ask(commandOf(race, entry));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!race.pending.includes(entry) || error.code === "lost") return;
      if (["unavailable", "rate_limited", "stale_turn"].includes(error.code)) {
        recover(race);
        return;
      }
      takeBack(race);
      hooks.notify(`Taken back: ${error.message}`);
      hooks.happened("refused");
      hooks.played();
    }
  }

  /**
   * Ask for what was missed; what is still pending then is sent again.
   * @param {Race} race
   * @param {number} [ms]
   */
  function recover(race, ms = RECOVER_MS) {
    window.clearTimeout(recovering);
    recovering = window.setTimeout(async () => {
      if (state.race !== race) return;
      race.syncing = true;
      const turn = race.confirmed?.turn;
      try {
        await link.ask({
          type: "sync",
          race: race.info.race,
          ...(turn !== undefined && { turn }),
        });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code === "unavailable" || error.code === "rate_limited") recover(race);
        else void openRace(race.info.code);
      }
    }, ms);
  }

  return {
    state,
    ask,
    openRace,

    /** The server may have gone while nobody looked. */
    check: () => link.check(),

    /** Connect again, after another window took over. */
    takeOver: () => link.restart(),

    /**
     * Be called so from now on; takes a new connection.
     * @param {string} name
     */
    rename: (name) => {
      const wanted = name.trim();
      if (wanted === load("name", "")) return;
      save("name", wanted || undefined);
      if (wanted && wanted !== state.me?.name) link.restart();
    },

    /**
     * A race of one's own; with bots alone it starts at once.
     * @param {Omit<Command, "type">} wanted
     * @param {boolean} atOnce
     */
    create: async (wanted, atOnce) => {
      const joined = await ask({ ...wanted, type: "create" });
      if (atOnce && joined?.type === "joined") {
        void ask({ type: "start", race: joined.race });
      }
      return enter(joined);
    },

    /** @param {Omit<Command, "type">} wanted */
    quick: async (wanted) => enter(await ask({ ...wanted, type: "quick" }), true),

    /** @param {{ code?: string, race?: string }} which */
    join: async (which) => enter(await ask({ ...which, type: "join" })),

    /** @param {string} race */
    rematch: async (race) => enter(await ask({ type: "rematch", race })),

    /** @param {string[]} moves */
    play: (moves) => {
      const { race } = state;
      if (!race) return;
      const { entry } = playTurn(race, moves);
      hooks.played();
      void sendTurn(race, entry);
      hooks.changed();
    },

    undo: async () => {
      const { race } = state;
      if (!race?.confirmed || race.pending.length) return;
      await ask({ type: "undo", race: race.info.race, turn: race.confirmed.turn });
    },

    askLobby: () => void ask({ type: "lobby" }),

    askRules: async () => {
      if (!state.rules.length) await ask({ type: "games" });
      return state.rules;
    },

    /** @param {Route} next */
    setRoute: (next) => {
      state.route = next;
      state.trouble = null;
      const same = next.name === "race" && state.race?.info.code === next.code;
      if (next.name === "race" && !same) {
        state.race = null;
        void openRace(next.code);
      }
      hooks.changed();
    },

    /** @param {Partial<import("./store.js").Preferences>} change */
    prefer: (change) => {
      state.preferences = { ...state.preferences, ...change };
      save("preferences", state.preferences);
      hooks.changed();
    },
  };
}

/** @returns {import("./hands.js").Hands} nothing picked */
const freeHands = () => ({ picked: [], count: 0, echo: null });

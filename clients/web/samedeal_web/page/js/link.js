/**
 * The connection: says hello, matches answers to questions, and comes back by itself.
 * Sockets and timers are passed in, so that it runs without a browser.
 */

/**
 * @typedef {import("../../../types.js").Command} Command
 * @typedef {import("../../../types.js").Update} Update
 * @typedef {import("../../../types.js").Welcome} Welcome
 * @typedef {"connecting" | "ready" | "lost" | "replaced"} LinkStatus
 */

/**
 * @typedef {object} Surroundings
 * @property {() => WebSocket} open a new socket to the server
 * @property {() => { name?: string, token?: string }} credentials for `hello`
 * @property {(welcome: Welcome) => void} onWelcome
 * @property {(update: Update) => void} onUpdate every update, answers included
 * @property {(status: LinkStatus) => void} onStatus
 * @property {() => void} onBadToken the token is of no use; the next hello goes without
 * @property {(work: () => void, ms: number) => number} later setTimeout
 * @property {(timer: number) => void} never clearTimeout
 * @property {string} prefix of command ids; unique to this page load
 */

/** A refusal, or a lost connection (`lost`). */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {number} [turn]
   */
  constructor(code, message, turn) {
    super(message);
    this.code = code;
    this.turn = turn;
  }
}

const RETRY_MS = [0, 150, 300, 600, 1000, 1500, 2500, 4000];
const ANSWER_MS = 1200; // a live server answers a ping well within
const OPEN_MS = 4000; // a handshake that takes longer is tried anew

const CLOSE_REPLACED = 4000;
const CLOSE_POLICY = 1008;

/**
 * @typedef {object} Link
 * @property {(command: Command) => Promise<Update>} ask the first answer; rejects with Refused
 * @property {() => void} check make sure that the server is still there
 * @property {() => void} restart drop the connection and open another
 * @property {() => LinkStatus} status
 */

/**
 * @param {Surroundings} around
 * @returns {Link}
 */
export function createLink(around) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {LinkStatus} */
  let status = "connecting";
  let attempts = 0;
  let lastId = 0;
  let heartbeat = 0;
  let retry = 0;
  let doubt = 0;
  /** @type {Map<string, { command: Command, sent: boolean, resolve: (update: Update) => void, reject: (error: Refused) => void }>} */
  const questions = new Map();

  /** @param {LinkStatus} next */
  const setStatus = (next) => {
    if (status === next) return;
    status = next;
    around.onStatus(next);
  };

  /** @param {Command} command */
  const send = (command) => socket?.send(JSON.stringify(command));

  const hello = () => send({ type: "hello", id: "hello", ...around.credentials() });

  const connect = () => {
    around.never(retry);
    around.never(doubt);
    const mine = around.open();
    socket = mine;
    doubt = around.later(() => drop(mine), OPEN_MS);
    mine.onopen = hello;
    mine.onmessage = (event) => {
      if (socket !== mine) return;
      around.never(doubt);
      doubt = 0;
      receive(JSON.parse(String(event.data)));
    };
    mine.onclose = (event) => {
      if (socket === mine) closed(event.code);
    };
  };

  /** @param {WebSocket} mine */
  const drop = (mine) => {
    if (socket !== mine) return;
    socket = null;
    mine.onmessage = null;
    mine.close();
    closed(1006);
  };

  /** @param {number} code */
  const closed = (code) => {
    socket = null;
    around.never(heartbeat);
    around.never(doubt);
    for (const [id, question] of questions) {
      if (!question.sent) continue;
      question.sent = false;
      if (!mayRepeat(question.command)) {
        questions.delete(id);
        question.reject(new Refused("lost", "The connection was lost."));
      }
    }
    if (code === CLOSE_REPLACED) {
      setStatus("replaced");
      return;
    }
    setStatus("lost");
    const pause = code === CLOSE_POLICY ? 5000 : RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)];
    attempts++;
    retry = around.later(connect, pause);
  };

  /** @param {Update} update */
  const receive = (update) => {
    if (update.type === "welcome") {
      attempts = 0;
      around.onWelcome(update);
      setStatus("ready");
      beat(update.heartbeat_ms);
      for (const question of questions.values()) {
        if (!question.sent) {
          question.sent = true;
          send(question.command);
        }
      }
      return;
    }
    if (update.re === "hello" && update.type === "error") {
      if (update.code === "bad_token") around.onBadToken();
      else if (update.code === "bad_name") around.onUpdate(update);
      hello();
      return;
    }
    const question = update.re === undefined ? undefined : questions.get(update.re);
    if (question && update.re !== undefined) questions.delete(update.re);
    // What is awaited goes on only after the update has been taken in.
    around.onUpdate(update);
    if (!question) return;
    if (update.type === "error") {
      question.reject(new Refused(update.code, update.message, update.turn));
    } else question.resolve(update);
  };

  const check = () => {
    const mine = socket;
    if (!mine || status !== "ready") {
      if (status === "lost") {
        attempts = 0;
        if (mine) drop(mine);
        else connect();
      }
      return;
    }
    if (doubt) return;
    send({ type: "ping" });
    doubt = around.later(() => drop(mine), ANSWER_MS);
  };

  /** @param {number} ms */
  const beat = (ms) => {
    around.never(heartbeat);
    heartbeat = around.later(() => {
      check();
      beat(ms);
    }, ms);
  };

  connect();
  return {
    ask: (command) =>
      new Promise((resolve, reject) => {
        const id = `${around.prefix}${++lastId}`;
        const sent = status === "ready";
        const asked = { ...command, id };
        questions.set(id, { command: asked, sent, resolve, reject });
        if (sent) send(asked);
      }),
    check,
    restart: () => {
      attempts = 0;
      const old = socket;
      socket = null;
      if (old) old.close();
      setStatus("connecting");
      connect();
    },
    status: () => status,
  };
}

/**
 * Whether a command whose answer was lost may simply be sent again. Turns are
 * numbered anew after a sync instead.
 * @param {Command} command
 */
const mayRepeat = (command) => command.type !== "move" && command.type !== "undo";

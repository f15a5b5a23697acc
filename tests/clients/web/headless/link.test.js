import assert from "node:assert/strict";
import { test } from "node:test";

import { createLink } from "../../../../clients/web/samedeal_web/page/js/link.js";

/** A link with sockets and a clock that the test holds. */
function held(credentials = {}) {
  const timers = new Map();
  const world = {
    sockets: [],
    statuses: [],
    updates: [],
    welcomes: 0,
    badTokens: 0,
    now: 0,
    lastTimer: 0,
  };
  const link = createLink({
    open: () => {
      const socket = {
        sent: [],
        send: (text) => socket.sent.push(JSON.parse(text)),
        close: () => (socket.isClosed = true),
      };
      world.sockets.push(socket);
      return socket;
    },
    credentials: () => credentials,
    onWelcome: () => world.welcomes++,
    onUpdate: (update) => world.updates.push(update),
    onStatus: (status) => world.statuses.push(status),
    onBadToken: () => world.badTokens++,
    later: (work, ms) => {
      timers.set(++world.lastTimer, { at: world.now + ms, work });
      return world.lastTimer;
    },
    never: (timer) => timers.delete(timer),
    prefix: "x",
  });
  const latest = () => world.sockets.at(-1);
  return Object.assign(world, {
    link,
    latest,
    pass: (ms) => {
      world.now += ms;
      for (const [id, { at, work }] of [...timers]) {
        if (at <= world.now && timers.delete(id)) work();
      }
    },
    tell: (update) => latest().onmessage({ data: JSON.stringify(update) }),
    welcome: () => {
      latest().onopen();
      latest().onmessage({
        data: JSON.stringify({ type: "welcome", re: "hello", heartbeat_ms: 10_000 }),
      });
    },
  });
}

test("says hello, and asks what was asked before it was ready", async () => {
  const world = held({ name: "Ann", token: "t" });
  const answer = world.link.ask({ type: "games" });
  world.welcome();
  assert.deepEqual(world.latest().sent, [
    { type: "hello", id: "hello", name: "Ann", token: "t" },
    { type: "games", id: "x1" },
  ]);
  world.tell({ type: "games", re: "x1", games: [] });
  assert.equal((await answer).type, "games");
  assert.deepEqual(world.statuses, ["ready"]);
});

test("a refusal rejects with its code and turn", async () => {
  const world = held();
  world.welcome();
  const answer = world.link.ask({ type: "move" });
  world.tell({ type: "error", re: "x1", code: "stale_turn", message: "No.", turn: 4 });
  await assert.rejects(answer, { code: "stale_turn", message: "No.", turn: 4 });
});

test("comes back by itself; repeats questions, but not turns", async () => {
  const world = held();
  world.welcome();
  const joined = world.link.ask({ type: "join", code: "ABCDEF" });
  const moved = world.link.ask({ type: "move", turn: 0 });
  world.latest().onclose({ code: 1006 });
  await assert.rejects(moved, { code: "lost" });
  world.pass(0);
  world.welcome();
  assert.deepEqual(world.latest().sent.slice(1), [{ type: "join", code: "ABCDEF", id: "x1" }]);
  world.tell({ type: "joined", re: "x1" });
  assert.equal((await joined).type, "joined");
  assert.deepEqual(world.statuses, ["ready", "lost", "ready"]);
  assert.equal(world.welcomes, 2);
});

test("is back within two seconds of a network that was away for long", () => {
  const world = held();
  world.welcome();
  world.latest().onclose({ code: 1006 });
  for (let second = 0; second < 60; second++) {
    world.pass(1000);
    const socket = world.latest();
    if (!socket.isDone) socket.onclose?.({ code: 1006 });
    socket.isDone = true;
  }
  const before = world.sockets.length;
  world.link.check();
  assert.equal(world.sockets.length, before + 1, "tried at once");
});

test("a server that does not answer a ping is left for a new connection", () => {
  const world = held();
  world.welcome();
  world.link.check();
  assert.equal(world.latest().sent.at(-1).type, "ping");
  world.pass(1200);
  world.pass(0);
  assert.equal(world.sockets.length, 2);
});

test("any message quiets the doubt", () => {
  const world = held();
  world.welcome();
  world.link.check();
  world.tell({ type: "pong", now_ms: 1 });
  world.pass(1500);
  assert.equal(world.sockets.length, 1);
});

test("a heartbeat asks now and then", () => {
  const world = held();
  world.welcome();
  world.pass(10_000);
  assert.equal(world.latest().sent.at(-1).type, "ping");
});

test("does not fight a newer window; takes over when asked", () => {
  const world = held();
  world.welcome();
  world.latest().onclose({ code: 4000 });
  world.pass(60_000);
  assert.equal(world.sockets.length, 1);
  assert.equal(world.statuses.at(-1), "replaced");
  world.link.restart();
  assert.equal(world.sockets.length, 2);
});

test("a bad token is forgotten, and hello said again", () => {
  const world = held({ token: "old" });
  world.latest().onopen();
  world.tell({ type: "error", re: "hello", code: "bad_token", message: "No." });
  assert.equal(world.badTokens, 1);
  assert.equal(world.latest().sent.length, 2);
});

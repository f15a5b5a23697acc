import assert from "node:assert/strict";
import { test } from "node:test";

import {
  askAnalysis,
  dealInWords,
  findings,
} from "../../../../clients/web/samedeal_web/page/js/hindsight.js";
import {
  adviseMove,
  pilesIn,
  sayMoves,
} from "../../../../clients/web/samedeal_web/page/js/moves.js";
import { positionsOf } from "../../../../clients/web/samedeal_web/page/js/timeline.js";

const step = (turn, played, piles) => ({
  at_ms: 100 * turn,
  turn,
  played,
  piles,
  left: 0,
  status: "playing",
});

const seat = (number, name, ...steps) => ({
  seat: number,
  name,
  piles: { t0: ["Kh", "6c"], t1: ["8d", "Ac"], t2: ["8s"], t3: ["Ks"] },
  left: 6,
  status: "playing",
  steps,
});

const replay = (...seats) => ({ game: "juvenile", variant: "one-deck", seats });

const told = (found, ...seats) =>
  findings(replay(...seats), seats.map(positionsOf), { verdict: "won", left: 0, ...found });

test("the move that lost the deal is told in cards, and when it was", () => {
  const ann = seat(
    0,
    "Ann",
    step(1, ["t0+t2"], { t0: [1, []], t2: [0, []] }),
    step(2, ["t1+t3"], { t1: [1, []], t3: [0, []] }),
  );
  const [finding] = told(
    { seats: [{ seat: 0, left: 2, turn: 1, lost_by: "t1+t3", certain: true, line: ["t0+t1"] }] },
    ann,
  );
  assert.equal(finding.at_ms, 200);
  assert.deepEqual(finding.line, ["t0+t1"]);
  assert.equal(
    finding.text,
    "Ann could clear it until turn 1, and then lost it: took ace of clubs and king of spades.",
  );
});

test("of a list of moves the one that lost it is looked for on the board before it", () => {
  const ann = seat(
    3,
    "Ann",
    step(1, ["t0+t2", "t0+t1"], { t0: [0, []], t1: [1, []], t2: [0, []] }),
  );
  const [finding] = told(
    { seats: [{ seat: 3, left: 2, turn: 0, lost_by: "t0+t1", certain: true, line: ["t0+t2"] }] },
    ann,
  );
  assert.equal(finding.at_ms, 100);
  assert.match(finding.text, /until turn 0, .*: took king of hearts and ace of clubs\.$/);
});

test("an undo before it, and giving up after it, are not the move", () => {
  const ann = seat(
    0,
    "Ann",
    step(1, ["t0+t2"], { t0: [1, []], t2: [0, []] }),
    step(2, "undo", { t0: [1, ["6c"]], t2: [0, ["8s"]] }),
    step(3, ["t1+t3"], { t1: [1, []], t3: [0, []] }),
    { ...step(3, "resigned", {}), at_ms: 900 },
  );
  const [finding] = told(
    { seats: [{ seat: 0, left: 4, turn: 2, lost_by: "t1+t3", certain: true, line: [] }] },
    ann,
  );
  assert.equal(finding.at_ms, 300);
});

test("where nothing was lost there is no moment, and what is not known is said", () => {
  const seats = ["Ann", "Bob", "Cy", "Di"].map((name, number) => seat(number, name));
  const found = told(
    {
      seats: [
        { seat: 0, left: 0, turn: 9, certain: true, line: ["t0+t1"] },
        { seat: 1, left: 4, turn: 9, certain: true, line: ["t0+t1"] },
        { seat: 2, left: 4, turn: 2, certain: false, line: ["t0+t1"] },
        { seat: 3, left: 4, certain: false },
      ],
    },
    ...seats,
  );
  assert.deepEqual(
    found.map(({ text }) => text),
    [
      "Ann cleared it.",
      "Bob could still have cleared it at the end.",
      "Cy could clear it at turn 2; whether later, too, is not known.",
      "Whether Di could clear it is not known.",
    ],
  );
  assert.deepEqual(
    found.map(({ at_ms, line }) => [at_ms, line.length]),
    [
      [null, 0],
      [null, 1],
      [null, 1],
      [null, 0],
    ],
  );
});

test("of a deal that nobody could clear no seat is told of", () => {
  const ann = seat(0, "Ann");
  const lost = { verdict: "lost", left: 4, exact: true, seats: [{ seat: 0, left: 6 }] };
  assert.deepEqual(told(lost, ann), []);
  assert.equal(dealInWords(lost), "Nobody could clear this deal: 4 cards left at best.");
  assert.match(dealInWords({ ...lost, exact: false, left: 1 }), /leaves 1 card; there may be/);
  assert.match(dealInWords({ ...lost, verdict: "unknown" }), /is not known\. .* leaves 4 cards/);
  assert.match(dealInWords({ ...lost, verdict: "won" }), /could be cleared/);
});

const response = (status, body) => ({
  ok: status === 200,
  status,
  json: async () => body,
  text: async () => body,
});

test("it is asked for until it has been worked out, and no longer than that", async () => {
  const answers = [response(503, "later\n"), response(429, "later\n"), response(200, { left: 1 })];
  const asked = [];
  const waited = [];
  const means = {
    fetch: async (path) => {
      asked.push(path);
      return answers.shift() ?? response(503, "later\n");
    },
    wait: async (ms) => waited.push(ms),
  };
  assert.deepEqual(await askAnalysis("abc", means), { left: 1 });
  assert.deepEqual(asked, Array(3).fill("/races/abc/analysis.json"));
  assert.equal(waited.length, 2);
  assert.equal(await askAnalysis("abc", means), "later");
  assert.ok(waited.reduce((sum, ms) => sum + ms, 0) < 60_000);
});

test("what will not become better is told at once", async () => {
  const wait = () => assert.fail("It waited.");
  const refuse = async () => response(409, "This race is not over.\n");
  assert.equal(await askAnalysis("abc", { fetch: refuse, wait }), "This race is not over.");
  const fail = async () => {
    throw new TypeError("no network");
  };
  assert.match(await askAnalysis("abc", { fetch: fail, wait }), /cannot be reached/);
});

test("moves in words", () => {
  const piles = { t0: ["2c", "Kh"], t1: ["Ac"], c0: [], fc: [] };
  assert.equal(sayMoves(["t0+t1"], piles), "Took king of hearts and ace of clubs.");
  assert.equal(sayMoves(["t1>f"], piles), "ace of clubs to the foundation.");
  assert.equal(sayMoves(["t0>c0"], piles), "king of hearts to a free cell.");
  assert.equal(sayMoves(["t0>c0", "t1>f"], piles), "Moved 2 times.");
  assert.equal(adviseMove("t0+t1", piles), "Take king of hearts and ace of clubs.");
  assert.equal(adviseMove("t0>t1", piles), "Move king of hearts to pile 2.");
  assert.deepEqual(pilesIn("t0+t1", piles), ["t0", "t1"]);
  assert.deepEqual(pilesIn("t0>c0", piles), ["t0", "c0"]);
  assert.deepEqual(pilesIn("t1>f", piles), ["t1", "fc"]);
});

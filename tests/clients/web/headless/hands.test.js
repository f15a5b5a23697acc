import assert from "node:assert/strict";
import { test } from "node:test";

import {
  aids,
  clear,
  confirmPick,
  emptyHands,
  recheck,
  tap,
} from "../../../../clients/web/samedeal_web/page/js/hands.js";
import {
  drop,
  dropTargets,
  sendToCell,
  sendUp,
} from "../../../../clients/web/samedeal_web/page/js/hands-lane.js";
import { specOf } from "../../../../clients/web/samedeal_web/page/js/spec.js";

const ONE = { oneTap: true, autoTake: true };
const TWO = { oneTap: false, autoTake: false };
const pairs = specOf("simple-pairs", "standard");
const fifteens = specOf("straight-fifteens", "either");
const lane = specOf("private-lane", "by-suit");

const nine = (...cards) =>
  Object.fromEntries(cards.map((card, index) => [`t${index}`, card ? [card] : []]));
const laneBoard = (some) => ({
  t0: [],
  t1: [],
  t2: [],
  t3: [],
  t4: [],
  t5: [],
  t6: [],
  t7: [],
  c0: [],
  c1: [],
  fc: [],
  fd: [],
  fh: [],
  fs: [],
  ...some,
});

test("pairs: two taps take two cards", () => {
  const hands = emptyHands();
  const piles = nine("7h", "7c", "7d", "2s");
  assert.deepEqual(tap(hands, pairs, piles, ONE, "t2", 1, 0), {});
  assert.deepEqual(tap(hands, pairs, piles, ONE, "t0", 1, 900).moves, ["t0+t2"]);
  assert.deepEqual(hands.picked, []);
});

test("pairs: one tap takes where one partner shows; a quick second tap belongs to it", () => {
  const hands = emptyHands();
  const piles = nine("7h", "7c", "2d");
  assert.deepEqual(tap(hands, pairs, piles, ONE, "t1", 1, 0).moves, ["t0+t1"]);
  const after = nine("2c", "4c", "2d");
  assert.deepEqual(tap(hands, pairs, after, ONE, "t0", 1, 200), {}, "meant the card that has gone");
  assert.deepEqual(tap(hands, pairs, after, ONE, "t0", 1, 300).moves, ["t0+t2"]);
});

test("pairs: with the setting off two taps are needed", () => {
  const hands = emptyHands();
  assert.deepEqual(tap(hands, pairs, nine("7h", "7c"), TWO, "t1", 1, 0), {});
  assert.deepEqual(hands.picked, ["t1"]);
});

test("pairs: a wrong second card is refused with a reason and becomes the first", () => {
  const hands = emptyHands();
  const piles = nine("7h", "7c", "7s", "2s", "2d");
  tap(hands, pairs, piles, TWO, "t0", 1, 0);
  assert.match(tap(hands, pairs, piles, TWO, "t3", 1, 1).say, /not of the same rank/);
  assert.deepEqual(hands.picked, ["t3"]);
  tap(hands, pairs, piles, TWO, "t3", 1, 2);
  assert.deepEqual(hands.picked, []);
});

test("pairs: a card alone says so; a tap on nothing lets go", () => {
  const hands = emptyHands();
  const piles = nine("7h", "2c", "2d", "");
  assert.match(tap(hands, pairs, piles, ONE, "t0", 1, 0).say, /No other seven/);
  tap(hands, pairs, piles, TWO, "t1", 1, 0);
  tap(hands, pairs, piles, TWO, "t3", 0, 0);
  assert.deepEqual(hands.picked, []);
});

test("fifteens: a complete set goes by itself, or by Enter", () => {
  const hands = emptyHands();
  const piles = nine("7h", "8c", "9d");
  tap(hands, fifteens, piles, ONE, "t1", 1, 0);
  assert.deepEqual(tap(hands, fifteens, piles, ONE, "t0", 1, 0).moves, ["t0+t1"]);
  tap(hands, fifteens, piles, TWO, "t0", 1, 0);
  assert.match(confirmPick(hands, fifteens, piles).say, /two cards/);
  assert.deepEqual(tap(hands, fifteens, piles, TWO, "t1", 1, 0), {});
  assert.deepEqual(confirmPick(hands, fifteens, piles).moves, ["t0+t1"]);
});

test("fifteens: a card too many stays where it is", () => {
  const hands = emptyHands();
  const piles = nine("7h", "8c", "9d");
  tap(hands, fifteens, piles, ONE, "t0", 1, 0);
  assert.match(tap(hands, fifteens, piles, ONE, "t2", 1, 0).say, /16/);
  assert.deepEqual(hands.picked, ["t0"]);
});

test("lane: a tap moves where one target makes sense, and its echo does nothing", () => {
  const hands = emptyHands();
  const piles = laneBoard({ t0: ["2c", "Ah"], t1: ["9c"] });
  assert.deepEqual(tap(hands, lane, piles, ONE, "t0", 1, 0).moves, ["t0>f"]);
  assert.deepEqual(tap(hands, lane, laneBoard({ t0: ["2c"] }), ONE, "t0", 1, 200), {});
});

test("lane: pick, then put; a sequence goes as one turn", () => {
  const hands = emptyHands();
  const piles = laneBoard({ t0: ["2c", "8h", "7h"], t1: ["9h"], t2: ["3s"] });
  tap(hands, lane, piles, TWO, "t0", 2, 0);
  assert.equal(hands.count, 2);
  assert.equal(tap(hands, lane, piles, TWO, "t1", 1, 0).moves.length, 3);
});

test("lane: tapping the top moves as much of the sequence as fits", () => {
  const hands = emptyHands();
  const piles = laneBoard({ t0: ["2c", "8h", "7h"], t1: ["9h"] });
  tap(hands, lane, piles, TWO, "t0", 1, 0);
  assert.equal(tap(hands, lane, piles, TWO, "t1", 1, 0).moves.length, 3);
});

test("lane: an impossible target says why, and is picked instead", () => {
  const hands = emptyHands();
  const piles = laneBoard({ t0: ["2c"], t1: ["9h"] });
  tap(hands, lane, piles, TWO, "t0", 1, 0);
  assert.match(tap(hands, lane, piles, TWO, "t1", 1, 0).say, /does not go on/);
  assert.deepEqual(hands.picked, ["t1"]);
});

test("lane: to the foundation, to a cell", () => {
  const hands = emptyHands();
  const piles = laneBoard({ t0: ["Ah"], t1: ["9h"], c0: ["2c"] });
  assert.deepEqual(sendUp(hands, lane, piles, "t0").moves, ["t0>f"]);
  assert.match(sendUp(hands, lane, piles, "t1").say, /Hearts go on with the ace/);
  assert.deepEqual(sendToCell(hands, lane, piles, "t1").moves, ["t1>c1"]);
  assert.match(sendToCell(hands, lane, { ...piles, c1: ["3c"] }, "t1").say, /Both cells/);
});

test("lane: where cards may be dropped, and a drop elsewhere", () => {
  const hands = emptyHands();
  const piles = laneBoard({
    t0: ["8h", "7h"],
    t1: ["9h"],
    t2: ["3s"],
    t3: ["4c"],
    t4: ["4d"],
    t5: ["5c"],
    t6: ["5d"],
    t7: ["6c"],
  });
  assert.deepEqual(dropTargets(lane, piles, "t0", 2), ["t1"]);
  assert.deepEqual(dropTargets(lane, piles, "t0", 1), ["c0", "c1"]);
  assert.match(drop(hands, lane, piles, "t0", 1, "t2").say, /does not go on three of spades/);
});

test("aids are the partners of what is picked, or all that can be played", () => {
  const hands = emptyHands();
  const piles = nine("7h", "7c", "2d", "2c", "9s");
  assert.deepEqual(aids(hands, pairs, piles), ["t0", "t1", "t2", "t3"]);
  hands.picked = ["t2"];
  assert.deepEqual(aids(hands, pairs, piles), ["t3"]);
});

test("hands let go of what is no longer there", () => {
  const hands = emptyHands();
  hands.picked = ["t0"];
  recheck(hands, nine("7h"));
  assert.deepEqual(hands.picked, ["t0"]);
  recheck(hands, nine(""));
  assert.deepEqual(hands.picked, []);
  clear(hands);
});

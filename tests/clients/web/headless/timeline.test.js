import assert from "node:assert/strict";
import { test } from "node:test";

import {
  indexAt,
  leaders,
  moments,
  positionsOf,
} from "../../../../clients/web/samedeal_web/page/js/timeline.js";

const seat = (...lefts) => ({
  piles: { t0: ["7h"], t1: ["7c"] },
  left: 10,
  status: "playing",
  steps: lefts.map(([at_ms, left], index) => ({
    at_ms,
    turn: index + 1,
    played: ["t0+t1"],
    piles: {},
    left,
    status: "playing",
  })),
});

test("positions follow from the deal by patches", () => {
  const [first, second] = positionsOf({
    ...seat(),
    steps: [
      {
        at_ms: 5,
        turn: 1,
        played: ["t0+t1"],
        piles: { t0: [0, []], t1: [0, ["2d"]] },
        left: 8,
        status: "stuck",
      },
    ],
  });
  assert.deepEqual(first.piles, { t0: ["7h"], t1: ["7c"] });
  assert.deepEqual(second.piles, { t0: [], t1: ["2d"] });
});

test("the position at a moment is the last one before or at it", () => {
  const positions = positionsOf(seat([100, 8], [200, 6]));
  assert.deepEqual(
    [0, 99, 100, 150, 200, 999].map((ms) => indexAt(positions, ms)),
    [0, 0, 1, 1, 2, 2],
  );
});

test("who led when: fewest cards, a tie is the earlier leader's", () => {
  const seats = [positionsOf(seat([100, 8], [400, 2])), positionsOf(seat([150, 8], [300, 6]))];
  assert.deepEqual(moments(seats), [0, 100, 150, 300, 400]);
  assert.deepEqual(leaders(seats, 500), [
    { seat: 0, from: 100, to: 300 },
    { seat: 1, from: 300, to: 400 },
    { seat: 0, from: 400, to: 500 },
  ]);
});

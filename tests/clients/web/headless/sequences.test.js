import assert from "node:assert/strict";
import { test } from "node:test";

import { legalMoves } from "../../../../clients/web/samedeal_web/page/js/rules.js";
import {
  capacity,
  collect,
  plan,
  planMost,
  runLength,
} from "../../../../clients/web/samedeal_web/page/js/sequences.js";
import { play, specOf } from "../../../../clients/web/samedeal_web/page/js/spec.js";

const spec = specOf("private-lane", "any-suit");
const RUN = ["Kc", "Qh", "Js", "Td", "9c", "8h", "7s", "6d", "5c", "4h", "3s", "2d", "Ac"];

/** Private Lane with these piles; the others hold a king each, and so no room. */
function board(some, empties = 0) {
  const piles = { c0: [], c1: [], fc: [], fd: [], fh: [], fs: [] };
  for (let index = 7; index >= 0; index--)
    piles[`t${index}`] = index > 7 - empties ? [] : ["2s", "Kd"];
  return { ...piles, ...some };
}

/** Play a plan, each move checked. */
function carryOut(piles, moves) {
  return moves.reduce((now, move) => {
    assert.ok(legalMoves(spec, now).includes(move), move);
    return play(spec, now, move);
  }, piles);
}

for (let empties = 0; empties <= 3; empties++) {
  for (const held of [0, 1, 2]) {
    test(`${empties} empty piles and ${2 - held} cells move what they have room for, not more`, () => {
      const cells = Object.fromEntries(
        [0, 1].map((cell) => [`c${cell}`, cell < held ? ["As"] : []]),
      );
      const room = capacity(2 - held, empties);
      for (let count = 1; count <= 12; count++) {
        const run = RUN.slice(13 - count);
        const above = RUN[13 - count - 1];
        const piles = board({ ...cells, t0: ["2c", ...run], t1: [above] }, empties);
        const planned = plan(spec, piles, "t0", "t1", count);
        if (count > room) assert.match(planned.reason, /room/);
        else {
          assert.ok(planned.moves.length <= 64);
          const after = carryOut(piles, planned.moves);
          assert.deepEqual(after.t1, [above, ...run]);
          assert.deepEqual(after.t0, ["2c"]);
        }
      }
    });
  }
}

test("a sequence to an empty pile does not count that pile as room", () => {
  const piles = board({ t0: ["2c", "9c", "8h", "7s", "6d"], t7: [] });
  assert.match(plan(spec, piles, "t0", "t7", 4).reason, /room for 3/);
  assert.deepEqual(carryOut(piles, plan(spec, piles, "t0", "t7", 3).moves).t7, ["8h", "7s", "6d"]);
});

test("what is not in sequence, or does not fit, is refused with the reason", () => {
  const piles = board({ t0: ["9c", "8h", "2s"], t1: ["9d", "8c"], t2: ["4s"] });
  assert.match(plan(spec, piles, "t0", "t1", 2).reason, /not in sequence/);
  assert.match(
    plan(spec, piles, "t1", "t2", 2).reason,
    /Nine of diamonds does not go on four of spades/,
  );
  assert.match(plan(spec, piles, "t1", "f", 2).reason, /one card/);
  assert.match(plan(spec, piles, "t1", "t1", 1).reason, /already/);
});

test("run length", () => {
  assert.equal(runLength(spec, []), 0);
  assert.equal(runLength(spec, ["2c", "9c", "8h", "7s"]), 3);
  assert.equal(runLength(specOf("private-lane", "by-suit"), ["9c", "8h", "7h"]), 2);
});

test("planMost takes the part of a sequence that fits", () => {
  const piles = board({ t0: ["9c", "8h", "7s"], t1: ["2c", "9d"], t2: ["8c"] });
  assert.equal(planMost(spec, piles, "t0", "t1").moves.length, 3);
  assert.deepEqual(planMost(spec, piles, "t0", "t2").moves, ["t0>t2"]);
});

test("collect sends up all that goes, in order", () => {
  const piles = board({ t0: ["2h", "Ah"], t1: ["3h"], c0: ["Ac"] });
  const after = carryOut(piles, collect(spec, piles));
  assert.deepEqual([after.fh, after.fc], [["Ah", "2h", "3h"], ["Ac"]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { applyPatch } from "../../../../clients/web/samedeal_web/page/js/board.js";
import { completions, judge } from "../../../../clients/web/samedeal_web/page/js/fifteens.js";
import { targets } from "../../../../clients/web/samedeal_web/page/js/lane.js";
import { whyNoPair } from "../../../../clients/web/samedeal_web/page/js/pairs.js";
import { legalMoves } from "../../../../clients/web/samedeal_web/page/js/rules.js";
import { play, specOf } from "../../../../clients/web/samedeal_web/page/js/spec.js";
import { perft, transcripts } from "./vectors.js";

for (const [file, games] of transcripts()) {
  test(`${file}: what is legal, and what a move does to what one sees`, () => {
    for (const { game, variant, start, turns, refused } of games) {
      const spec = specOf(game, variant);
      let piles = start.piles;
      assert.equal(legalMoves(spec, piles).length, start.legal);
      turns.forEach((turn, index) => {
        const legal = legalMoves(spec, piles);
        assert.ok(legal.includes(turn.move), `${turn.move} at turn ${index}`);
        for (const { after, move } of refused)
          if (after === index) assert.ok(!legal.includes(move), move);
        const guessed = play(spec, piles, turn.move);
        piles = applyPatch(piles, turn.patch);
        assertAgrees(guessed, piles);
        assert.equal(legalMoves(spec, piles).length, turn.legal, `after turn ${index}`);
      });
    }
  });
}

/** Same cards wherever the guess shows any. */
function assertAgrees(guessed, piles) {
  for (const [pile, cards] of Object.entries(piles)) {
    assert.equal(guessed[pile].length, cards.length, pile);
    cards.forEach((card, index) => {
      if (guessed[pile][index] !== "??") assert.equal(guessed[pile][index], card, pile);
    });
  }
}

test("every visible deal of the perft vectors has the moves that it should", () => {
  for (const row of perft()) {
    const { piles } = row.start ?? {};
    if (!piles) continue;
    assert.equal(legalMoves(specOf(row.game, row.variant), piles).length, row.perft[0]);
  }
});

test("no move is listed twice", () => {
  for (const [, games] of transcripts()) {
    for (const { game, variant, start } of games) {
      const moves = legalMoves(specOf(game, variant), start.piles);
      assert.equal(new Set(moves).size, moves.length);
    }
  }
});

test("an unknown variant is refused", () => {
  assert.throws(() => specOf("juvenile", "three-decks"), /does not know/);
});

test("a choice of cards is open, complete or over", () => {
  const either = specOf("straight-fifteens", "either");
  const apart = specOf("straight-fifteens", "courts-apart");
  assert.equal(judge(either, ["7h", "7c"]).state, "open");
  assert.equal(judge(either, ["7h", "7c", "As"]).state, "complete");
  assert.equal(judge(either, ["9h", "7c"]).state, "over");
  assert.equal(judge(either, ["Kh", "Kc", "Ks"]).state, "open");
  assert.equal(judge(either, ["Kh", "Kc", "Ks", "Kd"]).state, "complete");
  assert.equal(judge(either, ["Kh", "Kc", "Qs"]).state, "over");
  assert.equal(judge(either, ["Th", "Jc", "Qs", "Kd"]).state, "complete");
  assert.equal(judge(either, ["Th", "5c"]).state, "complete");
  assert.equal(judge(apart, ["Th", "5c"]).state, "over");
  assert.equal(judge(apart, ["Th", "Jh"]).state, "open");
});

test("completions are the cards of sets that hold all that is picked", () => {
  const spec = specOf("straight-fifteens", "either");
  const piles = { t0: ["9h"], t1: ["6c"], t2: ["5c"], t3: ["As"], t4: ["Kh"] };
  assert.deepEqual(completions(spec, piles, ["t0"]).sort(), ["t1", "t2", "t3"]);
  assert.deepEqual(completions(spec, piles, ["t0", "t2"]), ["t3"]);
});

test("a lone card may not go from one empty pile to another", () => {
  const spec = specOf("private-lane", "by-suit");
  const piles = lane({ t0: ["5h"], c0: ["9c"] });
  assert.deepEqual(targets(spec, piles, "t0"), ["c1"]);
  assert.ok(targets(spec, piles, "c0").includes("t1"));
});

test("a reason names the cards and the sum", () => {
  assert.equal(
    whyNoPair(specOf("juvenile", "one-deck"), "Kd", "2s"),
    "King of diamonds and two of spades add to 15, not 14.",
  );
});

/** Private Lane with these piles, all others empty. */
function lane(some) {
  const names = [
    "t0",
    "t1",
    "t2",
    "t3",
    "t4",
    "t5",
    "t6",
    "t7",
    "c0",
    "c1",
    "fc",
    "fd",
    "fh",
    "fs",
  ];
  return { ...Object.fromEntries(names.map((name) => [name, []])), ...some };
}

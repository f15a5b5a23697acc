import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fan,
  hit,
  layOut,
  mostOverlapped,
  neighbour,
} from "../../../../clients/web/samedeal_web/page/js/layout.js";
import { specOf } from "../../../../clients/web/samedeal_web/page/js/spec.js";
import { transcripts } from "./vectors.js";

const SIZES = [
  [348, 480],
  [378, 640],
  [620, 300],
  [700, 560],
  [1100, 760],
];

for (const [file, [{ game, variant, start }]] of transcripts()) {
  for (const [width, height] of SIZES) {
    test(`${file}: everything lies on a table of ${width} by ${height}, large enough to read`, () => {
      const spec = specOf(game, variant);
      const layout = layOut(spec, width, height);
      assert.ok(layout.w >= 34, `cards are ${layout.w} px wide`);
      for (const [pile, cards] of Object.entries(start.piles)) {
        const { x, y } = layout.slots[pile];
        const bottom = Math.max(y, ...fan(layout, pile, cards)) + layout.h;
        assert.ok(x >= 0 && x + layout.w <= width + 1, `${pile} at ${x}`);
        assert.ok(y >= 0 && bottom <= height + 2, `${pile} down to ${bottom}`);
      }
    });
  }

  test(`${file}: a point on a card's showing part is that card`, () => {
    const spec = specOf(game, variant);
    const layout = layOut(spec, 900, 700);
    for (const [pile, cards] of Object.entries(start.piles)) {
      if (!cards.length || pile === "stock") continue;
      const tops = fan(layout, pile, cards);
      tops.forEach((top, index) => {
        const found = hit(layout, start.piles, layout.slots[pile].x + 5, top + 3);
        assert.deepEqual(found, { pile, count: cards.length - index });
      });
    }
  });
}

test("a fan closes up when its pile grows beyond the table", () => {
  const spec = specOf("private-lane", "by-suit");
  const layout = layOut(spec, 348, 400);
  const tall = Array(19).fill("5h");
  const tops = fan(layout, "t0", tall);
  assert.ok(tops.at(-1) + layout.h <= 401);
});

test("a dropped card counts for the pile that it overlaps most, among those allowed", () => {
  const spec = specOf("private-lane", "by-suit");
  const layout = layOut(spec, 800, 600);
  const [, [{ start }]] = transcripts().find(([file]) => file === "private-lane_by-suit.jsonl");
  const { x, y } = layout.slots.t3;
  const rect = { x: x + layout.w * 0.7, y: y + 20, w: layout.w, h: layout.h };
  assert.equal(mostOverlapped(layout, start.piles, rect, ["t3", "t4"]), "t4");
  assert.equal(mostOverlapped(layout, start.piles, rect, ["t3"]), "t3");
  assert.equal(mostOverlapped(layout, start.piles, rect, ["t0"]), null);
});

test("arrow keys reach every pile and never leave the table", () => {
  for (const [, [{ game, variant }]] of transcripts()) {
    const layout = layOut(specOf(game, variant), 900, 600);
    const seen = new Set(["t0"]);
    for (const pile of seen) {
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"])
        seen.add(neighbour(layout, pile, key));
    }
    assert.deepEqual([...seen].sort(), Object.keys(layout.slots).sort());
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { actionOf } from "../../../../clients/web/samedeal_web/page/js/keyboard.js";

const press = (key, more = {}) =>
  actionOf({ key, ctrlKey: false, altKey: false, metaKey: false, target: null, ...more });

test("ranks by their keys, ten by 0 and T", () => {
  const ranks = [..."A234567890JQK"].map((key) => press(key).rank);
  assert.deepEqual(ranks, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  assert.equal(press("t").rank, 10);
});

test("arrows go, space picks, escape lets go", () => {
  assert.deepEqual(press("ArrowLeft"), { type: "go", key: "ArrowLeft" });
  assert.equal(press(" ").type, "pick");
  assert.equal(press("Escape").type, "clear");
  assert.equal(press("?").type, "help");
  assert.equal(press("U").type, "undo");
});

test("keys that are the browser's, or mean nothing, are left alone", () => {
  assert.equal(press("a", { ctrlKey: true }), null);
  assert.equal(press("z"), null);
  assert.equal(press("Tab"), null);
  assert.equal(press("F5"), null);
});

test("space and Enter on another button are that button's", () => {
  const button = { closest: (selector) => (selector === ".spot" ? null : {}) };
  const spot = { closest: () => ({}) };
  assert.equal(press(" ", { target: button }), null);
  assert.equal(press("Enter", { target: button }), null);
  assert.equal(press(" ", { target: spot }).type, "pick");
});

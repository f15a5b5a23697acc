import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import {
  cardName,
  listed,
  rankOf,
  rankText,
} from "../../../../clients/web/samedeal_web/page/js/cards.js";
import {
  counted,
  formatTime,
  ordinal,
} from "../../../../clients/web/samedeal_web/page/js/clock.js";
import { qrModules } from "../../../../clients/web/samedeal_web/page/js/qr.js";

test("cards in words and figures", () => {
  assert.equal(cardName("7h"), "seven of hearts");
  assert.equal(cardName("??"), "face-down card");
  assert.deepEqual(["As", "Td", "Kc", "??"].map(rankOf), [1, 10, 13, 0]);
  assert.equal(rankText("Td"), "10");
  assert.equal(listed(["a", "b", "c"]), "a, b and c");
});

test("times and counts", () => {
  assert.equal(formatTime(0), "0:00");
  assert.equal(formatTime(42_390, true), "0:42.3");
  assert.equal(formatTime(187_999), "3:07");
  assert.equal(formatTime(-5), "0:00");
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21].map(ordinal), [
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
  ]);
  assert.deepEqual([counted(1, "card"), counted(2, "card")], ["1 card", "2 cards"]);
});

test("QR codes grow with the text, and refuse what does not fit", () => {
  assert.equal(qrModules("http://a/r/ABCDEF").length, 21);
  assert.equal(qrModules("http://192.168.178.20:8765/r/ABCDEF").length, 29);
  assert.equal(qrModules("x".repeat(134)).length, 41);
  assert.throws(() => qrModules("x".repeat(135)), /too long/);
});

test("a QR code that scanners have read stays as it is", () => {
  const bits = qrModules("http://192.168.178.20:8765/r/ABCDEF").flat().map(Number).join("");
  assert.equal(createHash("sha256").update(bits).digest("hex").slice(0, 16), "1b7db150e66350f2");
});

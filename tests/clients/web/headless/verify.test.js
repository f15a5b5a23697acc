import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { check } from "../../../../clients/web/samedeal_web/page/js/verify.js";

const sha = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const SEED = "00112233445566778899aabbccddeeff";
const SALT = "ffeeddccbbaa99887766554433221100";
const COMMITMENT = sha(Buffer.from(SALT, "hex"), Buffer.from(SEED, "hex"), "doublets/reserve");

function logFile() {
  const body = [
    {
      index: 0,
      at_ms: 1,
      event: {
        type: "created",
        race: "r",
        game: "doublets",
        variant: "reserve",
        seed: SEED,
        salt: SALT,
      },
    },
    { index: 1, at_ms: 2, event: { type: "joined", seat: 0, name: "Zoë" } },
    { index: 2, at_ms: 2, event: { type: "ended", standings: [] } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  const digest = sha(body);
  return { bytes: new TextEncoder().encode(`${body}{"digest":"${digest}"}\n`), digest };
}

test("a true log passes every check", async () => {
  const { bytes, digest } = logFile();
  const checks = await check(bytes, { commitment: COMMITMENT, digest }, { race: "r" });
  assert.equal(checks.length, 4);
  assert.ok(checks.every(({ ok }) => ok));
});

test("any changed byte fails", async () => {
  const { bytes, digest } = logFile();
  for (let index = 0; index < bytes.length; index++) {
    const changed = Uint8Array.from(bytes);
    changed[index] ^= 1;
    const checks = await check(changed, { commitment: COMMITMENT, digest }, { race: "r" });
    // The very last byte is the newline after the digest.
    if (index < bytes.length - 1)
      assert.ok(
        checks.some(({ ok }) => !ok),
        `byte ${index}`,
      );
  }
});

test("a forged log with a digest of its own fails against what was told", async () => {
  const { bytes } = logFile();
  const checks = await check(
    bytes,
    { commitment: "0".repeat(64), digest: "1".repeat(64) },
    { race: "r" },
  );
  assert.deepEqual(
    checks.map(({ ok }) => ok),
    [true, false, false, true],
  );
});

/** The rules page's vectors, and the way to the modules of the page. */

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const VECTORS = new URL("../../../vectors/", import.meta.url);

/** The objects of a file of vectors. */
const rows = (file) =>
  readFileSync(fileURLToPath(new URL(file, VECTORS)), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** All played-out games, by the name of their file. */
export const transcripts = () =>
  readdirSync(fileURLToPath(new URL("transcripts/", VECTORS))).map((file) => [
    file,
    rows(`transcripts/${file}`),
  ]);

export const perft = () => rows("perft.jsonl");
export const deals = () => rows("deals.jsonl");

/**
 * QR codes (ISO/IEC 18004) for links: byte mode, error correction level L, versions
 * 1 to 6, which is up to 134 bytes.
 */

import { svg } from "./dom.js";

/** By version: data codewords a block, blocks, error correction codewords a block. */
const VERSIONS = [
  [0, 0, 0],
  [19, 1, 7],
  [34, 1, 10],
  [55, 1, 15],
  [80, 1, 20],
  [108, 1, 26],
  [68, 2, 18],
];

// Arithmetic in GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1.
const EXP = new Uint8Array(510);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = EXP[power + 255] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
const times = (/** @type {number} */ a, /** @type {number} */ b) =>
  a && b ? EXP[LOG[a] + LOG[b]] : 0;

/**
 * @param {string} text
 * @returns {SVGElement}
 */
export function qrCode(text) {
  const modules = qrModules(text);
  const size = modules.length;
  const path = modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return svg(
    "svg",
    {
      viewBox: `-4 -4 ${size + 8} ${size + 8}`,
      role: "img",
      "aria-label": "QR code of the link",
      "shape-rendering": "crispEdges",
    },
    svg("rect", { class: "qr-light", x: -4, y: -4, width: size + 8, height: size + 8 }),
    svg("path", { class: "qr-dark", d: path }),
  );
}

/**
 * The modules of the code, row by row; true is dark.
 * @param {string} text
 * @returns {boolean[][]}
 */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([data, blocks]) => data * blocks >= bytes.length + 2);
  if (version < 1) throw new RangeError("The link is too long for a QR code.");
  const codewords = interleave(version, encode(bytes, version));
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} null: not set yet */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  drawPatterns(grid, version);
  const isFree = grid.map((row) => row.map((module) => module === null));
  drawCodewords(grid, codewords);
  let best = /** @type {boolean[][]} */ ([]);
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    const masked = grid.map((row, y) =>
      row.map((dark, x) => Boolean(dark) !== (isFree[y][x] && MASKS[mask](x, y))),
    );
    drawFormat(masked, mask);
    const score = penalty(masked);
    if (score < least) [best, least] = [masked, score];
  }
  return best;
}

/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * Mode, length, the bytes, and padding.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function encode(bytes, version) {
  const [data, blocks] = VERSIONS[version];
  const nibbles = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const codewords = [];
  for (let index = 0; index < nibbles.length; index += 2) {
    codewords.push((nibbles[index] << 4) | (nibbles[index + 1] ?? 0));
  }
  for (let pad = 0; codewords.length < data * blocks; pad++) codewords.push(pad % 2 ? 0x11 : 0xec);
  return codewords;
}

/**
 * Blocks side by side, then their error correction.
 * @param {number} version
 * @param {number[]} codewords
 */
function interleave(version, codewords) {
  const [data, count, correction] = VERSIONS[version];
  const blocks = Array.from({ length: count }, (_, index) =>
    codewords.slice(index * data, (index + 1) * data),
  );
  const remainders = blocks.map((block) => remainder(block, correction));
  const side = (/** @type {number[][]} */ parts) =>
    parts[0].flatMap((_, index) => parts.map((part) => part[index]));
  return [...side(blocks), ...side(remainders)];
}

/**
 * Reed–Solomon error correction codewords.
 * @param {number[]} block
 * @param {number} count
 */
function remainder(block, count) {
  let generator = [1];
  for (let power = 0; power < count; power++) {
    const next = [...generator, 0];
    generator.forEach((factor, index) => (next[index + 1] ^= times(factor, EXP[power])));
    generator = next;
  }
  const rest = [...block, ...Array(count).fill(0)];
  for (let index = 0; index < block.length; index++) {
    const factor = rest[index];
    generator.forEach((value, at) => (rest[index + at] ^= times(value, factor)));
  }
  return rest.slice(block.length);
}

/**
 * Finders, alignment, timing, and room for the format.
 * @param {(boolean | null)[][]} grid
 * @param {number} version
 */
function drawPatterns(grid, version) {
  const size = grid.length;
  const square = (
    /** @type {number} */ cx,
    /** @type {number} */ cy,
    /** @type {number} */ reach,
    /** @type {number[]} */ light,
  ) => {
    for (let y = -reach; y <= reach; y++)
      for (let x = -reach; x <= reach; x++) {
        const ring = Math.max(Math.abs(x), Math.abs(y));
        if (grid[cy + y]?.[cx + x] !== undefined) grid[cy + y][cx + x] = !light.includes(ring);
      }
  };
  for (let index = 0; index < size; index++) grid[6][index] = grid[index][6] = index % 2 === 0;
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    square(x, y, 4, [2, 4]);
  if (version > 1) square(size - 7, size - 7, 2, [1]);
  for (let index = 0; index < 9; index++) {
    if (index !== 6) grid[8][index] = grid[index][8] = false;
    if (index < 8) grid[8][size - 1 - index] = grid[size - 1 - index][8] = false;
  }
}

/**
 * Bits go up and down in pairs of columns, from the right.
 * @param {(boolean | null)[][]} grid
 * @param {number[]} codewords
 */
function drawCodewords(grid, codewords) {
  const size = grid.length;
  let bit = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y][x] !== null) continue;
        grid[y][x] = Boolean((codewords[bit >> 3] >> (7 - (bit & 7))) & 1);
        bit++;
      }
    }
    isUp = !isUp;
  }
}

/**
 * Level and mask, twice, protected by a BCH code.
 * @param {boolean[][]} grid
 * @param {number} mask
 */
function drawFormat(grid, mask) {
  const size = grid.length;
  const data = (1 << 3) | mask; // level L is 01
  let rest = data << 10;
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10);
  const bits = ((data << 10) | rest) ^ 0x5412;
  for (let index = 0; index < 15; index++) {
    const dark = Boolean((bits >> index) & 1);
    const near = index < 6 ? index : index < 8 ? index + 1 : size - 15 + index;
    grid[near][8] = dark;
    const across = index < 8 ? size - 1 - index : index === 8 ? 7 : 14 - index;
    grid[8][across] = dark;
  }
  grid[size - 8][8] = true;
}

/**
 * How hard a code is to read, by the standard's four rules.
 * @param {boolean[][]} grid
 */
function penalty(grid) {
  const size = grid.length;
  const columns = grid[0].map((_, x) => grid.map((row) => row[x]));
  let score = 0;
  for (const line of [...grid, ...columns]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) score += run.length - 2;
    score += 40 * (text.match(/(?=10111010000|00001011101)/g) ?? []).length;
  }
  for (let y = 0; y < size - 1; y++)
    for (let x = 0; x < size - 1; x++) {
      const sum =
        Number(grid[y][x]) +
        Number(grid[y][x + 1]) +
        Number(grid[y + 1][x]) +
        Number(grid[y + 1][x + 1]);
      if (sum % 4 === 0) score += 3;
    }
  const dark = grid.flat().filter(Boolean).length / size ** 2;
  return score + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5);
}

// Damages files the way accidents and attackers do. The result depends only on the seed and the number of the file.

const TOKENS = [
  "<<",
  ">>",
  "[",
  "]",
  "(",
  ")",
  "{",
  "}",
  "obj",
  "endobj",
  "stream",
  "endstream",
  "R",
  "/Length 0",
  "/Length 999999999",
  "/Kids",
  "/Parent",
];
const MORE = [
  "/Filter /FlateDecode",
  "/Type /Page",
  "/Count -1",
  "0",
  "-1",
  "1e99",
  "4294967296",
  "null",
  "true",
  "xref",
  "trailer",
  "startxref",
  "%%EOF",
];
const WORDS = [...TOKENS, ...MORE];
const MAX_CHANGES = 4;

/** @typedef {(limit: number) => number} Next a whole number from 0 up to below `limit` */
/** @typedef {(file: Buffer, other: Buffer, next: Next) => Buffer} Change `other` lends the pieces that are spliced in */

/** Numbers that are the same for the same seed (mulberry32). @param {number} seed @returns {Next} */
export function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit);
  };
}

/** One to four changes to `bytes`. @param {Uint8Array} bytes @param {Buffer} other @param {Next} next */
export function mutate(bytes, other, next) {
  /** @type {Buffer} */
  let file = Buffer.from(bytes);
  for (let left = 1 + next(MAX_CHANGES); left > 0 && file.length > 0; left--) file = oneOf(CHANGES, next)(file, other, next);
  return new Uint8Array(file);
}

// The keys of forms, fonts and annotations whose values the engine reads.
const KEYS = [
  ...["V", "DV", "DA", "MaxLen", "Q", "MK", "BS", "Ff", "Kids", "Parent", "Opt", "NeedAppearances", "AS", "FT", "Fields", "DR"],
  ...[
    "Widths",
    "FirstChar",
    "LastChar",
    "FontMatrix",
    "FontBBox",
    "Encoding",
    "Differences",
    "ToUnicode",
    "CIDToGIDMap",
    "W",
    "DW",
    "BaseFont",
  ],
  ...["QuadPoints", "Rect", "AP", "N", "Border", "InkList", "Vertices", "L", "C", "CA", "F", "BBox", "Matrix", "Subtype", "OC", "Annots"],
];
const VALUES = [
  ...["null", "0", "-1", "1", "1e308", "4294967296", "0.000004", "NaN", "true", "/Off", "/X", "()", "(text)", "<FEFF20AC>", "<FEFFD83D>"],
  ...[
    "[]",
    "[0 0 0 0]",
    "[9 9 0 0]",
    "[1e308 1e308 -1e308 -1e308]",
    "[[]]",
    "<< >>",
    "<< /N 1 0 R >>",
    "1 0 R",
    "2 0 R",
    "3 0 R",
    "99999 0 R",
  ],
];

/** Gives other values to up to four keys of forms, fonts and annotations. A file without any is damaged at one place. @param {Uint8Array} bytes @param {Next} next */
export function swapValue(bytes, next) {
  let file = Buffer.from(bytes).toString("latin1");
  for (let left = 1 + next(MAX_CHANGES); left > 0; left--) {
    const found = [...file.matchAll(KEY_AND_VALUE)];
    if (found.length === 0) return new Uint8Array(swapTokens(Buffer.from(file, "latin1"), Buffer.alloc(0), next));
    const { 0: whole, 1: key = "", index } = oneOf(found, next);
    const value = next(3) === 0 ? (oneOf(found, next)[2] ?? "") : oneOf(VALUES, next);
    const changed = `${key} ${value}`;
    // As long as before, if possible: then the table of objects stays right.
    file = file.slice(0, index) + changed.padEnd(whole.length) + file.slice(index + whole.length);
  }
  return new Uint8Array(Buffer.from(file, "latin1"));
}

const KEY_AND_VALUE = new RegExp(
  String.raw`(/(?:${KEYS.join("|")})(?=[\s/<(\[]))\s*(\[[^\[\]<>]{0,4000}\]|\([^()\\]{0,400}\)|<[0-9A-Fa-f]{0,400}>|/[^\s/<>()\[\]]+|\d+ \d+ R|[-+.\w]+)`,
  "g",
);

/** @template T @param {readonly T[]} list not empty @param {Next} next @returns {T} */
export function oneOf(list, next) {
  return /** @type {T} */ (list[next(list.length)]);
}

/** @type {Change} */
function flipBits(file, _other, next) {
  for (let left = 1 + next(16); left > 0; left--) {
    const at = next(file.length);
    file[at] = (file[at] ?? 0) ^ (1 << next(8));
  }
  return file;
}

/** @type {Change} */
function cutEnd(file, _other, next) {
  return file.subarray(0, 1 + next(file.length));
}

/** @type {Change} */
function cutOut(file, _other, next) {
  const from = next(file.length);
  return Buffer.concat([file.subarray(0, from), file.subarray(from + 1 + next(200))]);
}

/** @type {Change} */
function splice(file, other, next) {
  const at = next(file.length);
  const from = next(other.length);
  return Buffer.concat([file.subarray(0, at), other.subarray(from, from + 1 + next(2_000)), file.subarray(at + next(2_000))]);
}

/** @type {Change} */
function swapTokens(file, _other, next) {
  const text = file.toString("latin1");
  const tokens = [...text.matchAll(/<<|>>|[[\](){}]|\/?[\w.+-]+/g)];
  if (tokens.length < 2) return file;
  const one = oneOf(tokens, next);
  const word = next(2) === 0 ? oneOf(WORDS, next) : oneOf(tokens, next)[0];
  return Buffer.from(text.slice(0, one.index) + word + text.slice(one.index + one[0].length), "latin1");
}

const CHANGES = [flipBits, cutEnd, cutOut, splice, swapTokens, swapTokens];

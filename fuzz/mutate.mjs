// Damage as files meet it, and as an attacker does it. All of it follows from the seed and the number of the file.

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

/** Numbers from 0 up to below `limit`, the same for the same seed (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit);
  };
}

/** One to four changes to `bytes`; `other` lends the pieces that are spliced in. */
export function mutate(bytes, other, next) {
  let file = Buffer.from(bytes);
  for (let left = 1 + next(MAX_CHANGES); left > 0 && file.length > 0; left--) file = CHANGES[next(CHANGES.length)](file, other, next);
  return new Uint8Array(file);
}

function flipBits(file, _other, next) {
  for (let left = 1 + next(16); left > 0; left--) file[next(file.length)] ^= 1 << next(8);
  return file;
}

function cutEnd(file, _other, next) {
  return file.subarray(0, 1 + next(file.length));
}

function cutOut(file, _other, next) {
  const from = next(file.length);
  return Buffer.concat([file.subarray(0, from), file.subarray(from + 1 + next(200))]);
}

function splice(file, other, next) {
  const at = next(file.length);
  const from = next(other.length);
  return Buffer.concat([file.subarray(0, at), other.subarray(from, from + 1 + next(2_000)), file.subarray(at + next(2_000))]);
}

function swapTokens(file, _other, next) {
  const text = file.toString("latin1");
  const tokens = [...text.matchAll(/<<|>>|[[\](){}]|\/?[\w.+-]+/g)];
  if (tokens.length < 2) return file;
  const one = tokens[next(tokens.length)];
  const word = next(2) === 0 ? WORDS[next(WORDS.length)] : tokens[next(tokens.length)][0];
  return Buffer.from(text.slice(0, one.index) + word + text.slice(one.index + one[0].length), "latin1");
}

const CHANGES = [flipBits, cutEnd, cutOut, splice, swapTokens, swapTokens];

// Makes server/data/common-words.bin, which the estimate of passwords reads: sorted 32-bit hashes of words, names and passwords that many
// people use. The lists come from published packages, which are installed in a temporary folder; only hashes are kept. Run it after
// `tsc --build`, and commit the file: node scripts/make-common-words.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOfWord, MAX_WORD, MIN_WORD } from "../server/dist/proofs/words.js";

const PACKAGES = {
  "@zxcvbn-ts/language-common": "4.1.3",
  "@zxcvbn-ts/language-en": "4.1.1",
  "@zxcvbn-ts/language-de": "3.0.2",
  "@zxcvbn-ts/language-fr": "4.1.2",
  "@zxcvbn-ts/language-es-es": "4.1.2",
  "@zxcvbn-ts/language-it": "3.0.2",
  "@zxcvbn-ts/language-pt-br": "4.1.1",
};
const MOST = 220_000;
// Passwords of 12 characters and more in the lists. Fewer mean that a list has changed or is missing.
const FEWEST_LONG = 300;

const folder = mkdtempSync(join(tmpdir(), "common-words-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  /** @param {string} name @param {string} list @returns {string[]} */
  const read = (name, list) => {
    try {
      return JSON.parse(readFileSync(join(folder, "node_modules", name, "src", `${list}.json`), "utf8"));
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
      return [];
    }
  };
  const passwords = read("@zxcvbn-ts/language-common", "passwords");
  const long = passwords.filter((password) => [...password].length >= 12).length;
  if (long < FEWEST_LONG) throw new Error(`only ${long} passwords of 12 characters and more, at least ${FEWEST_LONG} are expected`);
  const languages = Object.keys(PACKAGES).filter((name) => name !== "@zxcvbn-ts/language-common");
  const lists = [
    read("@zxcvbn-ts/language-common", "diceware"),
    ...languages.flatMap((name) => ["firstnames", "commonWords", "wikipedia", "lastnames"].map((list) => read(name, list))),
  ];
  // All passwords, then the lists in turn, from the most frequent word of each.
  const chosen = new Set(passwords.map(hashOfWord));
  const deepest = Math.max(...lists.map(({ length }) => length));
  for (let rank = 0; rank < deepest && chosen.size < MOST; rank++) {
    for (const list of lists) {
      const word = list[rank] ?? "";
      const { length } = [...word];
      if (length >= MIN_WORD && length <= MAX_WORD && chosen.size < MOST) chosen.add(hashOfWord(word));
    }
  }
  const sorted = [...chosen].sort((a, b) => a - b);
  const bytes = Buffer.alloc(sorted.length * 4);
  for (const [index, hash] of sorted.entries()) bytes.writeUInt32LE(hash, index * 4);
  writeFileSync(fileURLToPath(new URL("../server/data/common-words.bin", import.meta.url)), bytes);
  process.stdout.write(`${sorted.length} hashes, ${passwords.length} passwords of which ${long} have 12 characters and more\n`);
} finally {
  rmSync(folder, { recursive: true });
}

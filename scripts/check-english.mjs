// node scripts/check-english.mjs: refuses phrases that are not plain English in what people read: documents, API descriptions, problems,
// pages and mail. Uses only Node's own modules.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @type {readonly { phrase: RegExp, say: string }[]} */
export const phrases = [
  { phrase: /\b(is|are|was|were|can) to be had\b|\bto be had\b/i, say: "is available" },
  { phrase: /\bparted by\b/i, say: "separated by" },
  { phrase: /\bby (itself|themselves)\b/i, say: "automatically, or: on its own" },
  { phrase: /\bwho(so)?ever\b/i, say: "anyone who, or the person" },
  { phrase: /\bsomebody\b/i, say: "a person, a signer, an admin" },
  { phrase: /\bnobody\b/i, say: "no one" },
  // Before a noun it is a preposition, which is plain enough.
  { phrase: /\bbesides(?=\s*([.,;:)!?]|$))/im, say: "also" },
  { phrase: /\bwaits for\b/i, say: "needs, or: what must happen first" },
  { phrase: /\bdoes not have the right form\b/i, say: "must be …, for example …" },
];

// A decision describes the day on which it was made. Released sections of the changelog and frozen rules stay as they are.
const DOCUMENT = /\.md$/;
const LEFT_OUT = /^(CHANGELOG\.md|docs\/decisions\/|evidence\/src\/rules\/1\/)/;
/** Where sentences for people are written in code. Comments in it are for developers. */
const CODE = /^(server\/src|web|fields\/src|evidence\/src|cli\/src|client\/src|embed(-react|-vue)?\/src)\/.*\.tsx?$/;
const NOT_SHOWN = /\.test\.ts$|^web\/test\/|^client\/src\/generated\/|^evidence\/src\/rules\/1\//;
const DESCRIPTION = /^openapi(-pages)?\.json$/;

/** @typedef {{ line: number, found: string, say: string }} Fault */

/** @param {string} name @param {string} text @returns {Fault[]} */
export function faultsIn(name, text) {
  return shownIn(name, text).flatMap(({ line, words }) =>
    phrases.flatMap(({ phrase, say }) => {
      const [found] = phrase.exec(words) ?? [];
      return found === undefined ? [] : [{ line, found, say }];
    }),
  );
}

/** What people read of a file, with the line on which it begins. @param {string} name @param {string} text */
function shownIn(name, text) {
  if (DOCUMENT.test(name)) return linesOf(text.replace(/^```[\s\S]*?^```$/gm, keepLines).replace(/`[^`\n]*`/g, "``"));
  if (DESCRIPTION.test(name)) return linesOf(text.replace(/`[^`\n]*`/g, "``"));
  return sentencesOf(text, name.endsWith("x"));
}

/** @param {string} text */
const keepLines = (text) => text.replace(/[^\n]/g, "");

/** @param {string} text */
const linesOf = (text) => text.split("\n").map((words, at) => ({ line: at + 1, words }));

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const BETWEEN_TAGS = />(?:(?!\/[/*])[^<>{}=;()"`])+(?=[<{])/g;

/** Texts in quotes and, in pages, between tags. One word alone is a name and no sentence. @param {string} code @param {boolean} hasTags */
function sentencesOf(code, hasTags) {
  const tokens = [...code.matchAll(QUOTED), ...(hasTags ? code.matchAll(BETWEEN_TAGS) : [])];
  return tokens.flatMap(({ 0: token, index }) => {
    const words = token.slice(1).replace(/`[^`]*`/g, "``");
    if (/^\/[/*]/.test(token) || !/\S\s+\S/.test(words)) return [];
    return [{ line: code.slice(0, index).split("\n").length, words }];
  });
}

/** @param {string} name */
export const isChecked = (name) =>
  (DOCUMENT.test(name) && !LEFT_OUT.test(name)) || DESCRIPTION.test(name) || (CODE.test(name) && !NOT_SHOWN.test(name));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  const checked = names.filter(isChecked);
  const faults = checked.flatMap((name) => faultsIn(name, readFileSync(root + name, "utf8")).map((fault) => ({ name, ...fault })));
  for (const { name, line, found, say } of faults) console.error(`${name}:${line}: “${found}”. Write instead: ${say}`);
  console.log(`English: ${checked.length} files, ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

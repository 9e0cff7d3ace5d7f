// The input files: those of a folder, or damaged ones made from the fixtures and, if given, a folder.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { generator, mutate, oneOf, swapValue } from "./mutate.mjs";
import { oddAnnotations } from "./odd-annotations.mjs";
import { oddFont } from "./odd-fonts.mjs";
import { oddForm } from "./odd-forms.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

// A damaged megabyte finds no more than ten damaged kilobytes.
const MAX_SEED_BYTES = 1_048_576;

/** @typedef {{ name: string, read: () => Uint8Array }} Input */
/** @typedef {import("./mutate.mjs").Next} Next */
/** @typedef {typeof import("../pdf/fixtures/writer.ts")} Writer */

/** Every PDF in the folder and its subfolders, sorted by path. @param {string} folder @returns {Input[]} */
export function corpusFiles(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".pdf"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: relative(folder, path), read: () => new Uint8Array(readFileSync(path)) }));
}

/** The kinds of damage. Bytes are damaged most often, because that finds faults of every part. */
const KINDS = /** @type {const} */ (["bytes", "bytes", "values", "form", "font", "annotations"]);

/**
 * `count` damaged files, beginning with number `from`. File n is the same for the same seed, fixtures and folder, whatever the count.
 * @param {{ count: number, seed: string, corpus: Input[], from?: number, kind?: string | undefined }} request
 * @returns {Promise<{ length: number, [Symbol.iterator]: () => Iterator<Input> }>}
 */
export async function mutatedFiles({ count, seed, corpus, from = 0, kind }) {
  const writer = /** @type {Writer} */ (await load("writer.ts"));
  const seeds = [...(await fixtureFiles(writer)), ...corpus].map(({ name, read }) => ({ name, bytes: read() }));
  const small = seeds.filter(({ bytes }) => bytes.length <= MAX_SEED_BYTES);
  const program = readFileSync(join(root, "pdf/fonts/DancingScript-Regular.ttf"));
  return {
    length: count,
    *[Symbol.iterator]() {
      for (let n = from; n < from + count; n++) yield damaged(n);
    },
  };

  /** @param {number} n @returns {Input} */
  function damaged(n) {
    const next = generator(createHash("sha256").update(`${seed}:${n}`).digest().readUInt32BE());
    const drawn = oneOf(KINDS, next);
    const chosen = kind ?? drawn;
    const [file, other] = [oneOf(small, next), oneOf(small, next)];
    const named = (/** @type {string} */ what) => `${seed}-${n}: ${what}`;
    if (chosen === "bytes") return { name: named(`bytes of ${file.name}`), read: () => mutate(file.bytes, Buffer.from(other.bytes), next) };
    if (chosen === "values") return { name: named(`values of ${file.name}`), read: () => swapValue(file.bytes, next) };
    return { name: named(chosen), read: () => oddDocument(chosen, Buffer.from(other.bytes), next) };
  }

  /** @param {string} chosen @param {Buffer} other @param {Next} next */
  function oddDocument(chosen, other, next) {
    const objects = chosen === "form" ? oddForm(next) : chosen === "font" ? oddFont(next, program) : oddAnnotations(next);
    const bytes = writer.writePdf(objects, { layout: next(4) === 0 ? "streams" : "table" });
    return next(6) === 0 ? mutate(bytes, other, next) : bytes;
  }
}

/** The names that `--kind` accepts. @param {string} kind */
export function isKind(kind) {
  return KINDS.some((known) => known === kind);
}

/** @param {string} name */
async function load(name) {
  return (await runnerImport(join(root, "pdf/fixtures", name))).module;
}

/** @param {Writer} writer @returns {Promise<Input[]>} */
async function fixtureFiles({ writePdf }) {
  const { onePage, pages, text } = /** @type {typeof import("../pdf/fixtures/pages.ts")} */ (await load("pages.ts"));
  const { planted } = /** @type {typeof import("../pdf/fixtures/active-content.ts")} */ (await load("active-content.ts"));
  const { oddPageTrees } = /** @type {typeof import("../pdf/fixtures/odd-page-trees.ts")} */ (await load("odd-page-trees.ts"));
  const { deepArrays, fanOut } = /** @type {typeof import("../pdf/fixtures/bombs.ts")} */ (await load("bombs.ts"));
  const { composite, type3 } = /** @type {typeof import("../pdf/fixtures/fonts.ts")} */ (await load("fonts.ts"));
  const tagged = text("Sign here: {{Signature;role=Buyer;type=signature}} by {{Date;type=date}}");
  /** @type {[name: string, objects: import("../pdf/fixtures/writer.ts").Objects][]} */
  const objects = [
    ["one-page", onePage()],
    ["five-pages", pages(5)],
    ["tagged", onePage({ content: tagged })],
    ["composite-font", onePage({ resources: "", more: composite("/Identity-H") })],
    ["type3-font", onePage({ more: type3(0.001) })],
    ["deep-arrays", deepArrays(50)],
    ["fan-out", fanOut(8, 8)],
    ...[...planted, ...oddPageTrees].map(
      (file) => /** @type {[string, import("../pdf/fixtures/writer.ts").Objects]} */ ([file.name, file.objects]),
    ),
  ];
  return objects.flatMap(([name, file]) => [
    { name: `${name}, table`, read: () => writePdf(file) },
    { name: `${name}, streams`, read: () => writePdf(file, { layout: "streams" }) },
  ]);
}

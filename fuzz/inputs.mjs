// The input files: those of a folder, or damaged ones made from the fixtures and, if given, a folder.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { generator, mutate, oneOf } from "./mutate.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

// A damaged megabyte finds no more than ten damaged kilobytes.
const MAX_SEED_BYTES = 1_048_576;

/** @typedef {{ name: string, read: () => Uint8Array }} Input */

/** Every PDF in the folder and its subfolders, sorted by path. @param {string} folder @returns {Input[]} */
export function corpusFiles(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".pdf"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: relative(folder, path), read: () => new Uint8Array(readFileSync(path)) }));
}

/**
 * `count` damaged files. File n is the same for the same seed, fixtures and folder, whatever the count.
 * @param {number} count @param {string} seed @param {Input[]} corpus
 * @returns {Promise<Input[]>}
 */
export async function mutatedFiles(count, seed, corpus) {
  const seeds = [...(await fixtureFiles()), ...corpus].map(({ name, read }) => ({ name, bytes: read() }));
  const small = seeds.filter(({ bytes }) => bytes.length <= MAX_SEED_BYTES);
  return Array.from({ length: count }, (_, n) => {
    const next = generator(createHash("sha256").update(`${seed}:${n}`).digest().readUInt32BE());
    const [file, other] = [oneOf(small, next), oneOf(small, next)];
    return { name: `${seed}-${n} of ${file.name}`, read: () => mutate(file.bytes, Buffer.from(other.bytes), next) };
  });
}

/** @returns {Promise<Input[]>} */
async function fixtureFiles() {
  const load = async (/** @type {string} */ name) => (await runnerImport(join(root, "pdf/fixtures", name))).module;
  const { writePdf } = /** @type {typeof import("../pdf/fixtures/writer.ts")} */ (await load("writer.ts"));
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

// The files that go in: a folder's, or damaged ones made from the fixtures and, if there is one, a folder's.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { generator, mutate } from "./mutate.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

// One megabyte damaged tells no more than ten kilobytes do.
const MAX_SEED_BYTES = 1_048_576;

/** `{ name, read }` for every PDF below the folder, in the order of their names. */
export function corpusFiles(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".pdf"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: relative(folder, path), read: () => new Uint8Array(readFileSync(path)) }));
}

/** `count` damaged files. File n is the same for the same seed, fixtures and folder, however many are asked for. */
export async function mutatedFiles(count, seed, corpus) {
  const seeds = [...(await fixtureFiles()), ...corpus].map(({ name, read }) => ({ name, bytes: read() }));
  const small = seeds.filter(({ bytes }) => bytes.length <= MAX_SEED_BYTES);
  return Array.from({ length: count }, (_, n) => {
    const next = generator(createHash("sha256").update(`${seed}:${n}`).digest().readUInt32BE());
    const [file, other] = [small[next(small.length)], small[next(small.length)]];
    return { name: `${seed}-${n} of ${file.name}`, read: () => mutate(file.bytes, Buffer.from(other.bytes), next) };
  });
}

async function fixtureFiles() {
  const load = async (name) => (await runnerImport(join(root, "pdf/fixtures", name))).module;
  const [{ writePdf }, { onePage, pages, text }, { planted }, { oddPageTrees }, { deepArrays, fanOut }, { composite, type3 }] =
    await Promise.all(["writer.ts", "pages.ts", "active-content.ts", "odd-page-trees.ts", "bombs.ts", "fonts.ts"].map(load));
  const tagged = text("Sign here: {{Signature;role=Buyer;type=signature}} by {{Date;type=date}}");
  const objects = [
    ["one-page", onePage()],
    ["five-pages", pages(5)],
    ["tagged", onePage({ content: tagged })],
    ["composite-font", onePage({ resources: "", more: composite("/Identity-H") })],
    ["type3-font", onePage({ more: type3(0.001) })],
    ["deep-arrays", deepArrays(50)],
    ["fan-out", fanOut(8, 8)],
    ...planted.map((file) => [file.name, file.objects]),
    ...oddPageTrees.map((file) => [file.name, file.objects]),
  ];
  return objects.flatMap(([name, file]) => [
    { name: `${name}, table`, read: () => writePdf(file) },
    { name: `${name}, streams`, read: () => writePdf(file, { layout: "streams" }) },
  ]);
}

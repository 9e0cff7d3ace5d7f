// Builds the documentation site into site/dist: what the service serves at /docs. An up-to-date build is left as it is.
//   --force            builds it all the same
//   --check            builds nothing, and fails if the build is not of these files
//   --static FOLDER    the pages with the ending .html and nothing compressed, for any web server, or to open from disk
//   --root FOLDER      the repository to read, and --out FOLDER where to write; for tests
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { downloads, guides } from "./pages.mjs";
import { makeSite } from "./src/make-site.mjs";

const { values } = parseArgs({
  options: {
    force: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    static: { type: "string" },
    root: { type: "string" },
    out: { type: "string" },
  },
});
const here = fileURLToPath(new URL(".", import.meta.url));
const root = `${resolve(values.root ?? `${here}..`)}/`;
const dist = `${resolve(values.out ?? `${here}dist`)}/`;

const others = guides.flatMap(({ files }) => files).filter((file) => !file.startsWith("docs/"));
const INPUTS = ["docs/", "openapi.json", "CHANGELOG.md", "package-lock.json", ...others];
/** Of this program, wherever the repository is that it reads. */
const PROGRAM = ["site/assets/", "site/src/", "site/build.mjs", "site/home.md", "site/pages.mjs", "client/generator/"];

const COMPRESSED = /^text\/|json|javascript|svg|xml/;
// The last percents cost more time than the whole rest of the build, so only what every page loads gets them. The index of the search is large,
// and 11 would cost 1.7 seconds for a sixth of its size.
const OTHERS = 6;
const QUALITIES = /** @type {const} */ ([
  [/^assets\/.+\.(css|js|svg)$/, 11],
  [/^assets\/.+\.json$/, 9],
]);

if (values.static !== undefined) await writeStatic(resolve(values.static));
else {
  const sources = digestOfInputs();
  if (values.check) {
    if (lastSources() !== sources) fail("The documentation site is not built from these files. Run: node site/build.mjs");
  } else if (values.force || lastSources() !== sources) await writeServed(sources);
}

/** @param {string} why */
function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}

/** @param {string} folder */
async function writeStatic(folder) {
  const { files } = await makeSite(root, { ending: ".html" });
  for (const [path, { bytes }] of files) write(`${folder}/${fileName(path)}`, bytes);
  for (const [name, path] of Object.entries(downloads)) {
    if (!existsSync(root + path)) throw new Error(`${path} is not built. Run: npm run build`);
    write(`${folder}/downloads/${name}`, readFileSync(root + path));
  }
}

/** Under another name until it is complete. @param {string} sources */
async function writeServed(sources) {
  const { files, notFound } = await makeSite(root, { ending: "" });
  const aside = resolve(dist, "..", `unfinished-${process.pid}`);
  const unfinished = `${aside}/dist/`;
  const writeListed = async (
    /** @type {string} */ path,
    /** @type {string} */ name,
    /** @type {Buffer} */ bytes,
    /** @type {string} */ type,
  ) => {
    write(unfinished + name, bytes);
    const compressed = COMPRESSED.test(type);
    if (compressed) {
      const [br, gz] = await Promise.all([asBrotli(bytes, qualityOf(path)), promisify(gzip)(bytes, { level: 9 })]);
      writeFileSync(`${unfinished}${name}.br`, br);
      writeFileSync(`${unfinished}${name}.gz`, gz);
    }
    const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
    return { file: name, type, tag, compressed };
  };
  /** @type {Record<string, { file: string, type: string, tag: string, compressed: boolean }>} */
  const listed = {};
  const waiting = [...files].map(([path, { bytes, type }]) => async () => {
    listed[path] = await writeListed(path, fileName(path), bytes, type);
  });
  await inTurns(waiting, 8);
  const sorted = Object.fromEntries(Object.entries(listed).sort(([a], [b]) => (a < b ? -1 : 1)));
  const missing = await writeListed("", "not-found.html", notFound, "text/html; charset=utf-8");
  write(`${unfinished}site.json`, Buffer.from(JSON.stringify({ sources, files: sorted, notFound: missing })));
  rmSync(dist, { recursive: true, force: true });
  renameSync(unfinished, dist);
  rmSync(aside, { recursive: true });
}

/** @param {string} path of the site */
function qualityOf(path) {
  return QUALITIES.find(([of]) => of.test(path))?.[1] ?? OTHERS;
}

/**
 * With a window as large as the file: the usual 4 MB would be taken from the system and given back for each of a thousand small files, which
 * took four times as long as compressing them.
 * @param {Buffer} bytes @param {number} quality
 */
function asBrotli(bytes, quality) {
  const window = Math.ceil(Math.log2(bytes.length + 1));
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(Math.max(window, constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW),
    },
  });
}

/** @param {(() => Promise<void>)[]} tasks @param {number} atOnce */
async function inTurns(tasks, atOnce) {
  const next = async () => {
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** @param {string} path of the site */
function fileName(path) {
  if (path === "") return "index.html";
  return extname(path) === "" ? `${path}.html` : path;
}

/** @param {string} name @param {Buffer} bytes */
function write(name, bytes) {
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(name, bytes);
}

function lastSources() {
  return existsSync(`${dist}site.json`) ? JSON.parse(readFileSync(`${dist}site.json`, "utf8")).sources : null;
}

/** Of every file that goes into the site, by name and content. */
function digestOfInputs() {
  const digest = createHash("sha256");
  const own = resolve(here, "..");
  const add = (/** @type {string} */ base, /** @type {string} */ path) => {
    if (!path.endsWith("/")) return void digest.update(`${path}\n`).update(readFileSync(`${base}/${path}`));
    const entries = readdirSync(`${base}/${path}`, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, isDirectory } of entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))) {
      if (path + name !== "docs/decisions") add(base, path + name + (isDirectory ? "/" : ""));
    }
  };
  for (const path of INPUTS) add(root.slice(0, -1), path);
  for (const path of PROGRAM) add(own, path);
  return digest.digest("hex");
}

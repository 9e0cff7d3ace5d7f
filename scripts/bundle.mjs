// Bundles the compiled service and its packages into a few files; server/bin/bundle.js says why. An up-to-date bundle is left unchanged.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLES, bundleFolder } from "../server/bin/bundle.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const bundles = fileURLToPath(BUNDLES);

// A running service still loads code from its own bundle, with every new thread. This many builds can follow before it must be restarted.
const KEPT_BESIDES = 3;

// The PDF pool starts `../worker.js`, relative to its own file, and the password pool `./worker.js`. In a bundle, these must be the worker
// files of the same bundle.
const entries = {
  cli: "server/dist/cli.js",
  worker: "pdf/dist/worker.js",
  "proofs/worker": "server/dist/proofs/worker.js",
  "links/worker": "server/dist/vault/links/worker.js",
};
/** @type {Record<string, string>} */
const THREAD_STARTERS = {
  "pdf/dist/pool/pool-worker.js": "pool/pool-worker.js",
  "server/dist/proofs/pool.js": "proofs/pool.js",
  "server/dist/vault/links/verify-in-thread.js": "links/verify-in-thread.js",
};

// A module that reads a file and is only in the bundle of a thread, whose own file is in a folder of the bundle.
/** @type {Record<string, string>} */
const IN_FOLDER = { "server/dist/proofs/words.js": "proofs" };

// Native code, in a package for each platform; one that is not installed, and that pg loads only on request; and one that the bundler gives
// two variables of the same name, which prom-client loads.
const LEFT_OUT = ["@node-rs/argon2", "pg-native", "@opentelemetry/api"];
const REQUIRED = "\0required:";

// A bundle must not contain files whose changes bundleFolder() would not notice.
const NOTICED = /^((server\/)?node_modules|(server|csv|evidence|fields|pdf|verify)\/dist|pdf\/inflate)\//;

const PACKAGES = "packages";
const isPackages = (/** @type {{ name: string }} */ { name }) => name.startsWith(PACKAGES);

const place = bundleFolder();
if (place === null) throw new Error("There is nothing to bundle, because nothing is compiled.");
const folder = fileURLToPath(place);
if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
else await makeBundle();
forgetOlder();

async function makeBundle() {
  const chunks = await chunksOf();
  const stray = chunks.flatMap(({ moduleIds }) => moduleIds.map(nameOf)).filter((name) => !name.startsWith("\0") && !NOTICED.test(name));
  if (stray.length > 0) throw new Error(`Not covered by the name of the bundle: ${stray.join(", ")}`);
  // Written under a temporary name until it is complete. A start in the meantime uses the compiled files.
  const unfinished = `${bundles}unfinished-${process.pid}/`;
  mkdirSync(unfinished, { recursive: true });
  for (const { fileName } of chunks) mkdirSync(dirname(unfinished + fileName), { recursive: true });
  for (const chunk of chunks) writeChunk(unfinished, chunk);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another build created the same bundle first.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

/** @returns {Promise<import("rolldown").OutputChunk[]>} */
async function chunksOf() {
  // Vite's bundler, which is installed with it.
  const { rolldown } = await import("rolldown");
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, root + path]));
  // No tree shaking, so that the code runs as it would unbundled. Removing unused code has no measurable benefit.
  const build = await rolldown({ input, platform: "node", treeshake: false, plugins: [{ name: "own-places", resolveId, load }] });
  const { output } = await build.generate({
    dir: folder,
    // Names appear in logged errors, and some packages use the names of their classes.
    keepNames: true,
    // Separate from our code, because packages have no source maps. Each command still loads only the ones that it needs.
    codeSplitting: { groups: [{ name: PACKAGES, test: isPackage, entriesAware: true }] },
    chunkFileNames: (chunk) => (isPackages(chunk) ? `${PACKAGES}-[hash].js` : "[name].js"),
    intro: (chunk) => (isPackages(chunk) ? "const bundleFolder = import.meta.dirname;" : ""),
    sourcemap: "hidden",
    sourcemapExcludeSources: true,
  });
  await build.close();
  return output.filter((part) => part.type === "chunk");
}

/** @param {string} to @param {import("rolldown").OutputChunk} chunk */
function writeChunk(to, chunk) {
  const { fileName, code, map } = chunk;
  if (isPackages(chunk) || map === null) return writeFileSync(to + fileName, code);
  writeFileSync(to + fileName, `${code}//# sourceMappingURL=${basename(fileName)}.map\n`);
  writeFileSync(`${to}${fileName}.map`, map.toString());
}

// With require, because for an import of CommonJS, Node must parse the code to find its exports: 0.04 s for argon2 on Node 20.
/** @param {string} specifier */
function resolveId(specifier, importer = "") {
  if (!LEFT_OUT.includes(specifier)) return null;
  return importer.startsWith(REQUIRED) ? { id: specifier, external: true } : REQUIRED + specifier;
}

/**
 * Modules still find their files and packages from their original location, which is written relative to the bundle, so that a checkout can
 * be moved.
 * @param {string} id
 */
function load(id) {
  if (id.startsWith(REQUIRED)) return `module.exports = require(${JSON.stringify(id.slice(REQUIRED.length))});`;
  if (id.startsWith("\0") || !/\.[cm]?js$/.test(id)) return null;
  const from = THREAD_STARTERS[nameOf(id)] ?? relative(`${folder}/${IN_FOLDER[nameOf(id)] ?? ""}`, id);
  const code = withPlace(readFileSync(id, "utf8"), from);
  return existsSync(`${id}.map`) ? { code, map: readFileSync(`${id}.map`, "utf8") } : { code };
}

/** @param {string} code @param {string} from */
function withPlace(code, from) {
  const other = /\bimport\.meta\.(?!url\b)\w+/.exec(code);
  if (other !== null) throw new Error(`${from} uses ${other[0]}, which would refer to the bundle`);
  const placed = code.replaceAll(/\bimport\.meta\.url\b/g, `new URL(${JSON.stringify(from)}, import.meta.url).href`);
  if (!/\b__(dir|file)name\b/.test(code)) return placed;
  const path = (/** @type {string} */ relativePath) => `bundleFolder + ${JSON.stringify(`/${relativePath}`)}`;
  return `const __dirname = ${path(dirname(from))}, __filename = ${path(from)}; ${placed}`;
}

/** @param {string} id */
function isPackage(id) {
  return /(^|\/)node_modules\//.test(nameOf(id));
}

/** @param {string} id */
function nameOf(id) {
  return id.startsWith("\0") ? id : relative(root, id);
}

function forgetOlder() {
  const others = readdirSync(bundles)
    .map((name) => bundles + name)
    .filter((path) => `${path}/` !== folder)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of others.slice(KEPT_BESIDES)) rmSync(path, { recursive: true });
}

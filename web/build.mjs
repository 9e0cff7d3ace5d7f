// Builds the pages and the custom elements into web/dist: what the service serves, compressed once, with the hashes that its policy admits.
// What is built already is left as it is; --force builds it all the same.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { consoleWeight } from "./browser/weight.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const dist = `${here}dist/`;
const widgets = ["sign", "vault", "party"];
const faces = [...widgets, "console", "preview", "status", "form"];
const pages = faces.map((face) => `${face}/index.html`);

// Above these the build fails (KB of 1,000 bytes, gzip -9). `npm run bench` measures against the goals, which are half of it.
const LIMITS = {
  "sign JS": 60_000,
  "sign CSS": 12_000,
  "sign shell": 10_000,
  "vault JS": 50_000,
  "vault CSS": 12_000,
  "vault shell": 10_000,
  "party JS": 34_000,
  "party CSS": 12_000,
  "party shell": 10_000,
  "console JS at login": 80_000,
  "console builder": 35_000,
  "console CSS": 20_000,
  "console shell": 10_000,
  "status JS": 15_000,
  "status CSS": 6_000,
  "status shell": 2_000,
  "form JS": 15_000,
  "form CSS": 6_000,
  "form shell": 2_000,
  "embed.js": 5_000,
};

const sources = digestOf([
  here,
  `${here}../client/src/generated/`,
  `${here}../csv/src/`,
  `${here}../embed/`,
  `${here}../fields/src/`,
  `${here}../pdf/fonts/`,
  `${here}../package-lock.json`,
]);
const last = readJson(`${dist}built.json`, { sources: "", files: [] });
if (last.sources !== sources || process.argv.includes("--force")) await buildAll();

async function buildAll() {
  const { build } = await import("vite");
  for (const face of faces) await buildPage(build, face);
  await build({ configFile: `${here}../embed/vite.config.ts`, logLevel: "warn" });
  writeFileSync(`${dist}embed.js`, readFileSync(`${here}../embed/dist/embed.js`));
  const files = [...new Set(faces.flatMap(filesOf))].sort();
  forgetOlder(new Set([...files, ...last.files]));
  await compressAll([...files.map((file) => dist + file), `${dist}embed.js`]);
  writeFileSync(`${dist}csp.json`, JSON.stringify(Object.fromEntries(pages.map((page) => [page, hashesOf(page)])), null, 2));
  refuseTooLarge();
  writeFileSync(`${dist}built.json`, JSON.stringify({ sources, files }));
}

function buildPage(build, face) {
  const input = { [face]: `${here}${face}/index.html` };
  return build({
    configFile: `${here}vite.config.ts`,
    logLevel: "warn",
    define: { WIDGET: JSON.stringify(face) },
    build: { manifest: manifestOf(face), rolldownOptions: { input } },
  });
}

function manifestOf(face) {
  return face === "sign" ? "manifest.json" : `${face}-manifest.json`;
}

function filesOf(face) {
  const manifest = readJson(dist + manifestOf(face), {});
  return Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
}

/** Of every file that goes into the build, by name and content. */
function digestOf(paths) {
  const digest = createHash("sha256");
  const add = (path) => {
    if (!path.endsWith("/")) return void digest.update(`${path.slice(here.length)}\n`).update(readFileSync(path));
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (["dist", "node_modules", "test", "browser"].includes(entry.name)) continue;
      add(path + entry.name + (entry.isDirectory() ? "/" : ""));
    }
  };
  paths.forEach(add);
  return digest.digest("hex");
}

function readJson(path, otherwise) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : otherwise;
}

// A page that was opened before an upgrade may still ask for a part of the build before this one; pages of older builds are assumed to be closed.
function forgetOlder(known) {
  for (const name of readdirSync(`${dist}assets`)) {
    const file = `assets/${name.replace(/\.(br|gz)$/, "")}`;
    if (!known.has(file)) rmSync(`${dist}assets/${name}`);
  }
}

async function compressAll(paths) {
  const waiting = paths.filter((path) => !path.includes("/assets/") || !existsSync(`${path}.br`));
  const next = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const bytes = readFileSync(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
}

/** Of every script inside the page that runs; the block of data does not. */
function hashesOf(page) {
  const scripts = [...readFileSync(dist + page, "utf8").matchAll(/<script>([\s\S]*?)<\/script>/g)];
  return scripts.map(([, text]) => `sha256-${createHash("sha256").update(text).digest("base64")}`);
}

function refuseTooLarge() {
  const size = (file) => readFileSync(`${dist}${file}.gz`).length;
  const sum = (files) => files.reduce((total, file) => total + size(file), 0);
  const sizesOf = (widget) => {
    const languages = Object.entries(readJson(dist + manifestOf(widget), {})).filter(([name]) => name.startsWith("i18n/"));
    const isLanguage = (file) => languages.some(([, chunk]) => chunk.file === file);
    const files = [...new Set(filesOf(widget))];
    return {
      [`${widget} JS`]: sum(files.filter((file) => file.endsWith(".js") && !isLanguage(file))),
      [`${widget} CSS`]: sum(files.filter((file) => file.endsWith(".css"))),
      [`${widget} shell`]: readFileSync(`${dist}${widget}/index.html`).length,
    };
  };
  const { login, builder, css, shell } = consoleWeight();
  const ofConsole = { "console JS at login": login, "console builder": builder, "console CSS": css, "console shell": shell };
  const sizes = Object.assign({ "embed.js": size("embed.js") }, ...[...widgets, "status", "form"].map(sizesOf), ofConsole);
  for (const [what, bytes] of Object.entries(sizes)) {
    if (bytes > LIMITS[what]) throw new Error(`${what} has ${bytes} bytes, and at most ${LIMITS[what]} are allowed`);
  }
}

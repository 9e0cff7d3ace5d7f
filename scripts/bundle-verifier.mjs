// Makes the public package `countersign-verify` in verify/dist/package: the command as one file without dependencies, and verify.html, the same
// verifier as one page. Both contain the compiled code of verify/, evidence/ and pdf/. What is up to date is left unchanged.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { INSIDE, packagesAround } from "./packages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}verify/dist/package/`;
const page = `${root}verify/page/`;
const { version, license, engines, description } = JSON.parse(read("verify/package.json"));

// Above these the build fails (KB of 1,000 bytes, gzip -9). The design measured 313 kB for the command.
const MAX_COMMAND_GZIP = 700_000;
const MAX_PAGE_GZIP = 600_000;

const VERSION_MODULE = `export const version = ${JSON.stringify(version)};`;

// The modules of Node that the code imports, and what a browser has instead.
const IN_BROWSER = new Map([
  ["node:crypto", `${page}node/crypto.ts`],
  ["node:zlib", `${page}node/zlib.ts`],
  ["node:fs", `${page}node/fs.ts`],
  ["node:path", `${page}node/path.ts`],
  ["buffer", `${root}node_modules/buffer/index.js`],
]);

// An import that the browser's modules do not have would only fail when it is used.
const FATAL = ["IMPORT_IS_UNDEFINED", "UNRESOLVED_IMPORT", "MISSING_EXPORT", "MISSING_GLOBAL_NAME"];

const inputs = digestOf([
  "scripts/bundle-verifier.mjs",
  "scripts/packages.mjs",
  "package-lock.json",
  "verify/package.json",
  "verify/README.md",
  "verify/bin/",
  "verify/src/",
  "verify/page/",
  "evidence/src/",
  "pdf/src/",
  "pdf/inflate/",
  "fields/src/",
  "web/ui/",
]);
/** What the command and the page are made of, by their paths from the root. @type {Set<string>} */
const modules = new Set();

const stamp = `${folder}built-from`;
const served = `${root}web/dist/verify.html`;
const isBuilt = existsSync(stamp) && existsSync(served) && existsSync(root + INSIDE.verify) && readFileSync(stamp, "utf8") === inputs;
if (!isBuilt || process.argv.includes("--force")) await makeAll();

async function makeAll() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const command = await bundled(`${root}verify/bin/command.mjs`, commandOptions());
  refuseLarger("countersign-verify.js", command, MAX_COMMAND_GZIP);
  writeFileSync(`${folder}countersign-verify.js`, command);
  chmodSync(`${folder}countersign-verify.js`, 0o755);
  const html = pageOf(await bundled(`${page}page.ts`, pageOptions()));
  refuseLarger("verify.html", html, MAX_PAGE_GZIP);
  writeFileSync(`${folder}verify.html`, html);
  writeFileSync(`${folder}package.json`, `${JSON.stringify(packageJson(), null, 2)}\n`);
  for (const name of ["LICENSE", "verify/README.md"]) writeFileSync(folder + name.replace("verify/", ""), read(name));
  serve(html);
  writeFileSync(root + INSIDE.verify, `${JSON.stringify(packagesAround([...modules]), null, 1)}\n`);
  writeFileSync(stamp, inputs);
}

function packageJson() {
  return {
    name: "countersign-verify",
    version,
    description,
    license,
    type: "module",
    engines,
    bin: { "countersign-verify": "countersign-verify.js" },
    files: ["countersign-verify.js", "verify.html"],
  };
}

function commandOptions() {
  return {
    platform: /** @type {const} */ ("node"),
    plugins: [{ name: "version", load: (/** @type {string} */ id) => (id.endsWith("verify/dist/version.js") ? VERSION_MODULE : null) }],
  };
}

function pageOptions() {
  return {
    platform: /** @type {const} */ ("browser"),
    plugins: [{ name: "browser", resolveId: (/** @type {string} */ specifier) => IN_BROWSER.get(specifier) ?? null }],
    transform: {
      define: { "import.meta.url": '"file:///"', "process.env.NODE_ENV": '"production"' },
      inject: { Buffer: [`${page}node/buffer.ts`, "Buffer"] },
    },
  };
}

/** @param {string} input @param {object} options @returns {Promise<string>} */
async function bundled(input, options) {
  // Vite's bundler, which is installed with it.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({ input, ...options, onLog: refuseWarning });
  const isPage = "transform" in options;
  const { output } = await build.generate({ format: isPage ? "iife" : "esm", minify: isPage, keepNames: true, codeSplitting: false });
  await build.close();
  const [chunk, ...more] = output;
  if (chunk.type !== "chunk" || more.length > 0) throw new Error(`${input} did not become one file`);
  const missing = chunk.imports.filter((name) => isPage || !name.startsWith("node:"));
  if (missing.length > 0) throw new Error(`${input} still imports ${missing.join(", ")}`);
  for (const id of chunk.moduleIds) modules.add(id.slice(root.length));
  return chunk.code;
}

/** @param {string} level @param {{ code?: string, message: string }} log */
function refuseWarning(level, { code, message }) {
  if (level === "warn" && FATAL.includes(code ?? "")) throw new Error(message);
}

/** @param {string} script */
function pageOf(script) {
  // The end of a script element, and the beginning of a comment that would hide it, must not appear inside.
  const safe = script.replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
  const style = ["web/ui/tokens.css", "web/ui/base.css", "web/ui/parts.css", "verify/page/page.css"].map(read).join("\n");
  const policy = `default-src 'none'; script-src '${hashOf(safe)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  /** @type {Record<string, string>} */
  const parts = { policy, style, script: safe, version };
  const unused = new Set(Object.keys(parts));
  const html = read("verify/page/index.html").replaceAll(/(?:\/\*)?\{\{(\w+)\}\}(?:\*\/)?/g, (_, name) => {
    unused.delete(name);
    return parts[name] ?? "";
  });
  if (unused.size > 0) throw new Error(`verify/page/index.html has no place for ${[...unused].join(", ")}`);
  return html;
}

/** @param {string} text */
function hashOf(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** For the service, at /verify/. @param {string} html */
function serve(html) {
  mkdirSync(`${root}web/dist`, { recursive: true });
  writeFileSync(served, html);
  writeFileSync(`${served}.gz`, gzipSync(html, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: html.length };
  writeFileSync(`${served}.br`, brotliCompressSync(html, { params }));
}

/** @param {string} what @param {string} text @param {number} limit */
function refuseLarger(what, text, limit) {
  const bytes = gzipSync(text, { level: 9 }).length;
  if (bytes > limit) throw new Error(`${what} has ${bytes} bytes, and at most ${limit} are allowed`);
}

/** @param {string} name */
function read(name) {
  return readFileSync(root + name, "utf8");
}

/** Of every file that goes into the build, by name and content. @param {readonly string[]} names */
function digestOf(names) {
  const digest = createHash("sha256");
  const add = (/** @type {string} */ name) => {
    if (!name.endsWith("/")) return void digest.update(`${name}\n`).update(readFileSync(root + name));
    for (const entry of readdirSync(root + name, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!/\.test\.ts$/.test(entry.name)) add(name + entry.name + (entry.isDirectory() ? "/" : ""));
    }
  };
  names.forEach(add);
  return digest.digest("hex");
}

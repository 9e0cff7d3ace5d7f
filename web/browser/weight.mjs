// Computes the transfer size of a page from the build manifest.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** @param {string} file */
const gzipped = (file) => gzipSync(readFileSync(dist + file), { level: 9 }).length;

/** @param {Iterable<string>} files */
const sum = (files) => [...files].reduce((total, file) => total + gzipped(file), 0);

/** @typedef {Record<string, { file: string, css?: string[], imports?: string[], dynamicImports?: string[] }>} Manifest */

/** What a signer loads up to the signature: all that is not loaded on demand. A test compares it with a ceremony in the browser. */
export function scriptsToSign() {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(`${dist}manifest.json`, "utf8"));
  return [...filesOf(manifest, "sign", () => false).js];
}

/** Bytes after gzip -9. @param {"sign" | "vault"} widget */
export function pageWeight(widget = "sign") {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(dist + (widget === "sign" ? "manifest.json" : `${widget}-manifest.json`), "utf8"));
  const isLanguage = (/** @type {string} */ name) => name.startsWith("i18n/");
  const toSign = filesOf(manifest, widget, () => false);
  const languages = Object.entries(manifest).filter(([name]) => isLanguage(name));
  return {
    js: sum(toSign.js),
    all_js: sum(filesOf(manifest, widget, (name) => !isLanguage(name)).js),
    css: sum(toSign.css),
    shell: gzipped(`${widget}/index.html`),
    language: Math.max(0, ...languages.map(([, { file }]) => gzipped(file))),
  };
}

const routes = fileURLToPath(new URL("../console/routes.ts", import.meta.url));

/** The modules of the console's screens, as its routes load them. */
const screensOfConsole = () => [...readFileSync(routes, "utf8").matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, file]) => `console/${file}`);

/**
 * For the console, whose screens are loaded one by one: up to the sign-in form, what each screen and the wizard's fields step add to that,
 * and what the field builder adds to a template screen.
 */
export function consoleWeight() {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(`${dist}console-manifest.json`, "utf8"));
  const atLogin = filesOf(manifest, "console", (name) => name === "console/account/log-in.tsx");
  const isTemplate = (/** @type {string} */ name) => name === "console/templates/template.tsx";
  const withTemplate = filesOf(manifest, "console", isTemplate).js;
  const withBuilder = filesOf(
    manifest,
    "console",
    (name) => isTemplate(name) || name.startsWith("_builder-") || name === "console/builder/builder.tsx",
  ).js;
  const isFieldsStep = (/** @type {string} */ name) => name === "console/prepare/prepare.tsx" || name === "console/prepare/fields-step.tsx";
  const withFields = filesOf(manifest, "console", isFieldsStep).js;
  const after = (/** @type {readonly string[]} */ names) =>
    sum([...filesOf(manifest, "console", (name) => names.includes(name)).js].filter((file) => !atLogin.js.has(file)));
  const screens = screensOfConsole().map((name) => /** @type {const} */ ([name, after([name])]));
  return {
    login: sum(atLogin.js),
    screens: Object.fromEntries(screens),
    screen: Math.max(...screens.map(([, bytes]) => bytes)),
    fields: sum([...withFields].filter((file) => !atLogin.js.has(file))),
    builder: sum([...withBuilder].filter((file) => !withTemplate.has(file))),
    all_js: sum(filesOf(manifest, "console", () => true).js),
    css: sum(atLogin.css),
    shell: gzipped("console/index.html"),
  };
}

/** The files of a page, including the dynamic imports that match. @param {Manifest} manifest @param {string} widget @param {(name: string) => boolean} isWanted */
function filesOf(manifest, widget, isWanted) {
  /** @type {Set<string>} */
  const js = new Set();
  /** @type {Set<string>} */
  const css = new Set();
  const reach = (/** @type {string} */ name) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the manifest lacks ${name}`);
    if (js.has(chunk.file)) return;
    js.add(chunk.file);
    for (const file of chunk.css ?? []) css.add(file);
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? []).filter(isWanted)]) reach(next);
  };
  reach(`${widget}/index.html`);
  return { js, css };
}

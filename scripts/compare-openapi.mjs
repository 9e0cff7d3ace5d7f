// node scripts/compare-openapi.mjs: compares openapi.json with the one of the last release, compat/openapi-<version>.json. Differences that
// break a caller, and are not in compat/accepted.json, are printed, and the exit code is 1. docs/versions.md has the rules.
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { differencesOf } from "./openapi-differences.mjs";

/**
 * @typedef {import("./openapi-differences.mjs").Difference} Difference
 * @typedef {{ difference: string, reason: string, changelog: string }} Accepted changelog: a part of its line under Unreleased
 */

const DOCUMENT = /^openapi-(\d+\.\d+\.\d+)\.json$/;

/** The document of the last release; null before the first one. @param {string} folder the root of the repository */
export function readLastRelease(folder) {
  const names = readdirSync(`${folder}/compat`).filter((name) => DOCUMENT.test(name));
  if (names.length > 1) throw new Error(`compat/ has the documents of several releases: ${names.join(", ")}`);
  const [name] = names;
  if (name === undefined) return null;
  return { version: DOCUMENT.exec(name)?.[1] ?? "", document: readJson(`${folder}/compat/${name}`) };
}

/** What is wrong with the differences from the last release, one line each. @param {string} folder @returns {string[]} */
export function faultsOfDocument(folder) {
  const last = readLastRelease(folder);
  const accepted = /** @type {Accepted[]} */ (readJson(`${folder}/compat/accepted.json`));
  if (last === null) return accepted.length === 0 ? [] : ["compat/accepted.json has entries, but there is no release to compare with"];
  const differences = differencesOf(last.document, readJson(`${folder}/openapi.json`));
  return faultsOf(differences, accepted, {
    version: last.version,
    unreleased: unreleasedOf(readFileSync(`${folder}/CHANGELOG.md`, "utf8")),
  });
}

/**
 * @param {readonly Difference[]} differences @param {readonly Accepted[]} accepted
 * @param {{ version: string, unreleased: string }} last the version of the last release, and what the changelog says since
 * @returns {string[]}
 */
export function faultsOf(differences, accepted, { version, unreleased }) {
  const isStable = Number(version.split(".")[0]) >= 1;
  const known = new Set(differences.map(({ text }) => text));
  return [
    ...differences
      .filter(({ text }) => !accepted.some(({ difference }) => difference === text))
      .map(({ kind, text }) => `${text}${NAMES[kind]}`),
    ...differences
      .filter(({ kind, text }) => kind === "name" && isStable && accepted.some(({ difference }) => difference === text))
      .map(({ text }) => `${text}: names do not change after 1.0, so this cannot be accepted`),
    ...accepted
      .filter(({ difference }) => !known.has(difference))
      .map(({ difference }) => `${difference}: is accepted, but is no difference`),
    ...accepted.filter(({ reason }) => reason.trim() === "").map(({ difference }) => `${difference}: is accepted without a reason`),
    ...accepted
      .filter(({ changelog }) => changelog.trim() === "" || !unreleased.includes(changelog))
      .map(({ difference }) => `${difference}: its line is not under Unreleased in CHANGELOG.md`),
  ];
}

const NAMES = { breaking: "", name: " (breaks generated code)" };

/** @param {string} changelog */
function unreleasedOf(changelog) {
  const [, after = ""] = changelog.split(/^## Unreleased$/m);
  return after.split(/^## /m)[0] ?? "";
}

/**
 * What the comparison needs of a document: without texts and examples.
 * @param {any} value @returns {any}
 */
export function shapeOfDocument(value) {
  if (Array.isArray(value)) return value.map(shapeOfDocument);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, NAMED.includes(name) ? eachOf(inner) : shapeOfDocument(inner)]);
  return Object.fromEntries(members.filter(([name]) => !TEXTS.includes(name)));
}

const TEXTS = ["description", "summary", "examples"];
/** Their members have names of our choice, which can be those of texts. */
const NAMED = ["properties", "patternProperties", "schemas", "parameters", "headers", "responses", "paths", "webhooks"];

/** @param {any} value */
const eachOf = (value) =>
  Array.isArray(value)
    ? shapeOfDocument(value)
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOfDocument(inner)]));

/** @param {string} path @returns {any} */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const last = readLastRelease(".");
  const faults = faultsOfDocument(".");
  if (last === null) console.log("There is no release to compare with yet.");
  else console.log(faults.length === 0 ? `Compatible with ${last.version}.` : `Not compatible with ${last.version}:`);
  for (const fault of faults) console.log(`  ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

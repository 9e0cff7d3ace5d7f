// What the pages say about operations, read from openapi.json once.
import { operationsOf, resolved } from "../../client/generator/operations.mjs";
import { slugOf } from "./html.mjs";

/** @typedef {Record<string, any>} Json */
/** @typedef {import("../../client/generator/operations.mjs").Operation} Read */
/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} tag
 * @property {string} summary
 * @property {string} description
 * @property {string} path with `{name}`, without the prefix
 * @property {string} method in capitals
 * @property {string} address in the site, of its place on the reference page
 * @property {Read} read as the generator of the clients reads it
 * @property {Json} raw
 * @property {"key" | "session" | "none"} credential the simplest one that may call it
 * @property {readonly Json[]} parameters resolved
 */
/** @typedef {{ document: Json, operations: readonly Operation[], operationsByCode: ReadonlyMap<string, readonly Operation[]>, resolve: (value: any) => any, exampleOf: (media: Json) => unknown, idOf: (name: string) => string }} Api */

/** @param {Json} document @returns {Api} */
export function readApi(document) {
  const resolve = (/** @type {any} */ value) => resolved(document, value);
  const ids = idsIn(document);
  const operations = operationsOf(document).map((read) => {
    const raw = document.paths[read.path][read.method.toLowerCase()];
    const [tag = ""] = raw.tags ?? [];
    return {
      id: read.id,
      tag,
      summary: raw.summary,
      description: raw.description,
      path: read.path,
      method: read.method,
      address: `${pageOfTag(tag)}#${read.id}`,
      read,
      raw,
      credential: credentialOf(raw),
      parameters: (raw.parameters ?? []).map(resolve),
    };
  });
  const inOrder = inReadingOrder(operations);
  return {
    document,
    operations: inOrder,
    operationsByCode: byCode(inOrder),
    resolve,
    exampleOf: ({ examples }) => {
      const [first] = Object.values(examples ?? {});
      return first === undefined ? undefined : resolve(first).value;
    },
    idOf: (name) => ids.get(name) ?? madeId(document, name),
  };
}

/** The operations that name a code as an error of their own. @param {readonly Operation[]} operations */
function byCode(operations) {
  /** @type {Map<string, Operation[]>} */
  const found = new Map();
  for (const operation of operations) {
    const codes = new Set(Object.values(operation.raw["x-error-codes"] ?? {}).flat());
    for (const code of codes) found.set(code, [...(found.get(code) ?? []), operation]);
  }
  return found;
}

const METHODS = ["POST", "GET", "PUT", "PATCH", "DELETE"];

/**
 * What belongs together stays together, beginning with what a tag has most of. In it comes first what has the shortest path: create, list,
 * get, change, remove, then what else can be done with one.
 * @param {readonly Operation[]} operations @returns {readonly Operation[]}
 */
function inReadingOrder(operations) {
  const startOf = (/** @type {Operation} */ { tag, path }) => `${tag} ${path.split("/", 3).join("/")}`;
  const starts = operations.map(startOf);
  const count = (/** @type {string} */ start) => starts.filter((one) => one === start).length;
  const keys = operations.map((one) => {
    // `{` sorts after letters, but a record comes before the words beside it.
    const path = one.path.replaceAll("{", "!");
    const start = startOf(one);
    return { one, key: [-count(start), starts.indexOf(start), path.split("/").length, path, METHODS.indexOf(one.method)] };
  });
  return keys.sort((a, b) => compare(a.key, b.key)).map(({ one }) => one);
}

/** @param {readonly (string | number)[]} a @param {readonly (string | number)[]} b */
function compare(a, b) {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : /** @type {string | number} */ (a[at]) < /** @type {string | number} */ (b[at]) ? -1 : 1;
}

/** @param {string} tag */
export const pageOfTag = (tag) => `reference/${slugOf(tag)}`;

/** @param {Json} raw @returns {Operation["credential"]} */
function credentialOf({ security }) {
  const kinds = security.flatMap((/** @type {object} */ one) => Object.keys(one));
  if (kinds.length === 0) return "none";
  return kinds.includes("api_key") ? "key" : "session";
}

/** The first value of each id in the examples, so that the same record has the same id everywhere. @param {Json} document */
function idsIn(document) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const walk = (/** @type {unknown} */ value) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "string" && /_id$|^slug$/.test(name) && !found.has(name)) found.set(name, inner);
      walk(inner);
    }
  };
  walk(document.components.examples);
  return found;
}

const MADE = "01h2xcejqtf2nbrexx3vqjhp41";

/** An id that the parameter's pattern allows. @param {Json} document @param {string} name */
function madeId(document, name) {
  const parameter = Object.values(document.components.parameters).find((/** @type {Json} */ one) => one.in === "path" && one.name === name);
  const { pattern = "" } = resolved(document, /** @type {Json} */ (parameter)?.schema ?? {});
  const [, prefix] = /^\^([a-z]+_)/.exec(pattern) ?? [];
  if (prefix !== undefined) return prefix + MADE;
  if (pattern.startsWith("^[1-9]")) return "1";
  return pattern.startsWith("^[0-9a-f]{32}") ? "5f2b8c1de04a97365f2b8c1de04a9736" : "lease";
}

/**
 * Finds an operation in words such as `POST /partner/envelopes/:id/send`, whatever its parameters are called.
 * @param {readonly Operation[]} operations
 */
export function operationFinder(operations) {
  const plain = (/** @type {string} */ path) => path.replaceAll(/:\w+|\{\w+\}/g, "{}");
  const known = new Map(operations.map((one) => [`${one.method} ${plain(one.path)}`, one]));
  return (/** @type {string} */ words) => {
    const [, method = "", path = ""] = /^(GET|POST|PUT|PATCH|DELETE) (?:\/api\/v2)?(\/[^\s?]*)/.exec(words) ?? [];
    return known.get(`${method} ${plain(path)}`) ?? null;
  };
}

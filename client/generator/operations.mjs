// Reads the operations of an OpenAPI document into a simple structure that the generated files are written from.
import { componentName, pathType, typeOf, union } from "./schema.mjs";

/** @typedef {import("./schema.mjs").Schema} Schema */
/** @typedef {{ name: string, schema: Schema, required: boolean, description?: string }} Parameter */
/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string | null} sdk
 * @property {string} method
 * @property {string} path
 * @property {readonly string[]} about
 * @property {readonly { name: string, type: (prefix: string) => string }[]} pathParameters
 * @property {readonly Parameter[]} query
 * @property {ReadonlySet<string>} headers lower-case
 * @property {Body | null} body
 * @property {Answer} answer
 */
/** @typedef {{ json: Schema | null, form: Schema | null, required: boolean }} Body */
/** @typedef {{ kind: "data" | "list" | "file" | "none", type: (prefix: string) => string, key: string | null }} Answer key: the property that identifies the rows of a list */

const METHODS = ["get", "post", "put", "patch", "delete"];
// Headers that the transport or Countersign's own pages send. Any other required header would never be sent.
const KNOWN_HEADERS = new Set(["idempotency-key", "if-match", "if-none-match", "x-signing-session"]);

/** @param {any} document @returns {Operation[]} */
export function operationsOf(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      if (!METHODS.includes(method)) throw new Error(`${path}: the generator does not support the method ${method}`);
      return readOperation(document, method, path, /** @type {any} */ (operation));
    }),
  );
  assertUnique(operations.map(({ id }) => id));
  assertUnique(operations.flatMap(({ sdk }) => sdk ?? []));
  return operations;
}

/** @param {readonly string[]} names */
function assertUnique(names) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two operations are named ${twice}`);
}

/** @param {any} document @param {string} method @param {string} path @param {any} operation @returns {Operation} */
function readOperation(document, method, path, operation) {
  /** @type {any[]} */
  const parameters = (operation.parameters ?? []).map((/** @type {any} */ one) => resolved(document, one));
  const headers = parameters.filter((one) => one.in === "header");
  const unknown = headers.find(({ name, required }) => required && !KNOWN_HEADERS.has(name.toLowerCase()));
  if (unknown !== undefined)
    throw new Error(`${operation.operationId}: the header ${unknown.name} is required, but the generator does not know it`);
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    id: operation.operationId,
    sdk: operation["x-sdk"] ?? null,
    method: method.toUpperCase(),
    path,
    about: aboutOf(operation),
    pathParameters: named.map((name) => {
      const found = parameters.find((one) => one.in === "path" && one.name === name);
      if (found === undefined) throw new Error(`${operation.operationId}: ${name} is in the path but not declared as a parameter`);
      const type = (/** @type {string} */ prefix) => pathType(found.schema, resolved(document, found.schema), { isRequest: true, prefix });
      return { name, type };
    }),
    query: parameters.filter((one) => one.in === "query"),
    headers: new Set(headers.map(({ name }) => name.toLowerCase())),
    body: readBody(document, operation),
    answer: readAnswer(document, operation, path),
  };
}

/** @param {any} operation @returns {string[]} */
function aboutOf({ summary, description, deprecated, ...more }) {
  const stability = more["x-stability"];
  return [
    ...(summary === undefined ? [] : [`${summary}.`]),
    ...(description === undefined ? [] : [description]),
    ...(deprecated ? [`@deprecated ${(stability ?? "").replace(/^deprecated s/, "S")}`.trimEnd()] : []),
    ...(stability === "beta" ? ["@beta May change in any release."] : []),
  ];
}

/** @param {any} document @param {any} operation @returns {Body | null} */
function readBody(document, operation) {
  if (operation.requestBody === undefined) return null;
  const { content, required = false } = resolved(document, operation.requestBody);
  const { "application/json": json, "multipart/form-data": form, ...others } = content;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`${operation.operationId}: the generator does not support bodies of type ${other}`);
  return { json: json?.schema ?? null, form: form?.schema ?? null, required };
}

/** @param {any} document @param {any} operation @param {string} path @returns {Answer} */
function readAnswer(document, operation, path) {
  const media = Object.entries(operation.responses)
    .filter(([status]) => /^2\d\d$/.test(status))
    .flatMap(([, response]) => Object.entries(resolved(document, response).content ?? {}));
  const variants = media.flatMap(([type, { schema }]) => flattened(document, schema).map((one) => ({ type, schema: one })));
  const bodies = variants
    .filter(({ type, schema }) => type === "application/json" && schema.format !== "binary")
    .map(({ schema }) => schema);
  const isFile = bodies.length < variants.length;
  const datas = bodies.map((body) => dataOf(operation, body));
  const isList = bodies.some(({ properties }) => properties.meta !== undefined);
  const rows = isList ? datas.map((data) => resolved(document, data).items) : datas;
  const type = (/** @type {string} */ prefix) => union(rows.map((row) => typeOf(row, { isRequest: false, prefix })));
  if (isFile) return { kind: "file", type: rows.length === 0 ? () => "never" : type, key: null };
  if (isList) return { kind: "list", type, key: keyOf(document, rows[0], path) };
  return rows.length === 0 ? { kind: "none", type: () => "undefined", key: null } : { kind: "data", type, key: null };
}

/** The variants of a body, each without a reference. @param {any} document @param {Schema} schema @returns {Schema[]} */
function flattened(document, schema) {
  const found = resolved(document, schema);
  const variants = found.anyOf ?? found.oneOf;
  return variants === undefined ? [found] : variants.flatMap((/** @type {Schema} */ one) => flattened(document, one));
}

/** @param {any} operation @param {Schema} body @returns {Schema} */
function dataOf(operation, { properties }) {
  if (properties?.data === undefined) throw new Error(`${operation.operationId}: a response without data`);
  return properties.data;
}

/**
 * The property that identifies the rows of a list: their first property that is neither a path parameter nor tells variants apart.
 * @param {any} document @param {Schema} row @param {string} path
 */
function keyOf(document, row, path) {
  const [variant = {}] = flattened(document, row);
  const kind = resolved(document, row).discriminator?.propertyName;
  return Object.keys(variant.properties ?? {}).find((name) => name !== kind && !path.includes(`{${name}}`)) ?? null;
}

/** Resolves a reference. @param {any} document @param {any} value @returns {any} */
export function resolved(document, value) {
  if (value?.$ref === undefined) return value;
  const found = value.$ref
    .slice("#/".length)
    .split("/")
    .reduce((/** @type {any} */ at, /** @type {string} */ name) => at?.[name], document);
  if (found === undefined) throw new Error(`${value.$ref} does not exist`);
  return resolved(document, found);
}

/** @param {Operation} operation */
export const queryName = ({ id }) => `${pascal(id)}Query`;

/** The type of one of an operation's bodies. @param {Operation} operation @param {"json" | "form"} kind @param {string} prefix */
export function bodyType(operation, kind, prefix) {
  const schema = operation.body?.[kind] ?? {};
  return `${prefix}${schema.$ref === undefined ? bodyName(operation, kind) : componentName(schema.$ref)}`;
}

/** @param {Operation} operation @param {"json" | "form"} kind */
export const bodyName = ({ id }, kind) => `${pascal(id)}${kind === "json" ? "Body" : "Form"}`;

/** @param {string} name */
export const pascal = (name) =>
  name.replace(/(?:^|[_.-])(\w)/g, (_all, letter) => letter.toUpperCase()).replace(/^[a-z]/, (letter) => letter.toUpperCase());

// The differences between two documents of OpenAPI 3.1 that break a caller of the first one. docs/versions.md has the rules.
import { SchemaComparison } from "./openapi-schemas.mjs";

/**
 * @typedef {import("./openapi-schemas.mjs").Schema} Schema
 * @typedef {import("./openapi-schemas.mjs").Side} Side
 * @typedef {{ kind: "breaking" | "name", text: string }} Difference name: it breaks generated code alone
 * @typedef {{ method: string, path: string, shape: string, operation: any }} Found
 */

const METHODS = ["get", "put", "post", "delete", "patch"];

/**
 * Each difference has a text that names it, and that stays the same as long as the difference does. Operations that were in beta are left
 * out, and so are texts and examples.
 * @param {any} before @param {any} after @returns {Difference[]}
 */
export function differencesOf(before, after) {
  const comparison = new Comparison(before, after);
  const then = operationsOf(after);
  for (const one of operationsOf(before)) {
    if (one.operation["x-stability"] === "beta") continue;
    comparison.operations(
      one,
      then.find(({ shape }) => shape === one.shape),
    );
  }
  comparison.webhooks();
  return comparison.found();
}

/** @param {any} document @returns {Found[]} */
function operationsOf({ paths = {} }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      method: method.toUpperCase(),
      path,
      // The names of parameters are not part of a request.
      shape: `${method} ${path.replace(/\{\w+\}/g, "{}")}`,
      operation: item[method],
    })),
  );
}

class Comparison {
  /** @param {any} before @param {any} after */
  constructor(before, after) {
    this.before = before;
    this.after = after;
    this.schemas = new SchemaComparison(before.components?.schemas ?? {}, after.components?.schemas ?? {});
    /** @type {Map<string, Difference>} */
    this.differences = new Map();
  }

  found() {
    return [...this.differences.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
  }

  /** @param {string} where @param {string} what @param {"breaking" | "name"} kind */
  report(where, what, kind = "breaking") {
    const text = `${where}: ${what}`;
    this.differences.set(text, { kind, text });
  }

  /** @param {Schema} from @param {Schema} to @param {string} where @param {Side} side */
  #schemas(from, to, where, side) {
    this.schemas.compare(from, to, { where, side, report: (at, what, kind = "breaking") => this.report(at, what, kind) });
  }

  /** @param {Found} from @param {Found | undefined} to */
  operations({ method, path, operation }, to) {
    const where = `${method} ${path}`;
    if (to === undefined) return this.report(where, "was removed");
    const then = to.operation;
    if (to.path !== path) this.report(where, `is now ${to.path}`, "name");
    for (const name of ["operationId", "x-sdk"]) {
      if (operation[name] !== undefined && operation[name] !== then[name])
        this.report(where, `${name} was ${operation[name]} and is ${then[name] ?? "not set"}`, "name");
    }
    if (then["x-stability"] === "beta") this.report(where, "is now in beta");
    if (serverOf(operation) !== serverOf(then)) this.report(where, "is served below another address");
    this.#credentials(where, operation, then);
    this.#parameters(where, operation, then);
    this.#bodies(where, operation, then);
    this.#responses(where, operation, then);
    this.#codes(where, operation, then);
  }

  /** @param {string} where @param {any} from @param {any} to */
  #credentials(where, from, to) {
    const kinds = (/** @type {any} */ one) => (one.security ?? []).flatMap((/** @type {object} */ each) => Object.keys(each));
    const taken = kinds(to);
    for (const kind of kinds(from))
      if (taken.length > 0 && !taken.includes(kind)) this.report(where, `no longer takes the credential ${kind}`);
    if (taken.length > 0 && kinds(from).length === 0) this.report(where, "now needs a credential");
    for (const scope of from["x-any-scope"] ?? []) {
      if (to["x-any-scope"] !== undefined && !to["x-any-scope"].includes(scope))
        this.report(where, `the scope ${scope} is no longer enough`);
    }
    if (to["x-permission"] !== undefined && to["x-permission"] !== from["x-permission"])
      this.report(where, `a session now needs the permission ${to["x-permission"]}`);
    if (to["x-step-up"] && !from["x-step-up"]) this.report(where, "a session now needs a recent confirmation");
  }

  /** @param {string} where @param {any} from @param {any} to */
  #parameters(where, from, to) {
    const named = (/** @type {any} */ document, /** @type {any} */ { parameters = [] }) =>
      parameters.map((/** @type {any} */ one) => resolved(document, one)).filter((/** @type {any} */ one) => one.in !== "path");
    const [was, is] = [named(this.before, from), named(this.after, to)];
    const same = (/** @type {any} */ a, /** @type {any} */ b) => a.in === b.in && a.name.toLowerCase() === b.name.toLowerCase();
    for (const one of was) {
      const at = `${where} ${one.in} ${one.name}`;
      const other = is.find((/** @type {any} */ each) => same(one, each));
      if (other === undefined) this.report(at, "was removed");
      else {
        if (other.required && !one.required) this.report(at, "is now required");
        this.#schemas(one.schema, other.schema, at, "request");
      }
    }
    for (const one of is) {
      if (one.required && !was.some((/** @type {any} */ each) => same(one, each)))
        this.report(`${where} ${one.in} ${one.name}`, "is new and required");
    }
    const placed = (/** @type {any} */ document, /** @type {any} */ { parameters = [] }) =>
      parameters.map((/** @type {any} */ one) => resolved(document, one)).filter((/** @type {any} */ one) => one.in === "path");
    const then = placed(this.after, to);
    for (const [index, one] of placed(this.before, from).entries()) {
      if (then[index] !== undefined) this.#schemas(one.schema, then[index].schema, `${where} path ${one.name}`, "request");
    }
  }

  /** @param {string} where @param {any} from @param {any} to */
  #bodies(where, from, to) {
    const [was, is] = [resolved(this.before, from.requestBody), resolved(this.after, to.requestBody)];
    if (is?.required && !was?.required) this.report(where, "the body is now required");
    for (const [type, { schema }] of contentOf(was)) {
      const other = is?.content?.[type];
      if (other === undefined) this.report(where, `no longer takes a body of the type ${type}`);
      else this.#schemas(schema, other.schema, `${where} body`, "request");
    }
  }

  /** @param {string} where @param {any} from @param {any} to */
  #responses(where, from, to) {
    const isGood = (/** @type {string} */ status) => /^2\d\d$/.test(status);
    for (const [status, response] of Object.entries(from.responses ?? {})) {
      const other = to.responses?.[status] ?? (isGood(status) ? undefined : to.responses?.default);
      if (other === undefined) {
        this.report(where, `no longer answers ${status}`);
        continue;
      }
      const [was, is] = [resolved(this.before, response), resolved(this.after, other)];
      for (const [type, { schema }] of contentOf(was)) {
        const media = is.content?.[type];
        if (media === undefined) this.report(where, `${status} no longer has a body of the type ${type}`);
        else this.#schemas(schema, media.schema, `${where} ${status}`, "answer");
      }
      for (const header of Object.keys(was.headers ?? {}))
        if (is.headers?.[header] === undefined) this.report(where, `${status} no longer has the header ${header}`);
    }
    for (const status of Object.keys(to.responses ?? {}))
      if (isGood(status) && from.responses?.[status] === undefined) this.report(where, `can now answer ${status}`);
  }

  /** @param {string} where @param {any} from @param {any} to */
  #codes(where, from, to) {
    const then = Object.entries(to["x-error-codes"] ?? {});
    for (const [status, codes] of Object.entries(from["x-error-codes"] ?? {})) {
      for (const code of codes) {
        const now = then.filter(([, others]) => others.includes(code)).map(([other]) => other);
        if (now.includes(status)) continue;
        this.report(
          where,
          now.length === 0 ? `no longer has the error ${code}` : `the error ${code} was ${status} and is ${now.join(", ")}`,
        );
      }
    }
  }

  webhooks() {
    const then = this.after.webhooks ?? {};
    for (const [type, { post }] of Object.entries(/** @type {Record<string, any>} */ (this.before.webhooks ?? {}))) {
      const where = `webhook ${type}`;
      const to = then[type]?.post;
      if (to === undefined) {
        this.report(where, "was removed");
        continue;
      }
      // The service sends these.
      for (const [media, { schema }] of contentOf(resolved(this.before, post.requestBody))) {
        const other = resolved(this.after, to.requestBody)?.content?.[media];
        if (other === undefined) this.report(where, `is no longer sent as ${media}`);
        else this.#schemas(schema, other.schema, where, "answer");
      }
      const headers = (/** @type {any} */ document, /** @type {any} */ { parameters = [] }) =>
        parameters.map((/** @type {any} */ one) => resolved(document, one).name);
      for (const name of headers(this.before, post))
        if (!headers(this.after, to).includes(name)) this.report(where, `no longer has the header ${name}`);
    }
  }
}

/** @param {any} operation */
const serverOf = ({ servers }) => servers?.[0]?.url ?? null;

/** @param {any} body @returns {[string, { schema: Schema }][]} */
const contentOf = (body) => Object.entries(body?.content ?? {});

/** Resolves a reference. @param {any} document @param {any} value @returns {any} */
function resolved(document, value) {
  if (value?.$ref === undefined) return value;
  const found = value.$ref
    .slice("#/".length)
    .split("/")
    .reduce((/** @type {any} */ at, /** @type {string} */ name) => at?.[name], document);
  if (found === undefined) throw new Error(`${value.$ref} does not exist`);
  return resolved(document, found);
}

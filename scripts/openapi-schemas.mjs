// Compares two schemas of OpenAPI 3.1: what a caller can still send, and what a client of before can still read. Used by
// openapi-differences.mjs.
import { isDeepStrictEqual } from "node:util";

const REF = "#/components/schemas/";

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {"request" | "answer"} Side
 * @typedef {(where: string, what: string, kind?: "breaking" | "name") => void} Report
 * @typedef {{ where: string, side: Side, report: Report }} Place where: a component's name and what follows it
 */

/** Keeps what was compared, so that a component is compared once for each side, and one that contains itself does not go on for ever. */
export class SchemaComparison {
  /** @param {Record<string, Schema>} before the components of each document @param {Record<string, Schema>} after */
  constructor(before, after) {
    this.before = before;
    this.after = after;
    /** @type {Map<string, { where: string, what: string, kind: "breaking" | "name" }[]>} */
    this.known = new Map();
  }

  /** Reports what breaks a caller. @param {Schema} before @param {Schema} after @param {Place} place */
  compare(before, after, place) {
    const [from, to] = [componentOf(before), componentOf(after)];
    if (from === null) return this.#contents(before, this.#resolved(after, this.after), place);
    if (from !== to) place.report(place.where, `the schema ${from} is now ${to ?? "without a name"}`, "name");
    for (const { where, what, kind } of this.#component(from, after, place.side)) place.report(where, what, kind);
  }

  /** @param {string} name @param {Schema} after @param {Side} side */
  #component(name, after, side) {
    const key = `${side} ${name} ${componentOf(after) ?? JSON.stringify(after)}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    /** @type {{ where: string, what: string, kind: "breaking" | "name" }[]} */
    const found = [];
    this.known.set(key, found);
    /** @type {Report} */
    const report = (where, what, kind = "breaking") => found.push({ where, what, kind });
    const place = { where: `${name} (${side})`, side, report };
    this.#contents(this.#resolved({ $ref: REF + name }, this.before), this.#resolved(after, this.after), place);
    return found;
  }

  /** @param {Schema} schema @param {Record<string, Schema>} components @returns {Schema} */
  #resolved(schema, components) {
    const name = componentOf(schema);
    if (name === null) return schema;
    const found = components[name];
    if (found === undefined) throw new Error(`the schema ${name} does not exist`);
    return this.#resolved(found, components);
  }

  /** @param {Schema} before @param {Schema} after @param {Place} place */
  #contents(before, after, place) {
    if (before.not !== undefined || after.not !== undefined) return compareNever(before, after, place);
    if (variantsOf(before) !== null || variantsOf(after) !== null) return this.#unions(before, after, place);
    if (!compareTypes(before, after, place)) return;
    compareValues(before, after, place);
    compareForms(before, after, place);
    if (place.side === "request") compareRequestLimits(before, after, place);
    if (before.properties !== undefined || after.properties !== undefined) this.#objects(before, after, place);
    this.#inner(before, after, place);
  }

  /** Elements of arrays, values of maps, and JSON in a part of a form. @param {Schema} before @param {Schema} after @param {Place} place */
  #inner(before, after, place) {
    const at = (/** @type {string} */ ending) => ({ ...place, where: place.where + ending });
    if (isSchema(before.items)) this.compare(before.items, after.items ?? {}, at("[]"));
    if (isSchema(before.contentSchema)) this.compare(before.contentSchema, after.contentSchema ?? {}, at(""));
    if (isSchema(before.additionalProperties)) {
      this.compare(before.additionalProperties, isSchema(after.additionalProperties) ? after.additionalProperties : {}, at(".*"));
    }
    const patterns = Object.keys({ ...before.patternProperties, ...after.patternProperties });
    for (const pattern of patterns) {
      const [from, to] = [before.patternProperties?.[pattern], after.patternProperties?.[pattern]];
      if (from !== undefined && to !== undefined) this.compare(from, to, at(".*"));
      else place.report(place.where, `names of the form ${pattern} are ${from === undefined ? "new" : "gone"}`);
    }
  }

  /** @param {Schema} before @param {Schema} after @param {Place} place */
  #objects(before, after, place) {
    const [from, to] = [before.properties ?? {}, after.properties ?? {}];
    const [was, is] = [new Set(before.required ?? []), new Set(after.required ?? [])];
    const { side, where, report } = place;
    for (const name of Object.keys(from)) {
      const at = `${where}.${name}`;
      if (to[name] === undefined) {
        report(at, "was removed");
        continue;
      }
      this.compare(from[name], to[name], { ...place, where: at });
      if (side === "request" && is.has(name) && !was.has(name)) report(at, "is now required");
      if (side === "answer" && was.has(name) && !is.has(name)) report(at, "can now be absent");
    }
    for (const name of Object.keys(to)) {
      if (side === "request" && from[name] === undefined && is.has(name)) report(`${where}.${name}`, "is new and required");
    }
    if (side === "request" && before.additionalProperties !== false && after.additionalProperties === false)
      report(where, "refuses other properties");
  }

  /**
   * A request may be any variant of before; an answer must be one of them. A variant that is new in an answer is a new value, as of an enum,
   * if a discriminator tells it apart.
   * @param {Schema} before @param {Schema} after @param {Place} place
   */
  #unions(before, after, place) {
    const [from, to] = [variantsOf(before) ?? [before], variantsOf(after) ?? [after]];
    const member = before.discriminator?.propertyName;
    if (member !== undefined && after.discriminator?.propertyName !== member)
      place.report(place.where, `${member} no longer tells the variants apart`);
    const isRequest = place.side === "request";
    const labelOf = (/** @type {Schema} */ one, /** @type {Schema} */ parent) => labelled(one, parent) ?? "";
    for (const one of isRequest ? from : to) {
      const label = labelOf(one, isRequest ? before : after);
      const others = isRequest ? to : from;
      const same = others.find((other) => label !== "" && labelOf(other, isRequest ? after : before) === label);
      const pairs = (same === undefined ? others : [same]).map((other) =>
        isRequest ? this.#try(one, other, place) : this.#try(other, one, place),
      );
      if (pairs.some((found) => found.length === 0)) continue;
      const [only = []] = pairs;
      if (pairs.length === 1) for (const { where, what, kind } of only) place.report(where, what, kind);
      else if (isRequest || member === undefined || label === "")
        place.report(place.where, isRequest ? `no longer takes ${said(one)}` : `can now be ${said(one)}`);
    }
    if (isRequest || member === undefined) return;
    const labels = to.map((one) => labelOf(one, after));
    for (const one of from) if (!labels.includes(labelOf(one, before))) place.report(place.where, `is no longer ${said(one)}`);
  }

  /** @param {Schema} before @param {Schema} after @param {Place} place */
  #try(before, after, place) {
    /** @type {{ where: string, what: string, kind: "breaking" | "name" }[]} */
    const found = [];
    this.compare(before, after, { ...place, report: (where, what, kind = "breaking") => found.push({ where, what, kind }) });
    return found;
  }
}

/** @param {Schema | undefined} schema */
const componentOf = (schema) => (typeof schema?.$ref === "string" ? schema.$ref.slice(REF.length) : null);

/** @param {unknown} value @returns {value is Schema} */
const isSchema = (value) => typeof value === "object" && value !== null;

/** @param {Schema} schema @returns {Schema[] | null} */
const variantsOf = ({ anyOf, oneOf }) => anyOf ?? oneOf ?? null;

/** What tells a variant apart: its value of the discriminator, its component, or its type. @param {Schema} variant @param {Schema} parent */
function labelled(variant, parent) {
  const mapping = Object.entries(parent.discriminator?.mapping ?? {}).find(([, ref]) => ref === variant.$ref);
  if (mapping !== undefined) return `value ${mapping[0]}`;
  if (variant.const !== undefined) return `const ${variant.const}`;
  return componentOf(variant) ?? (typeof variant.type === "string" && !["object", "string"].includes(variant.type) ? variant.type : null);
}

/** @param {Schema} variant */
function said(variant) {
  const name = componentOf(variant);
  if (name !== null) return name;
  return variant.const === undefined ? `${variant.type ?? "this"}` : JSON.stringify(variant.const);
}

/** `not: {}` allows nothing. @param {Schema} before @param {Schema} after @param {Place} place */
function compareNever(before, after, { where, side, report }) {
  const [was, is] = [before.not !== undefined, after.not !== undefined];
  if (side === "request" && is && !was) report(where, "is no longer allowed");
  if (side === "answer" && was && !is) report(where, "can now be present");
}

/** False: the types differ so much that the rest says nothing. @param {Schema} before @param {Schema} after @param {Place} place */
function compareTypes(before, after, { where, side, report }) {
  const [from, to] = side === "request" ? [before, after] : [after, before];
  const allowed = typesOf(to);
  if (allowed === null) return true;
  const types = typesOf(from);
  const lost = (types ?? ["any"]).filter((type) => !allowed.includes(type) && !(type === "integer" && allowed.includes("number")));
  if (lost.length === 0) return true;
  report(where, side === "request" ? `no longer takes the type ${lost.join(", ")}` : `can now have the type ${lost.join(", ")}`);
  return types !== null && lost.length < types.length;
}

/** null: any. @param {Schema} schema @returns {string[] | null} */
function typesOf({ type, ...schema }) {
  if (type !== undefined) return [type].flat();
  const values = valuesOf(schema);
  return values === null ? null : [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
}

/** @param {Schema} schema @returns {unknown[] | null} */
const valuesOf = (schema) => schema.enum ?? ("const" in schema ? [schema.const] : null);

/** A new value in an answer is no break, because clients accept values that they do not know. @param {Schema} before @param {Schema} after @param {Place} place */
function compareValues(before, after, { where, side, report }) {
  const [from, to] = [valuesOf(before), valuesOf(after)];
  if (from === null && to === null) return;
  if (from === null) {
    if (side === "request") report(where, "takes only some values");
    return;
  }
  if (to === null) {
    if (side === "answer") report(where, "can now have any value");
    return;
  }
  for (const value of from) if (!to.includes(value)) report(where, `the value ${JSON.stringify(value)} was removed`);
}

const FORMS = ["format", "pattern", "contentMediaType", "contentEncoding"];

/** @param {Schema} before @param {Schema} after @param {Place} place */
function compareForms(before, after, { where, side, report }) {
  for (const form of FORMS) {
    if (before[form] === after[form]) continue;
    const isWider = side === "request" ? after[form] === undefined : before[form] === undefined;
    if (!isWider) report(where, `${form} was ${before[form] ?? "not set"} and is ${after[form] ?? "not set"}`);
  }
}

const AT_LEAST = ["minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties"];
const AT_MOST = ["maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties"];

/** @param {Schema} before @param {Schema} after @param {Place} place */
function compareRequestLimits(before, after, { where, report }) {
  const differ = (/** @type {string} */ name) => report(where, `${name} was ${shown(before[name])} and is ${shown(after[name])}`);
  for (const name of AT_LEAST) if ((after[name] ?? Number.NEGATIVE_INFINITY) > (before[name] ?? Number.NEGATIVE_INFINITY)) differ(name);
  for (const name of AT_MOST) if ((after[name] ?? Number.POSITIVE_INFINITY) < (before[name] ?? Number.POSITIVE_INFINITY)) differ(name);
  for (const name of ["multipleOf", "uniqueItems"]) if (after[name] && after[name] !== before[name]) differ(name);
  // The same request would have another result.
  if (!isDeepStrictEqual(before.default, after.default)) differ("default");
}

/** @param {unknown} value */
const shown = (value) => (value === undefined ? "not set" : JSON.stringify(value));

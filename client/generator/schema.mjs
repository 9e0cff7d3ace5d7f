// Turns the schemas of an OpenAPI 3.1 document into TypeScript types. Throws on every keyword that it does not know, because ignoring one
// could produce a type that does not match the service.

const ANNOTATIONS = [
  "title description examples default deprecated format pattern contentEncoding contentMediaType discriminator uniqueItems",
  "minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties",
]
  .join(" ")
  .split(" ");
const STRUCTURE =
  "$ref type enum const anyOf oneOf properties required items additionalProperties patternProperties contentSchema not".split(" ");
const KNOWN = new Set([...ANNOTATIONS, ...STRUCTURE]);
const REF = "#/components/schemas/";

/** @typedef {Record<string, any>} Schema */
/** @typedef {{ isRequest: boolean, prefix: string }} Place isRequest: the type is part of a request; prefix: written before a component's name */

/** @param {Schema} schema */
function assertKnownKeywords(schema) {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword) && !keyword.startsWith("x-"))
      throw new Error(`the generator does not support the keyword ${keyword}: ${shown(schema)}`);
  }
}

/** @param {unknown} value */
const shown = (value) => JSON.stringify(value).slice(0, 300);

/** @param {string} ref */
export function componentName(ref) {
  if (!ref.startsWith(REF)) throw new Error(`${ref} is not a schema of the document`);
  return ref.slice(REF.length);
}

/**
 * The type of a path parameter. A parameter whose pattern allows only digits is a number.
 * @param {Schema} schema @param {Schema} resolved what it refers to @param {Place} place
 */
export function pathType(schema, resolved, place) {
  const pattern = new RegExp(resolved.pattern ?? "");
  return resolved.pattern !== undefined && pattern.test("1") && !pattern.test("a") ? "number" : typeOf(schema, place);
}

/** A TypeScript type. @param {Schema} schema @param {Place} place @returns {string} */
export function typeOf(schema, place) {
  assertKnownKeywords(schema);
  if (schema.$ref !== undefined) return place.prefix + componentName(schema.$ref);
  if (schema.not !== undefined) return neverType(schema);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)));
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return union(variants.map((/** @type {Schema} */ variant) => typeOf(variant, place)));
  if (schema.contentSchema !== undefined) return typeOf(schema.contentSchema, place);
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, place)));
  return plainType(schema, place);
}

/** `not: {}` allows nothing. TypeScript cannot express any other `not`. @param {Schema} schema */
function neverType({ not }) {
  if (Object.keys(not).length > 0) throw new Error(`the generator supports only an empty not: ${shown(not)}`);
  return "never";
}

/** @param {Schema} schema @param {Place} place */
function plainType(schema, place) {
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? binaryType(schema, place) : "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      return `${place.isRequest ? "readonly " : ""}${enclosed(typeOf(schema.items ?? {}, place))}[]`;
    case "object":
      return objectType(schema, place);
    case undefined:
      return "unknown";
    default:
      throw new Error(`the generator does not support the type ${schema.type}: ${shown(schema)}`);
  }
}

/** @param {Schema} schema @param {Place} place */
function binaryType(schema, { isRequest }) {
  if (!isRequest) throw new Error(`a file inside a response: ${shown(schema)}`);
  return "FileInput";
}

/** @param {Schema} schema @param {Place} place */
function objectType(schema, place) {
  if (Object.keys(schema.properties ?? {}).length === 0) return mapType(schema, place);
  if (typeof schema.additionalProperties === "object" || schema.patternProperties !== undefined)
    throw new Error(`an object with both named and other properties: ${shown(schema)}`);
  return `{\n${indented(members(schema, place))}\n}`;
}

/** An object with any property names, or with names that match a pattern. @param {Schema} schema @param {Place} place */
function mapType({ additionalProperties, patternProperties = {} }, place) {
  const values = [...Object.values(patternProperties), ...(typeof additionalProperties === "object" ? [additionalProperties] : [])];
  const value = values.length === 0 ? "unknown" : union(values.map((one) => typeOf(one, place)));
  return `{ ${place.isRequest ? "readonly " : ""}[name: string]: ${value} }`;
}

/**
 * Optional members of a request may also be undefined: JSON has no undefined, so both give the same request.
 * @param {Schema} schema @param {Place} place
 */
function members({ properties, required = [] }, place) {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = typeOf(schema, place) + (isRequired || !place.isRequest ? "" : " | undefined");
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      return `${doc(schema)}${place.isRequest ? "readonly " : ""}${key}${isRequired ? "" : "?"}: ${type};`;
    })
    .join("\n");
}

/** An exported declaration. @param {string} name @param {Schema} schema @param {Place} place */
export function declaration(name, schema, place) {
  assertKnownKeywords(schema);
  const hasMembers = schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
  const type = typeOf(schema, place);
  return `${doc(schema)}${hasMembers ? `export interface ${name} ${type}` : `export type ${name} = ${type};`}\n`;
}

/** @param {readonly string[]} types */
export const union = (types) => [...new Set(types)].join(" | ");

/** @param {string} type */
const enclosed = (type) => (/ \| |^readonly /.test(type) && !type.startsWith("{") ? `(${type})` : type);

/** @param {string} text */
export const indented = (text) => text.replace(/^(?=.)/gm, "  ");

/** @param {Schema} schema */
function doc({ description, deprecated }) {
  return comment([...(description === undefined ? [] : [description]), ...(deprecated ? ["@deprecated"] : [])]);
}

/** A JSDoc comment, or nothing. @param {readonly string[]} paragraphs */
export function comment(paragraphs) {
  const lines = paragraphs.flatMap((paragraph, index) => [...(index > 0 ? [""] : []), ...paragraph.replaceAll("*/", "*\\/").split("\n")]);
  if (lines.length === 0) return "";
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/** Collects every component that a value refers to, directly or indirectly. @param {unknown} value @param {Record<string, Schema>} components @param {Set<string>} found */
export function collectRefs(value, components, found) {
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "examples" || key === "example") continue;
    if (key !== "$ref") collectRefs(inner, components, found);
    else if (inner.startsWith(REF) && !found.has(componentName(inner))) {
      found.add(componentName(inner));
      collectRefs(components[componentName(inner)], components, found);
    }
  }
}

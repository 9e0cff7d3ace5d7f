import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";

/** A schema as JSON. */
export type Json = { readonly [member: string]: unknown };

/** Request schemas are closed: an undeclared member is a mistake. Response schemas are open: later versions can add members. */
export type Side = "request" | "answer";

/** The named components of an OpenAPI document. Each is written once and referenced everywhere else. */
export class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #inBoth: ReadonlySet<string>;
  readonly #others = new Map<string, Map<string, Json>>();

  /** `used`: every schema of the document, to find the names that occur in both requests and responses. */
  constructor(used: readonly { readonly schema: TSchema; readonly side: Side }[]) {
    const titles = (side: Side) => new Set(used.filter((use) => use.side === side).flatMap(({ schema }) => [...titledShapes(schema)]));
    const incoming = titles("request");
    this.#inBoth = new Set([...titles("answer")].filter((title) => incoming.has(title)));
  }

  /** The schema as it is published, with references for named schemas. `otherwise` is the name for an object without one. */
  publish(schema: TSchema | Json, side: Side, otherwise?: string): Json {
    if (isNamedOrNull(schema as Json)) return this.#inner({ anyOf: [withoutNull(schema as Json), { type: "null" }] }, side);
    const {
      title,
      "x-about": about,
      "x-message": _unpublished,
      ...rest
    } = schema as Json & { readonly title?: string; readonly "x-about"?: string };
    const name = title ?? (isShape(rest) ? (otherwise ?? anonymous(rest)) : undefined);
    const sentence = about === undefined ? {} : { description: about };
    if (name === undefined) return { ...this.#inner(rest, side), ...sentence };
    const published = side === "request" && this.#inBoth.has(name) ? `${name}Input` : name;
    return { ...this.add(published, this.#inner(rest, side)), ...sentence };
  }

  /** Adds a published schema under its own name. */
  add(name: string, schema: Json): Json {
    keep(this.#schemas, name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Adds a component of another kind: `parameters`, `headers`, `responses`, `examples`. */
  share(kind: string, name: string, part: Json): Json {
    const parts = this.#others.get(kind) ?? new Map<string, Json>();
    this.#others.set(kind, parts);
    keep(parts, name, part);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** Whether the name is already used for a different component. */
  isTaken(kind: string, name: string, part: Json): boolean {
    const known = this.#others.get(kind)?.get(name);
    return known !== undefined && !isDeepStrictEqual(known, part);
  }

  all(): Json {
    const kinds = [...this.#others].map(([kind, parts]) => [kind, sorted(parts)]);
    return { schemas: sorted(this.#schemas), ...Object.fromEntries(kinds) };
  }

  #inner(schema: Json, side: Side): Json {
    const members = Object.entries(schema).map(([member, value]) => [member, this.#member(member, value, side)]);
    return discriminated(schema, sided({ ...typedEnum(schema), ...Object.fromEntries(members) }, side));
  }

  #member(member: string, value: unknown, side: Side): unknown {
    if (member === "properties" || member === "patternProperties") {
      const entries = Object.entries(value as Record<string, Json>).filter(([, schema]) => !isNever(schema));
      return Object.fromEntries(entries.map(([name, schema]) => [name, this.publish(schema, side)]));
    }
    if (member === "anyOf" || member === "oneOf" || member === "allOf")
      return (value as Json[]).map((schema) => this.publish(schema, side));
    if (member === "items" || member === "contentSchema") return this.publish(value as Json, side);
    return member === "additionalProperties" && typeof value === "object" ? this.publish(value as Json, side) : value;
  }
}

function keep(parts: Map<string, Json>, name: string, part: Json): void {
  const plain = JSON.parse(JSON.stringify(part)) as Json;
  const known = parts.get(name);
  if (known !== undefined && !isDeepStrictEqual(known, plain)) {
    throw new Error(`two different components are called ${name}: ${JSON.stringify(known)} and ${JSON.stringify(plain)}`);
  }
  parts.set(name, plain);
}

const sorted = (parts: ReadonlyMap<string, Json>): Json => Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));

function anonymous(schema: Json): never {
  throw new Error(`an object has no name. Give it one with named(). ${JSON.stringify(schema).slice(0, 300)}`);
}

/** The name belongs to the value without null, because some generators turn a named object-or-null into an object that is never null. */
const isNamedOrNull = ({ title, type }: Json): boolean => title !== undefined && Array.isArray(type) && type.includes("null");

function withoutNull({ type, ...rest }: Json): Json {
  const [only, ...more] = (type as string[]).filter((one) => one !== "null");
  return { ...rest, type: more.length === 0 ? only : [only, ...more] };
}

/** Adds a discriminator to a union of named objects in which one member has a different literal in each object. */
function discriminated(schema: Json, published: Json): Json {
  const branches = (schema.anyOf as readonly Json[] | undefined) ?? [];
  const { anyOf, ...rest } = published as Json & { readonly anyOf?: readonly Json[] };
  const refs = (anyOf ?? []).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
  if (branches.length < 2 || refs.length !== branches.length) return published;
  const propertyName = Object.keys(propertiesOf(branches[0])).find((member) =>
    branches.every((branch) => isLiteral(propertiesOf(branch)[member])),
  );
  if (propertyName === undefined) return published;
  const mapping = Object.fromEntries(branches.map((branch, at) => [String(propertiesOf(branch)[propertyName]?.const), refs[at]]));
  return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } };
}

const propertiesOf = (schema: Json | undefined) => (schema?.properties ?? {}) as Readonly<Record<string, Json>>;
const isLiteral = (schema: Json | undefined): boolean => typeof schema?.const === "string";

/** An object with declared members. */
function isShape({ type, properties }: Json): boolean {
  return [type].flat().includes("object") && Object.keys((properties as object | undefined) ?? {}).length > 0;
}

/**
 * A member that nothing may have, declared for the sentence of its refusal. A closed object refuses it without being told, and generators fail
 * at a schema without a type.
 */
const isNever = ({ not }: Json): boolean => isDeepStrictEqual(not, {});

/** An object that accepts any members. */
const isOpen = ({ type, additionalProperties }: Json): boolean => type === "object" && additionalProperties !== false;

const withoutMembers = ({ properties: _none, ...rest }: Json): Json => rest;

function sided(schema: Json, side: Side): Json {
  if (!isShape(schema)) return isOpen(schema) ? withoutMembers(schema) : schema;
  const { additionalProperties, ...rest } = schema;
  if (additionalProperties !== undefined && additionalProperties !== false) return schema;
  return side === "request" ? { ...rest, additionalProperties: false } : rest;
}

/** Code generators produce weaker types for an enum without a type. */
function typedEnum({ enum: values, const: value, type }: Json): Json {
  const all = Array.isArray(values) ? values : value === undefined ? [] : [value];
  return type === undefined && all.length > 0 && all.every((one) => typeof one === "string") ? { type: "string" } : {};
}

/** The names of schemas that differ between requests and responses: those that contain an object with declared members. */
function titledShapes(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return found;
  const { title } = schema as { readonly title?: unknown };
  if (typeof title === "string" && holdsShape(schema)) found.add(title);
  for (const part of Object.values(schema)) titledShapes(part, found);
  return found;
}

function holdsShape(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return isShape(schema as Json) || Object.values(schema).some(holdsShape);
}

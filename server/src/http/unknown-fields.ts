import type { TSchema } from "typebox";

/**
 * Finds fields that an operation does not know, at any depth of a value. An object accepts the fields that its schema lists. An object whose
 * schema has `additionalProperties` (`metadata`, `prefilled_data`) accepts any field.
 */

/** An unknown field, and the names that are allowed in its place. */
export interface UnknownField {
  /** the path of the object that contains it; empty for the whole value */
  readonly place: string;
  readonly field: string;
  readonly name: string;
  readonly known: readonly string[];
}

/** Returns the value without its unknown fields: the same object if there are none, otherwise a copy. Adds the unknown fields to `found`. */
export type Prune = (value: unknown, found: UnknownFields) => unknown;

// The part of a name that a response repeats.
const MAX_NAME = 100;

/** The first unknown fields, up to the number that will be reported. */
export class UnknownFields {
  readonly list: UnknownField[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(place: string, name: string, known: readonly string[]): void {
    if (this.list.length >= this.#most) return;
    const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
    this.list.push({ place, field: joined(place, shown), name, known });
  }
}

/** The same schema with every object closed, except those that are explicitly open. */
export function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value) =>
    value !== null && typeof value === "object" && isObjectType(value) && !isOpen(value)
      ? { ...value, additionalProperties: false }
      : value,
  );
}

export function prunerFor(schema: TSchema): Prune {
  const prune = prunerOf(schema as Shape);
  return (value, found) => prune(value, "", found);
}

interface Shape {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: unknown;
  readonly additionalProperties?: unknown;
  readonly const?: unknown;
}

/** Also true for `type: ["object", "null"]`. */
const isObjectType = ({ type }: Shape): boolean => [type].flat().includes("object");

const isOpen = ({ additionalProperties, patternProperties }: Shape): boolean =>
  additionalProperties !== undefined || patternProperties !== undefined;

type PruneAt = (value: unknown, place: string, found: UnknownFields) => unknown;

/** For schemas without objects that list their fields. */
const KEEP: PruneAt = (value) => value;

function prunerOf(shape: Shape): PruneAt {
  if (shape.anyOf !== undefined) return unionPruner(shape.anyOf);
  if (shape.type === "array") return listPruner(prunerOf(shape.items ?? {}));
  return isObjectType(shape) ? objectPruner(shape) : KEEP;
}

function listPruner(pruneItem: PruneAt): PruneAt {
  if (pruneItem === KEEP) return KEEP;
  return (value, place, found) => {
    if (!Array.isArray(value)) return value;
    const kept = value.map((item, index) => pruneItem(item, `${place}[${index}]`, found));
    return kept.every((item, index) => item === value[index]) ? value : kept;
  };
}

function objectPruner(shape: Shape): PruneAt {
  const known = Object.keys(shape.properties ?? {});
  const pruners = new Map(Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, prunerOf(inner)]));
  const takesAny = isOpen(shape);
  if (takesAny && [...pruners.values()].every((prune) => prune === KEEP)) return KEEP;
  return (value, place, found) => {
    if (!isObject(value)) return value;
    let copy: Record<string, unknown> | null = null;
    for (const [name, inner] of Object.entries(value)) {
      const prune = pruners.get(name);
      if (prune === undefined) {
        if (takesAny) continue;
        found.add(place, name, known);
        copy ??= { ...value };
        delete copy[name];
        continue;
      }
      const kept = prune(inner, joined(place, name), found);
      if (kept === inner) continue;
      copy ??= { ...value };
      copy[name] = kept;
    }
    return copy ?? value;
  };
}

/** An object's literals (`mode`, `kind`) select the branch. If they select none, a field is unknown if no branch has it. */
function unionPruner(branches: readonly Shape[]): PruneAt {
  const shapes = branches.filter(isObjectType);
  const lists = branches.filter(({ type }) => type === "array").map(prunerOf);
  const pruners = shapes.map((shape) => ({ shape, prune: prunerOf(shape) }));
  const any = objectPruner(anyOfThese(shapes));
  return (value, place, found) => {
    if (Array.isArray(value)) return (lists[0] ?? KEEP)(value, place, found);
    if (!isObject(value) || shapes.length === 0) return value;
    const [meant, other] = pruners.filter(({ shape }) => hasLiteralsOf(shape, value));
    return (meant === undefined || other !== undefined ? any : meant.prune)(value, place, found);
  };
}

function anyOfThese(shapes: readonly Shape[]): Shape {
  const names = shapes.flatMap(({ properties = {} }) => Object.keys(properties));
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    ...(shapes.some(isOpen) && { additionalProperties: true }),
  };
}

function hasLiteralsOf({ properties = {} }: Shape, value: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(properties).every(([name, inner]) => inner.const === undefined || value[name] === inner.const);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const joined = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

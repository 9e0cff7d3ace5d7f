import type { TSchema } from "typebox";

/**
 * The validator checks the content of a value even if the value is too long: every item of a list and, with a pattern, every character of a
 * text. A caller could keep it busy for seconds. So values are first cut to slightly more than their schema allows. What is too long stays
 * too long, and the same mistakes are found at the same places, but checking is cheap.
 */
export type Cut = (value: unknown) => unknown;

const UNCUT: Cut = (value) => value;

/** Returns the same value if nothing in it is too long, otherwise a copy. Never changes the value itself. */
export function cutterFor(schema: TSchema): Cut {
  return cutterForAny([schema]);
}

/** The parts of a JSON schema that concern size. */
interface Sized {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Sized[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Sized;
  readonly properties?: Readonly<Record<string, Sized>>;
}

/** For a value that can have any of these shapes. It is cut only where it is too long for all of them. */
function cutterForAny(schemas: readonly TSchema[]): Cut {
  const shapes = (schemas as readonly Sized[]).flatMap(branchesOf);
  // A schema without a type accepts everything.
  if (shapes.some((shape) => typesOf(shape) === null)) return UNCUT;
  const of = (type: string) => shapes.filter((shape) => typesOf(shape)?.includes(type));
  const cuts = { string: stringCutter(of("string")), array: arrayCutter(of("array")), object: objectCutter(of("object")) };
  if (Object.values(cuts).every((cut) => cut === UNCUT)) return UNCUT;
  return (value) => {
    if (typeof value === "string") return cuts.string(value);
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? cuts.array(value) : cuts.object(value);
  };
}

const branchesOf = (shape: Sized): readonly Sized[] => (shape.anyOf === undefined ? [shape] : shape.anyOf.flatMap(branchesOf));

/** Null if the schema has no type. An enumeration has the types of its values. */
function typesOf({ type, enum: values, const: literal }: Sized): readonly string[] | null {
  if (type !== undefined) return typeof type === "string" ? [type] : type;
  const literals = values ?? (literal === undefined ? null : [literal]);
  return literals === null ? null : literals.map((value) => typeof value);
}

/** If no shape accepts a text, the validator only checks the type, so the length does not matter. */
function stringCutter(shapes: readonly Sized[]): Cut {
  const longest = shapes.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...shapes.map(longestText));
  // Length is counted in code points of at most two UTF-16 units each. A text with more units than this is too long in any case.
  const units = 2 * longest + 1;
  return Number.isFinite(longest) ? (value) => ((value as string).length > units ? (value as string).slice(0, units) : value) : UNCUT;
}

function longestText({ enum: values, const: literal, maxLength = Number.POSITIVE_INFINITY }: Sized): number {
  const literals = values ?? (literal === undefined ? null : [literal]);
  return literals === null ? maxLength : Math.max(0, ...literals.map((text) => String(text).length));
}

function arrayCutter(shapes: readonly Sized[]): Cut {
  if (shapes.length === 0) return UNCUT;
  const most = Math.max(...shapes.map(({ maxItems = Number.POSITIVE_INFINITY }) => maxItems));
  const cutItem = cutterForAny(shapes.map(({ items = {} }) => items as TSchema));
  if (!Number.isFinite(most) && cutItem === UNCUT) return UNCUT;
  return (value) => {
    const given = value as readonly unknown[];
    const kept = given.length > most ? given.slice(0, most + 1) : given;
    const cut = cutItem === UNCUT ? kept : kept.map(cutItem);
    return kept === given && cut.every((item, index) => item === given[index]) ? given : cut;
  };
}

function objectCutter(shapes: readonly Sized[]): Cut {
  const names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
  // Shapes without this property ignore it, so only shapes that have it are considered.
  const schemasOf = (name: string) => shapes.flatMap(({ properties = {} }) => properties[name] ?? []);
  const cutters = [...names].map((name) => [name, cutterForAny(schemasOf(name) as readonly TSchema[])] as const);
  const cutting = cutters.filter(([, cut]) => cut !== UNCUT);
  if (cutting.length === 0) return UNCUT;
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>;
    let copy: Record<string, unknown> | null = null;
    for (const [name, cut] of cutting) {
      if (!Object.hasOwn(given, name)) continue;
      const kept = cut(given[name]);
      if (kept === given[name]) continue;
      copy ??= { ...given };
      copy[name] = kept;
    }
    return copy ?? given;
  };
}

// One more than our largest list, the 5,000 records of a control batch, so that a list that is too long is named. Naming the mistakes of so
// many items takes some tens of milliseconds. A mebibyte can hold a hundred times as many.
export const NAMED_ITEMS = 5_001;
// More than the largest `minItems`, so that a list that was cut is not reported as too short.
export const KEPT_ITEMS = 10;

/**
 * A copy with the first items of all lists together, for the pass that names the mistakes, which takes microseconds per item even for
 * valid ones. Returns the value itself if it has no more items.
 */
export function firstItems(value: unknown): unknown {
  let left = NAMED_ITEMS;
  const copy = (one: unknown): unknown => {
    if (typeof one !== "object" || one === null) return one;
    if (!Array.isArray(one)) return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, copy(inner)]));
    const kept: unknown[] = [];
    for (const item of one) {
      if (left <= 0 && kept.length >= KEPT_ITEMS) break;
      left--;
      kept.push(copy(item));
    }
    return kept;
  };
  const cut = copy(value);
  return left > 0 ? value : cut;
}

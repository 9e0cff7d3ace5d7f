import { type TObject, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import Format from "typebox/format";
import { Errors } from "typebox/value";
import { type Detail, type DetailCode, Problem } from "../shared/problems.ts";
import { isBase64 } from "./base64.ts";
import { cutterFor, firstItems, NAMED_ITEMS } from "./cut-to-size.ts";
import { MAX_DETAILS } from "./problem.ts";
import { suggestionFor } from "./suggest.ts";
import { closed, type Prune, prunerFor, type UnknownField, UnknownFields } from "./unknown-fields.ts";

type Location = Detail["location"];

/** A value that may be used, and the fields that were left out of it. */
export interface Checked {
  readonly value: unknown;
  readonly ignored: readonly string[];
}

/** `lenient`: unknown fields are left out, not refused. */
export type Validate = (value: unknown, lenient?: boolean) => Checked;

// A leap second is a moment in RFC 3339, but none that a Date can hold.
Format.Set("date-time", (text) => Format.IsDateTime(text) && !Number.isNaN(Date.parse(text)));

Format.Set("base64", isBase64);

/**
 * A check that throws 422 with the place, code and sentence of each mistake. Compiled for its first value: there are 200, and a start waits
 * for none. A value is right when it fits the schema with every object closed; only for one that does not is it asked why.
 */
export function validator(schema: TObject | undefined, location: Location): Validate {
  const known = schema ?? Type.Object({});
  const compile = () => ({ shape: Compile(closed(known)), cut: cutterFor(known), prune: prunerFor(known) });
  let compiled: ReturnType<typeof compile> | undefined;
  return (given, lenient = false) => {
    compiled ??= compile();
    const { shape, cut, prune } = compiled;
    refuseOddText(given, location);
    const value = cut(given);
    if (shape.Check(value)) return { value: given, ignored: [] };
    if (!lenient) throw refusal(known, prune, value, location);
    const found = new UnknownFields(MAX_IGNORED);
    const pruned = prune(value, found);
    if (!shape.Check(pruned)) throw refusal(known, KEEP_ALL, value, location);
    return { value: pruned, ignored: found.list.map(({ field }) => field) };
  };
}

// As many as a header names.
const MAX_IGNORED = 20;

/** For a caller whose unknown fields are no mistakes. */
const KEEP_ALL: Prune = (value) => value;

function refusal(schema: TObject, prune: Prune, value: unknown, location: Location): Problem {
  const told = firstItems(value);
  const found = new UnknownFields(MAX_DETAILS);
  prune(told, found);
  const unknown = found.list.map((field) => unknownDetail(field, location));
  const details = [...unknown, ...detailsOf(schema, Errors(schema, told), location)];
  return new Problem("invalid_request", location, { details: details.length === 0 ? [farOff(location)] : details });
}

const unknownWhere: Partial<Record<Location, string>> = {
  query: "is not a parameter of this operation",
  form: "is not a part of this form",
};

export function unknownDetail({ place, field, name, known }: UnknownField, location: Location): Detail {
  const meant = suggestionFor(name, known);
  // Within a JSON part of a form it is a field like those of a body.
  const says = (place === "" ? unknownWhere[location] : undefined) ?? "is not a known field";
  return { location, field, code: "unknown_field", message: meant === null ? says : `${says}. Did you mean ${meant}?` };
}

/** For a mistake that is not among the items that are looked at one by one. */
const farOff = (location: Location): Detail => ({
  location,
  field: null,
  code: "invalid_value",
  message: `is not valid after the first ${NAMED_ITEMS} items of a list`,
});

/** Query values are text; where the schema says integer, text that is one becomes a number. Nothing else is coerced. */
export function coerceQuery(schema: TObject | undefined, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  refuseRepeated(schema, query);
  const result: Record<string, unknown> = { ...query };
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const value = result[name];
    if ((property as { type?: string }).type === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) {
      result[name] = Number(value);
    }
  }
  return result;
}

/** One of them would decide, and the caller would not know which. */
function refuseRepeated(schema: TObject | undefined, query: Readonly<Record<string, unknown>>): void {
  const repeated = Object.keys(schema?.properties ?? {}).filter((name) => Array.isArray(query[name]));
  if (repeated.length === 0) return;
  const details = repeated.map((field) => ({ location: "query", field, code: "invalid_type", message: "must be given only once" }) as const);
  throw new Problem("invalid_request", "query", { details });
}

const codeOfKeyword: Record<string, DetailCode> = {
  required: "required",
  type: "invalid_type",
  enum: "invalid_value",
  const: "invalid_value",
  anyOf: "invalid_value",
  minLength: "too_small",
  minimum: "too_small",
  exclusiveMinimum: "too_small",
  minItems: "too_small",
  maximum: "too_big",
  exclusiveMaximum: "too_big",
  maxItems: "too_long",
  maxLength: "too_long",
  format: "invalid_format",
  pattern: "invalid_format",
  uniqueItems: "duplicate",
};

function detailsOf(schema: TObject, errors: readonly TLocalizedValidationError[], location: Location): Detail[] {
  const details = new Map<string | null, Detail>();
  for (const error of withoutBranches(errors)) {
    const missing = error.keyword === "anyOf" ? missingLiteral(schema, error, errors) : null;
    const literal = missing ?? (error.keyword === "anyOf" ? literalOf(error, errors) : null);
    const code = missing === null ? (codeOfKeyword[error.keyword] ?? "invalid_value") : "required";
    const told = literal === null ? fieldsOf(error).map((field) => [field, sentenceFor(schema, error, errors)] as const) : [literal];
    for (const [field, message] of told) {
      if (details.size >= MAX_DETAILS || details.has(field)) continue;
      details.set(field, { location, field, code, message });
    }
  }
  return [...details.values()];
}

/** Where every branch of a union wants another literal, that is what is wrong: its place, and the values that it may have. */
function literalOf(
  union: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
): readonly [string | null, string] | null {
  const branches = errors.filter(({ schemaPath, instancePath }) => {
    return schemaPath.startsWith(`${union.schemaPath}/anyOf/`) && instancePath.startsWith(`${union.instancePath}/`);
  });
  const literals = branches.filter((error) => error.keyword === "const");
  const [first] = literals;
  if (first === undefined || literals.some(({ instancePath }) => instancePath !== first.instancePath)) return null;
  const allowed = literals.map((error) => String((error.params as { allowedValue?: unknown }).allowedValue));
  return [fieldName(first.instancePath), `must be one of: ${[...new Set(allowed)].join(", ")}`];
}

/** Where every branch asks for the same member, each with another literal, and it is not there: without it nobody knows which branch is meant. */
function missingLiteral(
  schema: TObject,
  union: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
): readonly [string | null, string] | null {
  const branches = (schemaAt(schema, union.schemaPath) as { readonly anyOf?: readonly Branch[] } | undefined)?.anyOf ?? [];
  const isAbsent = (name: string, at: number) =>
    errors.some(
      (error) =>
        error.keyword === "required" &&
        error.schemaPath === `${union.schemaPath}/anyOf/${at}` &&
        error.params.requiredProperties.includes(name),
    );
  const name = Object.keys(branches[0]?.properties ?? {}).find(
    (member) =>
      branches.every(({ properties }) => typeof properties?.[member]?.const === "string") &&
      branches.every((_branch, at) => isAbsent(member, at)),
  );
  if (name === undefined) return null;
  const place = fieldName(union.instancePath);
  const values = branches.map(({ properties }) => String(properties?.[name]?.const));
  return [place === null ? name : `${place}.${name}`, `is required, and must be one of: ${values.join(", ")}`];
}

interface Branch {
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
}

/**
 * Of a failed union only the union itself is told, not each of its branches; unless a literal that all but one of them refuse
 * (`mode`), or the type of an object, says which one was meant: then that one's mistakes are told, and the union's is not.
 */
function withoutBranches(errors: readonly TLocalizedValidationError[]): readonly TLocalizedValidationError[] {
  const unions = errors.filter((error) => error.keyword === "anyOf");
  return unions.reduce((left, union) => {
    const branches = `${union.schemaPath}/anyOf/`;
    const isInside = (path: string) => path === union.instancePath || path.startsWith(`${union.instancePath}/`);
    const isHere = (error: TLocalizedValidationError) => error.schemaPath.startsWith(branches) && isInside(error.instancePath);
    const branchOf = (error: TLocalizedValidationError) => error.schemaPath.slice(branches.length).split("/")[0] ?? "";
    const meant = meantBranch(left.filter(isHere), branchOf, union.instancePath);
    if (meant === null) return left.filter((error) => !isHere(error));
    return left.filter((error) => error !== union && (!isHere(error) || branchOf(error) === meant));
  }, errors);
}

function meantBranch(
  errors: readonly TLocalizedValidationError[],
  branchOf: (error: TLocalizedValidationError) => string,
  place: string,
): string | null {
  const isLiteral = ({ keyword, instancePath }: TLocalizedValidationError) =>
    keyword === "const" && instancePath.startsWith(`${place}/`) && !instancePath.slice(place.length + 1).includes("/");
  const isInside = errors.some(({ instancePath, keyword }) => instancePath !== place || keyword === "required");
  const isType = ({ keyword, instancePath }: TLocalizedValidationError) => isInside && keyword === "type" && instancePath === place;
  const refused = new Set(errors.filter((error) => isLiteral(error) || isType(error)).map(branchOf));
  const left = [...new Set(errors.map(branchOf))].filter((branch) => !refused.has(branch));
  return refused.size > 0 && left.length === 1 ? (left[0] ?? null) : null;
}

function fieldsOf(error: TLocalizedValidationError): (string | null)[] {
  const place = fieldName(error.instancePath);
  if (error.keyword !== "required") return [place];
  return error.params.requiredProperties.map((name) => (place === null ? name : `${place}.${name}`));
}

/** `/fields/0/placement` as people write it: `fields[0].placement`. */
function fieldName(instancePath: string): string | null {
  if (instancePath === "") return null;
  return instancePath
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`), "");
}

/** What is allowed, as the end of a sentence that begins with the field's name. */
function sentenceFor(schema: TObject, error: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): string {
  switch (error.keyword) {
    case "required":
      return "is required";
    case "type":
      return `must be ${typeName(error.params.type)}`;
    case "enum":
      return `must be one of: ${error.params.allowedValues.join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case "anyOf":
      return unionSentence(schema, error, errors);
    case "pattern":
    case "format":
    case "not":
      return messageAt(schema, error.schemaPath) ?? "does not match the pattern in the API description";
    case "uniqueItems":
      return "must not repeat a value";
    case "minimum":
      return `must be at least ${error.params.limit}`;
    case "maximum":
      return `must be at most ${error.params.limit}`;
    case "exclusiveMinimum":
      return `must be greater than ${error.params.limit}`;
    case "minLength":
      return `must have at least ${counted(error.params.limit, "character")}`;
    case "maxLength":
      return `must have at most ${counted(error.params.limit, "character")}`;
    case "minItems":
      return `must have at least ${counted(error.params.limit, "item")}`;
    case "maxItems":
      return `must have at most ${counted(error.params.limit, "item")}`;
    default:
      return error.message;
  }
}

const counted = (count: number | bigint, noun: string): string => `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

const typeName = (type: string | readonly string[]): string =>
  [type]
    .flat()
    .map((one) => typeNames[one] ?? one)
    .join(" or ");

/** Where every branch wants another type: the types that it may have. Where one branch wants its type: what that branch wants. */
function unionSentence(schema: TObject, union: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): string {
  const branches = `${union.schemaPath}/anyOf/`;
  const here = errors.filter((error) => error.schemaPath.startsWith(branches) && error.instancePath === union.instancePath);
  const types = here.flatMap((error) => (error.keyword === "type" ? [typeName(error.params.type)] : []));
  const [other, another] = here.filter((error) => error.keyword !== "type");
  if (other === undefined && types.length > 1) return `must be ${[...new Set(types)].join(" or ")}`;
  if (other === undefined || (another !== undefined && another.schemaPath !== other.schemaPath)) return "must have one of the shapes in the API description";
  return sentenceFor(schema, other, errors);
}

/** The sentence that a schema has for its own pattern or format. */
function messageAt(schema: TObject, schemaPath: string): string | undefined {
  return (schemaAt(schema, schemaPath) as { "x-message"?: string } | undefined)?.["x-message"];
}

function schemaAt(schema: TObject, schemaPath: string): unknown {
  let here: unknown = schema;
  for (const part of schemaPath.split("/").slice(1)) here = (here as Record<string, unknown> | undefined)?.[part];
  return here;
}

/**
 * NUL cannot be stored as text, and half of a surrogate pair is no character at all: both are refused before anything looks at
 * them. Runs over every value of a body, so it makes nothing but the place of what it finds. It calls itself as often as the body is
 * nested, which was limited before the body was parsed.
 */
function refuseOddText(root: unknown, location: Location): void {
  const found = oddIn(root);
  if (found === null) return;
  const field = found.place.length === 0 ? null : found.place.reduce<string>(joinPlace, "");
  throw new Problem("invalid_request", found.code, { details: [{ location, field, code: found.code, message: found.message }] });
}

const joinPlace = (text: string, part: string | number): string =>
  typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`;

interface Odd {
  readonly place: (string | number)[];
  readonly code: DetailCode;
  readonly message: string;
}

function oddIn(value: unknown): Odd | null {
  if (typeof value === "string") return oddString(value);
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const odd = oddIn(value[index]);
      if (odd !== null) return { ...odd, place: [index, ...odd.place] };
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    const odd = oddString(name);
    if (odd !== null) return odd;
    const inside = oddIn((value as Record<string, unknown>)[name]);
    if (inside !== null) return { ...inside, place: [name, ...inside.place] };
  }
  return null;
}

// Surrogates are rare, and mostly in pairs; a body may hold a quarter of a million of strings, which are looked at with this alone.
const SUSPECT = /[\0\ud800-\udfff]/;

function oddString(text: string): Odd | null {
  if (!SUSPECT.test(text)) return null;
  if (text.includes("\0")) return { place: [], code: "invalid_format", message: "must not contain a NUL character" };
  if (!text.isWellFormed()) return { place: [], code: "invalid_format", message: "must not contain an unpaired surrogate" };
  return null;
}

import { type TObject, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import Format from "typebox/format";
import { Errors } from "typebox/value";
import { type Detail, type DetailCode, Problem } from "../shared/problems.ts";
import { isBase64 } from "./base64.ts";
import { cutterFor, firstItems, NAMED_ITEMS } from "./input-cuts.ts";
import { MAX_DETAILS } from "./problem.ts";
import { suggestionFor } from "./suggest.ts";
import { closed, type Prune, prunerFor, type UnknownField, UnknownFields } from "./unknown-fields.ts";

type Location = Detail["location"];

/** A valid value, and the names of unknown fields that were removed from it. */
export interface Checked {
  readonly value: unknown;
  readonly ignored: readonly string[];
}

/** `lenient`: unknown fields are removed instead of refused. */
export type Validate = (value: unknown, lenient?: boolean) => Checked;

// RFC 3339 allows leap seconds, but a Date cannot represent them.
Format.Set("date-time", (text) => Format.IsDateTime(text) && !Number.isNaN(Date.parse(text)));

Format.Set("base64", isBase64);

/**
 * A check that throws 422 with location, code and message of each mistake. The schema is compiled when the first value is checked, because
 * compiling all 200 would delay the start. A value is valid if it matches the schema with every object closed. Only for other values are the
 * mistakes worked out.
 */
export function validator(schema: TObject | undefined, location: Location): Validate {
  const known = schema ?? Type.Object({});
  const compile = () => ({ shape: Compile(closed(known)), cut: cutterFor(known), prune: prunerFor(known) });
  let compiled: ReturnType<typeof compile> | undefined;
  return (given, lenient = false) => {
    compiled ??= compile();
    const { shape, cut, prune } = compiled;
    refuseInvalidText(given, location);
    const value = cut(given);
    if (shape.Check(value)) return { value: given, ignored: [] };
    if (!lenient) throw refusal(known, prune, value, location);
    const found = new UnknownFields(MAX_IGNORED);
    const pruned = prune(value, found);
    if (!shape.Check(pruned)) throw refusal(known, KEEP_ALL, value, location);
    return { value: pruned, ignored: found.list.map(({ field }) => field) };
  };
}

/** Throws 422 for a body that is JSON but not an object. */
export function requireObject(given: unknown): object {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given;
  const message = "must be a JSON object";
  throw new Problem("invalid_request", "", { details: [{ location: "body", field: null, code: "invalid_type", message }] });
}

// The maximum number of names in the header X-Ignored-Fields.
const MAX_IGNORED = 20;

/** For lenient callers, whose unknown fields are not mistakes. */
const KEEP_ALL: Prune = (value) => value;

function refusal(schema: TObject, prune: Prune, value: unknown, location: Location): Problem {
  const named = firstItems(value);
  const found = new UnknownFields(MAX_DETAILS);
  prune(named, found);
  const unknown = found.list.map((field) => unknownDetail(field, location));
  const details = [...unknown, ...detailsOf(schema, Errors(schema, named), location)];
  return new Problem("invalid_request", location, { details: details.length === 0 ? [beyondNamedItems(location)] : details });
}

const unknownWhere: Partial<Record<Location, string>> = {
  query: "is not a parameter of this operation",
  form: "is not a part of this form",
};

export function unknownDetail({ place, field, name, known }: UnknownField, location: Location): Detail {
  const meant = suggestionFor(name, known);
  // Within a JSON part of a form, use the same words as for a body.
  const says = (place === "" ? unknownWhere[location] : undefined) ?? "is not a known field";
  return { location, field, code: "unknown_field", message: meant === null ? says : `${says}. Did you mean ${meant}?` };
}

/** For a mistake that comes after the items whose mistakes are named. */
const beyondNamedItems = (location: Location): Detail => ({
  location,
  field: null,
  code: "invalid_value",
  message: `is not valid after the first ${NAMED_ITEMS} items of a list`,
});

/** Query values are text. Where the schema wants an integer, digits become a number. Nothing else is converted. */
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

/** Refuses a repeated query parameter, because the caller could not know which of its values is used. */
function refuseRepeated(schema: TObject | undefined, query: Readonly<Record<string, unknown>>): void {
  const repeated = Object.keys(schema?.properties ?? {}).filter((name) => Array.isArray(query[name]));
  if (repeated.length === 0) return;
  const details = repeated.map(
    (field) => ({ location: "query", field, code: "invalid_type", message: "must be given only once" }) as const,
  );
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
    const messages = literal === null ? fieldsOf(error).map((field) => [field, sentenceFor(schema, error, errors)] as const) : [literal];
    for (const [field, message] of messages) {
      if (details.size >= MAX_DETAILS || details.has(field)) continue;
      details.set(field, { location, field, code, message });
    }
  }
  return [...details.values()];
}

/** If every branch of a union requires a different literal for the same member, names that member and its allowed values. */
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

/** If the member that tells the branches of a union apart is missing, names it and its allowed values. */
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
 * Reports a failed union as one error instead of one error per branch. If a literal (`mode`) or the type shows which branch was meant,
 * reports that branch's errors instead.
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

/** `/fields/0/placement` becomes `fields[0].placement`. */
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
      return `must be one of: ${error.params.allowedValues.filter((value) => value !== null).join(", ")}`;
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

/** If every branch requires a different type, lists the types. If the type fits one branch, says what that branch requires. */
function unionSentence(schema: TObject, union: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): string {
  const branches = `${union.schemaPath}/anyOf/`;
  const here = errors.filter((error) => error.schemaPath.startsWith(branches) && error.instancePath === union.instancePath);
  const types = here.flatMap((error) => (error.keyword === "type" ? [typeName(error.params.type)] : []));
  const [other, another] = here.filter((error) => error.keyword !== "type");
  if (other === undefined && types.length > 1) return `must be ${[...new Set(types)].join(" or ")}`;
  if (other === undefined || (another !== undefined && another.schemaPath !== other.schemaPath))
    return "must have one of the shapes in the API description";
  return sentenceFor(schema, other, errors);
}

/** The message that a schema has for its pattern or format. */
function messageAt(schema: TObject, schemaPath: string): string | undefined {
  return (schemaAt(schema, schemaPath) as { "x-message"?: string } | undefined)?.["x-message"];
}

function schemaAt(schema: TObject, schemaPath: string): unknown {
  let here: unknown = schema;
  for (const part of schemaPath.split("/").slice(1)) here = (here as Record<string, unknown> | undefined)?.[part];
  return here;
}

/**
 * Refuses NUL, which PostgreSQL cannot store as text, and unpaired surrogates, which are not characters. Runs over every value of a body,
 * so it allocates only for what it finds. The recursion is as deep as the body, whose nesting was limited before it was parsed.
 */
function refuseInvalidText(root: unknown, location: Location): void {
  const found = invalidTextIn(root);
  if (found === null) return;
  const field = found.place.length === 0 ? null : found.place.reduce<string>(joinPlace, "");
  throw new Problem("invalid_request", found.code, { details: [{ location, field, code: found.code, message: found.message }] });
}

const joinPlace = (text: string, part: string | number): string =>
  typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`;

interface InvalidText {
  readonly place: (string | number)[];
  readonly code: DetailCode;
  readonly message: string;
}

function invalidTextIn(value: unknown): InvalidText | null {
  if (typeof value === "string") return invalidString(value);
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = invalidTextIn(value[index]);
      if (found !== null) return { ...found, place: [index, ...found.place] };
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    const found = invalidString(name);
    if (found !== null) return found;
    const inside = invalidTextIn((value as Record<string, unknown>)[name]);
    if (inside !== null) return { ...inside, place: [name, ...inside.place] };
  }
  return null;
}

// A body can contain a quarter of a million strings. Both tests search natively, and a string of Latin characters is always well-formed.
function invalidString(text: string): InvalidText | null {
  if (text.includes("\0")) return { place: [], code: "invalid_format", message: "must not contain a NUL character" };
  if (!text.isWellFormed()) return { place: [], code: "invalid_format", message: "must not contain an unpaired surrogate" };
  return null;
}

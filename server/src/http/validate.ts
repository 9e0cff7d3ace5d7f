import { type TObject, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import Format from "typebox/format";
import { Errors } from "typebox/value";
import { type Detail, type DetailCode, Problem } from "../shared/problems.ts";
import { isBase64 } from "./base64.ts";
import { cutterFor, firstItems, NAMED_ITEMS } from "./cut-to-size.ts";
import { MAX_DETAILS } from "./problem.ts";

type Location = Detail["location"];
export type Validate = (value: unknown) => void;

// A leap second is a moment in RFC 3339, but none that a Date can hold.
Format.Set("date-time", (text) => Format.IsDateTime(text) && !Number.isNaN(Date.parse(text)));

Format.Set("base64", isBase64);

/** A check that throws 422 with the place, code and sentence of each mistake. Compiled for its first value: there are 200, and a start waits for none. */
export function validator(schema: TObject | undefined, location: Location): Validate {
  const known = schema ?? Type.Object({});
  const compile = () => ({ shape: Compile(known), cut: cutterFor(known) });
  let compiled: ReturnType<typeof compile> | undefined;
  return (given) => {
    compiled ??= compile();
    const { shape, cut } = compiled;
    refuseOddText(given, location);
    const value = cut(given);
    if (shape.Check(value)) return;
    const details = detailsOf(Errors(known, firstItems(value)), location);
    throw new Problem("invalid_request", location, { details: details.length === 0 ? [farOff(location)] : details });
  };
}

/** For a mistake that is not among the items that are looked at one by one. */
const farOff = (location: Location): Detail => ({
  location,
  field: null,
  code: "invalid_value",
  message: `has a mistake after the first ${NAMED_ITEMS} items of its lists`,
});

/** Query values are text; where the schema says integer, text that is one becomes a number. Nothing else is coerced. */
export function coerceQuery(schema: TObject | undefined, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...query };
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const value = result[name];
    if ((property as { type?: string }).type === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) {
      result[name] = Number(value);
    }
  }
  return result;
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

function detailsOf(errors: readonly TLocalizedValidationError[], location: Location): Detail[] {
  const details = new Map<string | null, Detail>();
  for (const error of withoutBranches(errors)) {
    const literal = error.keyword === "anyOf" ? literalOf(error, errors) : null;
    const told = literal === null ? fieldsOf(error).map((field) => [field, sentenceFor(error)] as const) : [literal];
    for (const [field, message] of told) {
      if (details.size >= MAX_DETAILS || details.has(field)) continue;
      details.set(field, { location, field, code: codeOfKeyword[error.keyword] ?? "invalid_value", message });
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

/**
 * Of a failed union only the union itself is told, not each of its branches; unless a literal that all but one of them refuse
 * (`mode`) says which one was meant: then that one's mistakes are told, and the union's is not.
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
  const refused = new Set(errors.filter(isLiteral).map(branchOf));
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

function sentenceFor(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case "required":
      return "is required";
    case "enum":
      return `must be one of: ${error.params.allowedValues.join(", ")}`;
    case "anyOf":
      return "has none of the allowed forms";
    case "pattern":
    case "format":
      return "does not have the right form";
    case "uniqueItems":
      return "must not repeat a value";
    case "minimum":
      return `must be at least ${error.params.limit}`;
    case "maximum":
      return `must be at most ${error.params.limit}`;
    case "minLength":
      return `must have at least ${error.params.limit} ${error.params.limit === 1 ? "character" : "characters"}`;
    case "maxLength":
      return `must have at most ${error.params.limit} characters`;
    default:
      return error.message;
  }
}

/**
 * NUL cannot be stored as text, and half of a surrogate pair is no character at all: both are refused before anything looks at
 * them. Runs over every value of a body, so it makes nothing but the place of what it finds. It calls itself as often as the body is
 * nested, which was limited before the body was parsed.
 */
function refuseOddText(root: unknown, location: Location): void {
  const found = findOdd(root);
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

function findOdd(value: unknown): Odd | null {
  if (typeof value === "string") return oddString(value);
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const odd = findOdd(value[index]);
      if (odd !== null) return { ...odd, place: [index, ...odd.place] };
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    const odd = oddString(name);
    if (odd !== null) return odd;
    const inside = findOdd((value as Record<string, unknown>)[name]);
    if (inside !== null) return { ...inside, place: [name, ...inside.place] };
  }
  return null;
}

// Surrogates are rare, and mostly in pairs; a body may hold a quarter of a million of strings, which are looked at with this alone.
const SUSPECT = /[\0\ud800-\udfff]/;

function oddString(text: string): Odd | null {
  if (!SUSPECT.test(text)) return null;
  if (text.includes("\0")) return { place: [], code: "invalid_format", message: "must not contain the character NUL" };
  if (!text.isWellFormed()) return { place: [], code: "invalid_format", message: "contains half of a surrogate pair" };
  return null;
}

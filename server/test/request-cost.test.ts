import { type TObject, type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { testInAll } from "../../testing/all.ts";
import { plainAddress } from "../src/http/address.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { parseIdempotencyKey } from "../src/http/idempotency.ts";
import { KEPT_ITEMS } from "../src/http/input-cuts.ts";
import { isNestedTooDeeply, Nesting } from "../src/http/json-nesting.ts";
import { credentialsOf, hostnameOf, signingSessionOf, visitorOf } from "../src/http/request.ts";
import { paramsOf } from "../src/http/serve.ts";
import { coerceQuery, validator } from "../src/http/validate.ts";
import { pageQuery } from "../src/http/wire-shapes.ts";
import { declaredEndpoints } from "../src/main.ts";
import { type Detail, Problem } from "../src/shared/problems.ts";
import { isTooExpensive } from "./thread-time.ts";

/**
 * No request can block the process. Measures the cost of validation for every string and list of every operation, with the most expensive
 * values. Generated from the list of endpoints, with the code that serves them.
 */

const MOST_MS = 20;
// A list has as many items as fit into a mebibyte, and each is checked once.
const MOST_OF_LIST_MS = 60;
const MEBIBYTE = 1_048_576;
/** the limit for all headers of a request, and so for its path and query */
const HEADER_BYTES = 16_384;

/** A place in a schema that accepts a string or a list. */
interface Place {
  readonly name: string;
  readonly schema: Shape;
  /** a whole value with the given one at this place */
  readonly put: (value: unknown) => unknown;
}

interface Shape {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
}

const takes = ({ type = [] }: Shape, wanted: string) => (typeof type === "string" ? type === wanted : type.includes(wanted));
const isText = ({ enum: values, const: literal, ...schema }: Shape) =>
  takes(schema, "string") || [...(values ?? []), literal].some((value) => typeof value === "string");

function placesOf(schema: Shape, name: string, put: Place["put"]): Place[] {
  const here = isText(schema) || takes(schema, "array") ? [{ name, schema, put }] : [];
  const properties = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
    // Include the literal that distinguishes the branches of a union, so that this branch is used.
    placesOf(inner, `${name}.${key}`, (value) => put({ ...literalsOf(schema), [key]: value })),
  );
  const items = schema.items === undefined ? [] : placesOf(schema.items, `${name}[]`, (value) => put([value]));
  const records = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].flatMap((inner) =>
    typeof inner === "object"
      ? [
          { name: `${name}{}`, schema: { type: "string" }, put: (value: unknown) => put({ [String(value)]: null }) },
          ...placesOf(inner, `${name}{}`, (value) => put({ key: value })),
        ]
      : [],
  );
  const branches = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((branch, n) => placesOf(branch, `${name}|${n}`, put));
  return [...here, ...properties, ...items, ...records, ...branches];
}

const literalsOf = ({ properties = {} }: Shape) =>
  Object.fromEntries(Object.entries(properties).flatMap(([key, inner]) => (inner.const === undefined ? [] : [[key, inner.const]])));

const declared = declaredEndpoints();

/** Each schema that an operation validates its input with, and the location of that input. */
const judged = declared.flatMap((endpoint): [string, "query" | "body" | "form", TObject][] => {
  const form = endpoint.form === null || endpoint.form === "arriving" ? [] : [[endpoint.name, "form", endpoint.form.parts] as const];
  const query = endpoint.list === null ? endpoint.query : pageQuery(endpoint.query);
  return [
    ...(query === undefined ? [] : [[endpoint.name, "query", query] as const]),
    ...(endpoint.body === undefined ? [] : [[endpoint.name, "body", endpoint.body] as const]),
    ...form,
  ].map(([name, location, schema]) => [name, location, schema]);
});

/** Long texts that almost match a pattern: each of its classes and literals, repeated, with an end that does not match. */
function nearMatches(pattern: string): string[] {
  const wanted = (pattern.match(/\[(?:\\.|[^\]\\])+\]|\\[pP]\{\w+\}|\\.|[\w@#]/g) ?? []).map((part) => new RegExp(part, "u"));
  const found = new Set(wanted.flatMap((one) => "a0 @/:-_.#(=+h\u00e9\u3000,".split("").find((character) => one.test(character)) ?? []));
  return parsed([...found].map((character) => `${character.repeat(40_000)}\u0001`));
}

/** As the parser returns them: flat strings, not ropes of concatenated parts. */
const parsed = (texts: readonly string[]): string[] => texts.map((text) => JSON.parse(JSON.stringify(text)));

const LONG = parsed([
  `${"a".repeat(40_000)}\u0001`,
  `${" ".repeat(40_000)}\u0001`,
  `${"\u3000".repeat(40_000)}\n`,
  "@".repeat(40_000),
  "a@".repeat(20_000),
  `${"a ".repeat(20_000)}\u007f`,
  "-_.,;:/".repeat(6_000),
  `http://a${"/a?b#c".repeat(6_000)} <`,
  "#abc".repeat(10_000),
  `rgb(${"0 ,".repeat(13_000)}`,
  `${"2026-01-01T00:00:00.".padEnd(40_000, "0")}Z`,
  "e\u0301".repeat(20_000),
  `e${"\u0301".repeat(40_000)}`,
  "\u{1f58b}".repeat(20_000),
  `${"\u{1f58b}".repeat(20_000)}\ud83d`,
  "0".repeat(40_000),
  "-".repeat(40_000),
]);
const LONGEST = parsed([`${"a".repeat(MEBIBYTE)}\u0001`, " ".repeat(MEBIBYTE), "\u0301".repeat(MEBIBYTE / 2)]);

/** Lists of a mebibyte of JSON. */
const LISTS: readonly unknown[][] = [
  Array(500_000).fill(0),
  Array(200_000).fill(null),
  Array.from({ length: 150_000 }, (_, n) => String(n)),
  Array(340_000).fill({}),
  Array(340_000).fill([]),
  Array(250_000).fill("a"),
];

/** Validation errors must be Problems. */
function judge(run: () => void): () => void {
  return () => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  };
}

const shown = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.slice(0, 3) : String(value).slice(0, 20)).slice(0, 60);

/** The values that cost more than `most_ms`, each with the place that it was given for. */
function tooExpensive(place: string, values: readonly unknown[], run: (value: unknown) => void, most_ms = MOST_MS): string[] {
  return values
    .filter((value) =>
      isTooExpensive(
        judge(() => run(value)),
        most_ms,
      ),
    )
    .map((value) => `${place}: ${shown(value)}`);
}

const all = judged.flatMap(([name, location, schema]) => {
  const check = validator(schema, location);
  return placesOf(schema as Shape, `${name} ${location}`, (value) => value).map((place) => ({
    ...place,
    location,
    schema: place.schema,
    check,
    whole: schema,
  }));
});
const texts = all.filter(({ schema }) => isText(schema));
const lists = all.filter(({ schema }) => takes(schema, "array"));

describe("a long value costs at most 20 ms of CPU time", () => {
  testInAll("as any string of any operation's query, body and form", () => {
    expect(texts.length).toBeGreaterThan(250);
    const expensive = texts.flatMap(({ name, schema, put, check, whole, location }) => {
      // Every long text is tried on each distinct schema below; here the rest of the body is around it.
      const values = [...LONG.slice(0, 3), ...(schema.pattern === undefined ? [] : nearMatches(schema.pattern))];
      return tooExpensive(name, location === "query" ? values : [...values, ...LONGEST], (value) => {
        check(location === "query" ? coerceQuery(whole, put(value) as Record<string, unknown>) : put(value));
      });
    });
    expect(expensive).toEqual([]);
  });

  testInAll("as the only string, so that nothing else in the body is refused first", () => {
    const distinct = new Map(texts.map(({ schema }) => [JSON.stringify(schema), schema]));
    const expensive = [...distinct].flatMap(([name, schema]) => {
      const check = validator(Type.Object({ text: schema as TSchema }), "body");
      return tooExpensive(name, [...LONG, ...LONGEST, ...(schema.pattern === undefined ? [] : nearMatches(schema.pattern))], (text) =>
        check({ text }),
      );
    });
    expect(expensive).toEqual([]);
  });

  testInAll("for every pattern, with a text of any length", () => {
    const patterns = new Set(texts.flatMap(({ schema: { pattern } }) => pattern ?? []));
    expect(patterns.size).toBeGreaterThan(10);
    const expensive = [...patterns].flatMap((pattern) => {
      const compiled = new RegExp(pattern, "u");
      return tooExpensive(pattern, [...LONG, ...LONGEST, ...nearMatches(pattern)], (text) => void compiled.test(text as string));
    });
    expect(expensive).toEqual([]);
  });

  test("as any path parameter", () => {
    const withParams = declared.filter(({ params }) => Object.keys(params).length > 0);
    const expensive = withParams.flatMap((endpoint: Endpoint) =>
      tooExpensive(endpoint.name, [...LONG, ...LONGEST], (value) => {
        const params = Object.fromEntries(Object.keys(endpoint.params).map((name) => [name, value]));
        paramsOf(endpoint, { params } as unknown as Parameters<typeof paramsOf>[1]);
      }),
    );
    expect(expensive).toEqual([]);
  });

  test("as any header that we read", () => {
    const values = [...LONG, ...["Bearer ", "Bearer a", ";", "=", "a=b;", '"', ",", "W/", ":1", "[", "1.1.1.1:", "eyJ", "::ffff:1."]].map(
      (text) => text.repeat(HEADER_BYTES / text.length + 1).slice(0, HEADER_BYTES),
    );
    const request = (headers: Record<string, string>) =>
      ({ headers, ip: "127.0.0.1", socket: { remoteAddress: "127.0.0.1" }, id: "req" }) as unknown as Parameters<typeof visitorOf>[0];
    const readers: Record<string, (text: string) => unknown> = {
      authorization: (text) => credentialsOf(request({ authorization: text, "x-api-key": text })),
      cookie: (text) => visitorOf(request({ cookie: text, "user-agent": text, origin: text })),
      "x-signing-session": (text) => signingSessionOf(request({ "x-signing-session": text })),
      "idempotency-key": parseIdempotencyKey,
      host: hostnameOf,
      "x-forwarded-for": (text) => plainAddress(text, "127.0.0.1"),
    };
    const expensive = Object.entries(readers).flatMap(([name, read]) => tooExpensive(name, values, (value) => void read(value as string)));
    expect(expensive).toEqual([]);
  });

  test("as nested JSON, before it is parsed", () => {
    const texts = ["[", '{"a":', '[{"a":', '"[', '"\\', "[]", '{"":{}},', "[".repeat(32) + "]".repeat(32)];
    const long = texts.map((text) => text.repeat(Math.ceil(MEBIBYTE / text.length)));
    expect(tooExpensive("JSON", long, (text) => void isNestedTooDeeply(text as string))).toEqual([]);
  });
});

describe("a mebibyte of unknown fields costs at most 60 ms of CPU time", () => {
  // As many as an object can have, with long names that fill the space.
  const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`${n}${"e".repeat(500)}`, n]));
  const items = Array.from({ length: 90_000 }, () => ({ nmae: 0 }));

  test.each([
    ["and they are refused", false],
    ["and they are ignored", true],
  ])("in any object or list of any operation's body and form, %s", (_name, lenient) => {
    const bodies = judged.filter(([, location]) => location !== "query");
    const wholes = bodies.flatMap(([name, location, schema]) => {
      const check = validator(schema, location);
      return tooExpensive(name, [wide], (value) => check(value, lenient), MOST_OF_LIST_MS);
    });
    const inLists = lists.flatMap(({ name, put, check }) =>
      tooExpensive(name, [items], (value) => check(put(value), lenient), MOST_OF_LIST_MS),
    );
    const expensive = [...wholes, ...inLists];
    expect(expensive).toEqual([]);
  });
});

describe("a list of a mebibyte costs at most 60 ms of CPU time", () => {
  testInAll("as any list of any operation's body and form", () => {
    expect(lists.length).toBeGreaterThan(25);
    const expensive = lists.flatMap(({ name, put, check }) => tooExpensive(name, LISTS, (value) => check(put(value)), MOST_OF_LIST_MS));
    expect(expensive).toEqual([]);
  });

  test("as nested lists with valid items and one mistake", () => {
    const check = lists.find(({ name }) => name.startsWith("save_signing_fields body"))?.check ?? expect.fail("no strokes");
    const strokes = Array.from({ length: 4_000 }, () => Array.from({ length: 40 }, () => [0, 0]));
    const body = { adopt: { signature: { kind: "drawn", w: "wide", h: 1, strokes } } };
    expect(tooExpensive("strokes", [body], check, MOST_OF_LIST_MS)).toEqual([]);
    expect(detailsOf(() => check(body))).toEqual([
      { location: "body", field: "adopt.signature.w", code: "invalid_type", message: "must be a number" },
    ]);
    // A mistake beyond the named items is refused without its location.
    const late = { adopt: { signature: { kind: "drawn", w: 1, h: 1, strokes: [...strokes.slice(1), [[0]]] } } };
    expect(detailsOf(() => check(late))).toEqual([
      { location: "body", field: null, code: "invalid_value", message: "is not valid after the first 5001 items of a list" },
    ]);
  });
});

test("the check can fail: it finds a pattern that scans the text again from each character", () => {
  const again = /a+b/;
  expect(tooExpensive("text", ["a".repeat(10_000)], (text) => void again.test(text as string))).toEqual(['text: "aaaaaaaaaaaaaaaaaaaa"']);
});

describe("a value that is far too long is refused like one that is slightly too long", () => {
  test("for every string with a maximum length", () => {
    const limited = texts.filter(({ schema }) => schema.maxLength !== undefined);
    expect(limited.length).toBeGreaterThan(150);
    for (const { name, schema, put, check } of limited) {
      const { maxLength = 0 } = schema;
      const [little, much] = [maxLength + 1, 3 * maxLength + 7].map((length) => detailsOf(() => check(put("a".repeat(length)))));
      expect(little?.length, name).toBeGreaterThan(0);
      expect(much, name).toEqual(little);
    }
  });

  test("and no list requires more items than are always kept", () => {
    expect(lists.filter(({ schema: { minItems = 0 } }) => minItems > KEPT_ITEMS)).toEqual([]);
  });
});

function detailsOf(run: () => void): readonly Detail[] {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error.details ?? [];
    throw error;
  }
  return [];
}

test("JSON is too deep with more than 32 nested brackets, not counting those in strings", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect([32, 33].map((levels) => isNestedTooDeeply(nested(levels)))).toEqual([false, true]);
  expect(isNestedTooDeeply(`{"a":${nested(31)},"b":${nested(31)}}`)).toBe(false);
  expect(isNestedTooDeeply(`{"a":${nested(32)}}`)).toBe(true);
  expect(isNestedTooDeeply(JSON.stringify(["[".repeat(100), `\\"${"{".repeat(100)}`, '"']))).toBe(false);
  expect(isNestedTooDeeply(`"\\\\"${"[".repeat(33)}`)).toBe(true);
  // No matter how it is split into pieces.
  const pieces = (text: string) => Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
  const inPieces = (text: string) => {
    const nesting = new Nesting();
    return pieces(text).some((piece) => nesting.exceeds(piece));
  };
  expect([`["\\"${"[".repeat(40)}"]`, `["\\\\"${"[".repeat(40)}`].map(inPieces)).toEqual([false, true]);
});

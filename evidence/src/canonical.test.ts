import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { canonicalize, NotCanonical, parseCanonical } from "./canonical.ts";

const refusal = (act: () => unknown): NotCanonical => {
  try {
    act();
  } catch (error) {
    if (error instanceof NotCanonical) return error;
    throw error;
  }
  throw new Error("nothing was refused");
};

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe("the canonical text", () => {
  test("escapes like the example in RFC 8785, 3.2.2", () => {
    const value = JSON.parse(String.raw`{"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`);
    expect(canonicalize(value)).toBe(String.raw`{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}`);
  });

  test("sorts keys by UTF-16 code units like RFC 8785, 3.2.3: the emoji comes before the Hebrew letter", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(canonicalize(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  test("escapes control characters, in the short form if there is one, and no others", () => {
    expect(canonicalize("\0\b\t\n\v\f\r\u001f")).toBe(String.raw`"\u0000\b\t\n\u000b\f\r\u001f"`);
    expect(canonicalize("\u007f\u2028</é")).toBe('"\u007f\u2028</é"');
  });

  test("sorts integer-like keys as text", () => {
    expect(canonicalize({ 10: 0, 9: 0, "": 0, "-1": 0 })).toBe('{"":0,"-1":0,"10":0,"9":0}');
  });

  test("writes integers up to ±(2^53−1) in full, and minus zero as 0", () => {
    expect(canonicalize([9007199254740991, -9007199254740991, -0, 0])).toBe("[9007199254740991,-9007199254740991,0,0]");
  });

  test("keeps a key named __proto__", () => {
    expect(canonicalize(parseCanonical('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  test("accepts objects without a prototype", () => {
    expect(canonicalize(Object.assign(Object.create(null), { a: [] }))).toBe('{"a":[]}');
  });
});

describe("a value without a canonical form", () => {
  class Money {
    readonly cents = 1;
  }
  const holed = [1, 2];
  delete holed[0];
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;

  test.each<[string, unknown]>([
    ["a fraction", 0.5],
    ["an integer of 2^53", 2 ** 53],
    ["a large exponent", 1e21],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["undefined", undefined],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a Date", new Date(0)],
    ["a Map", new Map()],
    ["bytes", new Uint8Array(1)],
    ["a boxed string", Object("a")],
    ["a class instance", new Money()],
    ["a subclass of Array", new (class extends Array {})()],
    ["an array with a hole", holed],
    ["an array with a named property", Object.assign([1], { note: 1 })],
    ["a symbol key", { [Symbol("a")]: 1 }],
    ["a hidden key", Object.defineProperty({}, "a", { value: 1, enumerable: false })],
    ["a lone high surrogate", "a\ud800"],
    ["a lone low surrogate", "\udc00a"],
    ["surrogates in the wrong order", "\udc00\ud800"],
    ["a key with a lone surrogate", { "\ud800": 1 }],
    ["a cycle", cycle],
    ["65 levels", nested(65)],
  ])("%s is rejected", (_name, value) => {
    expect(() => canonicalize(value)).toThrow(NotCanonical);
    expect(() => canonicalize({ a: [value] })).toThrow(NotCanonical);
  });

  test("64 levels of nesting are accepted", () => {
    expect(canonicalize(nested(64))).toBe(`${"[".repeat(64)}1${"]".repeat(64)}`);
  });

  test("the error gives the place as a JSON Pointer and quotes no value", () => {
    const { path, message } = refusal(() => canonicalize({ signers: [{}, { "a/b~c": 12345.5 }] }));
    expect(path).toBe("/signers/1/a~1b~0c");
    expect(message).toBe("/signers/1/a~1b~0c: not an integer within ±(2^53−1)");
    expect(refusal(() => canonicalize(0.5)).path).toBe("");
  });
});

describe("parsing", () => {
  test.each<[string, string]>([
    ["nothing", ""],
    ["half a value", '{"a":'],
    ["a second value", "1 2"],
    ["leading white space", " 1"],
    ["trailing line feed", "1\n"],
    ["white space inside", '{"a": 1}'],
    ["a byte order mark", "\ufeff1"],
    ["unsorted keys", '{"b":1,"a":1}'],
    ["a duplicate key", '{"a":1,"a":1}'],
    ["__proto__ twice", '{"__proto__":1,"__proto__":1}'],
    ["an unnecessary escape", String.raw`"\u0041"`],
    ["an escaped slash", String.raw`"\/"`],
    ["an upper-case escape", String.raw`"\u001F"`],
    ["a long escape instead of a short one", String.raw`"\u000a"`],
    ["an escaped lone surrogate", String.raw`"\ud800"`],
    ["a bare lone surrogate", '"\ud800"'],
    ["minus zero", "-0"],
    ["an integer with a fraction", "1.0"],
    ["an exponent", "1e2"],
    ["a fraction", "0.5"],
    ["an integer that rounds to another", "9007199254740993"],
    ["65 levels", `${"[".repeat(65)}${"]".repeat(65)}`],
    ["a hundred thousand levels", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ])("%s is rejected", (_name, text) => {
    expect(() => parseCanonical(text)).toThrow(NotCanonical);
  });

  test("the error never quotes the text", () => {
    const error = refusal(() => parseCanonical("ann@example.com"));
    expect([error.message, error.cause]).toEqual(["not JSON", undefined]);
  });
});

describe("for any JSON of strings, integers, booleans, null, arrays and objects", () => {
  const text = fc.string({ unit: "binary" });
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof({ depthSize: "small" }, text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null), tie("list"), tie("record")),
    list: fc.array(tie("json")),
    record: fc.dictionary(text, tie("json"), { noNullPrototype: true }),
  }));
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => [key, shuffled(member)]);
    return Object.fromEntries(members.reverse());
  };

  test("parsing the canonical text gives the value back", () => {
    fc.assert(fc.property(json, (value) => void expect(parseCanonical(canonicalize(value))).toEqual(value)));
  });

  test("the order in which keys were added does not matter", () => {
    fc.assert(fc.property(json, (value) => void expect(canonicalize(shuffled(value))).toBe(canonicalize(value))));
  });

  test("an extra space anywhere is rejected or gives another value", () => {
    fc.assert(
      fc.property(json, fc.nat(), (value, at) => {
        const written = canonicalize(value);
        const cut = at % (written.length + 1);
        const spaced = `${written.slice(0, cut)} ${written.slice(cut)}`;
        try {
          expect(parseCanonical(spaced)).not.toEqual(value);
        } catch (error) {
          expect(error).toBeInstanceOf(NotCanonical);
        }
      }),
    );
  });
});

import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { parseTag, tagTypes } from "./tag-grammar.ts";

const says = (inner: string) => parseTag(inner).mistakes.map(({ code, attribute, says }) => `${code} ${attribute}: ${says}`);

describe("a tag", () => {
  test("with only a name is an optional text field", () => {
    expect(parseTag(" Full   name ")).toEqual({
      tag: {
        name: "Full name",
        type: "text",
        type_stated: false,
        role: null,
        required: false,
        readonly: false,
        default: null,
        options: [],
        width_pt: null,
        height_pt: null,
      },
      mistakes: [],
    });
  });

  test("can have every attribute", () => {
    const { tag, mistakes } = parseTag(
      "Size;type=select;role=Buyer 1;required=true;width=120;height=20.5px;options=S, M ,L;default=M;readonly=false;",
    );
    expect(mistakes).toEqual([]);
    expect(tag).toEqual({
      name: "Size",
      type: "select",
      type_stated: true,
      role: "Buyer 1",
      required: true,
      readonly: false,
      default: "M",
      options: ["S", "M", "L"],
      width_pt: 120,
      height_pt: 20.5,
    });
  });

  test.each([
    ["a, b ,c", ["a", "b", "c"]],
    ["a|b, c", ["a|b", "c"]],
    ["a | b|c", ["a", "b", "c"]],
    ["one", ["one"]],
  ])("splits options=%s at commas, or at bars if there is no comma", (options, expected) => {
    const { tag, mistakes } = parseTag(`a;type=radio;options=${options}`);
    expect([tag.options, mistakes]).toEqual([expected, []]);
  });

  test.each(tagTypes)("named %s has that type", (type) => {
    expect(parseTag(type.toUpperCase()).tag.type).toBe(type);
    expect(parseTag(`my ${type}`).tag.type).toBe("text");
  });

  test("for a signature or initials is required by default", () => {
    const inners = ["a;type=signature", "a;type=initials", "a;type=date", "a;type=signature;required=false"];
    expect(inners.map((inner) => parseTag(inner).tag.required)).toEqual([true, true, false, false]);
  });

  test("may contain kerning gaps or be wrapped in the middle of a word", () => {
    const { tag, mistakes } = parseTag("Sig; ty pe = sig nature ; heig ht = 3 0 px; requ ired=fa lse; role = The  Buyer");
    expect(mistakes).toEqual([]);
    expect(tag).toMatchObject({ type: "signature", height_pt: 30, required: false, role: "The Buyer" });
  });

  test("splits an attribute at its first equals sign", () => {
    expect(parseTag("f;default=a=b").tag.default).toBe("a=b");
  });

  test("needs no name, and the name may come last", () => {
    expect(parseTag("type=checkbox").tag.name).toBeNull();
    expect(parseTag("type=checkbox;Agree").tag.name).toBe("Agree");
  });
});

describe("errors in a tag", () => {
  test.each([
    [
      "Sig;typ=signature",
      'unknown_field typ: unknown attribute "typ"; known: type, role, required, width, height, default, readonly, options',
    ],
    ["a;type=sign", `invalid_value type: unknown type "sign"; known: ${tagTypes.join(", ")}`],
    ["a;role=x;role=y", 'duplicate role: attribute "role" is given twice'],
    ["a;b", 'invalid_value null: "b" is neither the name nor an attribute'],
    ["a;required=yes", 'invalid_value required: required must be "true" or "false"'],
    ["a;width=0", "invalid_value width: width must be a number of pixels above 0"],
    ["a;height=-3", "invalid_value height: height must be a number of pixels above 0"],
    ["a;width=1e3", "invalid_value width: width must be a number of pixels above 0"],
    ["a;type=signature;readonly=true", "invalid_value readonly: a field of type signature cannot be read-only"],
    ["a;type=initials;default=x", "invalid_value default: a field of type initials has no default"],
    ["a;type=number;default=1,5", 'invalid_value default: "1,5" is not a number'],
    ["a;type=date;default=2026-02-30", 'invalid_value default: "2026-02-30" is not a date like 2026-01-31'],
    ["a;type=checkbox;default=on", 'invalid_value default: the default of a checkbox must be "true" or "false"'],
    ["a;type=radio", "invalid_value options: a field of type radio needs options=a,b,c"],
    ["a;type=select;options=a,,b", "invalid_value options: options must be 1 to 100 texts separated by commas"],
    ["a;type=select;options=a,a", "invalid_value options: options must not be repeated"],
    ["a;type=select;options=a,b;default=c", 'invalid_value default: "c" is not one of the options'],
    ["a;type=select;options=a||b", "invalid_value options: options must be 1 to 100 texts separated by commas"],
    ["a;options=x", "invalid_value options: a field of type text has no options"],
    ["a;role=", "invalid_value role: the role must have 1 to 100 characters"],
    [`${"n".repeat(101)}`, "invalid_value null: the name has more than 100 characters"],
  ])("%s", (inner, expected) => {
    expect(says(inner)).toEqual([expected]);
  });

  test("are reported all at once", () => {
    expect(says("a;typ=x;width=no;required=maybe")).toHaveLength(3);
  });
});

test("white space between the letters of a keyword never matters", () => {
  fc.assert(
    fc.property(fc.constantFrom(...tagTypes), fc.array(fc.nat(9), { maxLength: 4 }), (type, places) => {
      const spaced = places.reduce((word, at) => `${word.slice(0, at)} ${word.slice(at)}`, type as string);
      expect(parseTag(`a;type=${spaced};options=x`).tag.type).toBe(type);
    }),
  );
});

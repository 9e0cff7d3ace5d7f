import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { clientKey, customerFields, faultOf, tidy } from "./customer.ts";

describe("a client key", () => {
  test("of a client key is the same key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(clientKey(clientKey(text))).toBe(clientKey(text));
      }),
    );
  });

  test.each([
    ["C-1", "c-1 "],
    ["ΟΔΟΣ", "οδοσ"],
    ["ΟΔΟΣ", "οδος"],
    ["ЖУК", "жук"],
    ["𐐀", "𐐨"],
  ])("is the same for %s and %s", (one, other) => {
    expect(clientKey(one)).toBe(clientKey(other));
  });

  test.each([
    ["i", "İ"],
    ["i", "ı"],
    ["ss", "ß"],
    ["a b", "ab"],
  ])("is different for %s and %s", (one, other) => {
    expect(clientKey(one)).not.toBe(clientKey(other));
  });
});

describe("a value", () => {
  test("that is already trimmed does not change, and a valid one is valid after trimming", () => {
    fc.assert(
      fc.property(fc.constantFrom(...customerFields), fc.string({ unit: "grapheme", maxLength: 300 }), (field, text) => {
        const once = tidy({ [field]: text });
        expect(tidy(once)).toEqual(once);
        if (faultOf(field, text) === null) expect(faultOf(field, once[field] ?? "")).toBeNull();
      }),
    );
  });

  test("is measured in characters, not in bytes", () => {
    expect(faultOf("name", "𐐀".repeat(200))).toBeNull();
    expect(faultOf("name", "𐐀".repeat(201))).toEqual({ code: "too_long", message: "must have at most 200 characters" });
  });

  test.each(["https://example.com", "HTTP://example.com:8080/a?b=c#d", "https://münchen.example/ü"])("%s is a website", (text) => {
    expect(faultOf("website_url", text)).toBeNull();
  });

  test.each(["example.com", "https://", "ftp://example.com", "https:///x", "https://a b", 'https://a"onclick', "javascript:https://x"])(
    "%s is not a website",
    (text) => {
      expect(faultOf("website_url", text)?.code).toBe("invalid_format");
    },
  );
});

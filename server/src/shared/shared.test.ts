import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { idPattern, isId, newId } from "./ids.ts";
import { decrypt, deriveKeys, encrypt, equalInConstantTime, newToken } from "./secrets.ts";

describe("ids", () => {
  test("are the prefix and 26 characters, and match only their own pattern", () => {
    const id = newId("envelope");
    expect(id).toMatch(new RegExp(idPattern("envelope")));
    expect([isId("envelope", id), isId("customer", id), isId("envelope", `${id}0`), isId("envelope", id.toUpperCase())]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("sort by time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 45 }), fc.integer({ min: 1, max: 2 ** 20 }), (at, later) => {
        expect(newId("event", at) < newId("event", at + later)).toBe(true);
      }),
    );
  });

  test("20,000 created at the same moment are all different", () => {
    expect(new Set(Array.from({ length: 20_000 }, () => newId("event", 1))).size).toBe(20_000);
  });
});

describe("secrets", () => {
  const keys = deriveKeys("x".repeat(32));

  test("encrypted text can be decrypted only with the same key and context", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
        fc.string(),
        (text, context) => {
          const sealed = encrypt(keys.mail, text, context);
          expect(decrypt(keys.mail, sealed, context)).toBe(text);
          expect(() => decrypt(keys.session, sealed, context)).toThrow();
          expect(() => decrypt(keys.mail, sealed, `${context}x`)).toThrow();
        },
      ),
      { numRuns: 50 },
    );
  });

  test("any flipped bit is detected", () => {
    const sealed = encrypt(keys.mail, "text", "row 1");
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decrypt(keys.mail, changed, "row 1")).toThrow();
    }
  });

  test("each purpose has its own key", () => {
    expect(new Set(Object.values(keys).map((key) => key.toString("hex"))).size).toBe(Object.keys(keys).length);
  });

  test("tokens have 256 bits and compare by value", () => {
    const token = newToken();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect([equalInConstantTime(token, token), equalInConstantTime(token, newToken())]).toEqual([true, false]);
  });
});

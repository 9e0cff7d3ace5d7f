import { createCipheriv } from "node:crypto";
import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { idPattern, isId, newId } from "./ids.ts";
import { decrypt, deriveKeys, encrypt, equalInConstantTime, keyNamed, macsOf, newToken, parseSecrets, versionOf } from "./secrets.ts";

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
  const keys = deriveKeys([{ version: 1, secret: "x".repeat(32) }]);

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

  const [one, two] = [
    { version: 1, secret: "x".repeat(32) },
    { version: 700, secret: "y".repeat(32) },
  ] as const;
  const later = deriveKeys([two, one]);

  test("a value names the version that it is encrypted under, and is read wherever that version is given", () => {
    const [before, after] = [encrypt(keys.mail, "text", "row"), encrypt(later.mail, "text", "row")];
    expect([versionOf(before), versionOf(after)]).toEqual([1, 700]);
    expect([decrypt(later.mail, before, "row"), decrypt(later.mail, after, "row")]).toEqual(["text", "text"]);
    expect(() => decrypt(keys.mail, after, "row")).toThrow("encrypted under another APP_SECRET");
    expect(() => decrypt(deriveKeys([two]).mail, before, "row")).toThrow("encrypted under another APP_SECRET");
    for (const length of [0, 3, 6, 20, before.length - 1]) expect(() => decrypt(keys.mail, before.subarray(0, length), "row")).toThrow();
  });

  test("a value from before versions is read, even if its nonce looks like a header", () => {
    const headless = encrypt(keys.mail, "text", "row").subarray(6);
    expect([versionOf(headless), decrypt(keys.mail, headless, "row"), decrypt(later.mail, headless, "row")]).toEqual([0, "text", "text"]);
    const nonce = Buffer.concat([Buffer.from("CSE1"), Buffer.from([0, 1]), Buffer.alloc(6)]);
    const cipher = createCipheriv("aes-256-gcm", keys.mail[0].key, nonce).setAAD(Buffer.from("row"));
    const unlucky = Buffer.concat([nonce, cipher.update("text"), cipher.final(), cipher.getAuthTag()]);
    expect([versionOf(unlucky), decrypt(later.mail, unlucky, "row")]).toEqual([1, "text"]);
  });

  test("an HMAC is made under every version, the one in use first; a token names its version, and one without a name has the lowest", () => {
    expect(macsOf(later.codes, "a", "b")).toEqual([...macsOf(deriveKeys([two]).codes, "ab"), ...macsOf(keys.codes, "ab")]);
    expect(keyNamed(later.session, "1")).toEqual(keys.session[0].key);
    expect(keyNamed(later.session, undefined)).toEqual(keys.session[0].key);
    expect([keyNamed(later.session, "2"), keyNamed(later.session, 1), keyNamed(later.session, "01")]).toEqual([null, null, null]);
  });

  test("versions are read from one line or several, and a secret can contain commas and colons", () => {
    expect(parseSecrets("2:b, and 1 more: x,1:a")).toEqual([
      { version: 2, secret: "b, and 1 more: x" },
      { version: 1, secret: "a" },
    ]);
    expect(parseSecrets("12:b\n1:a\n")).toEqual([
      { version: 12, secret: "b" },
      { version: 1, secret: "a" },
    ]);
    for (const text of ["", "a", "1:", "0:a", "65536:a", "1:a,1:b", "x1:a", "2:b,1:", ":a"]) expect(parseSecrets(text), text).toBeNull();
  });

  test("each purpose has its own key", () => {
    expect(new Set(Object.values(keys).map(([{ key }]) => key.toString("hex"))).size).toBe(Object.keys(keys).length);
  });

  test("tokens have 256 bits and compare by value", () => {
    const token = newToken();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect([equalInConstantTime(token, token), equalInConstantTime(token, newToken())]).toEqual([true, false]);
  });
});

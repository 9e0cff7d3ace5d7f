import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { envelopeMessage, type HostMessage, isListed, readHello } from "./host.ts";

const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";

describe("an origin", () => {
  const origins = ["https://app.example.com", "https://shop.example.com:8443", "http://localhost:*", "http://127.0.0.1:*"];

  test.each([
    "https://app.example.com",
    "https://shop.example.com:8443",
    "http://localhost",
    "http://localhost:5173",
    "http://127.0.0.1:65535",
  ])("%s is listed", (origin) => expect(isListed(origin, origins)).toBe(true));

  test.each([
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.example.net",
    "https://shop.example.com",
    "https://localhost:5173",
    "http://localhost.example.net",
    "http://localhost:5173.example.net",
    "http://localhost:",
    "http://localhost:*",
    "http://other.localhost:5173",
    "http://127.0.0.10:80",
    "null",
    "*",
    "",
  ])("%j is not", (origin) => expect(isListed(origin, origins)).toBe(false));

  test("is never in an empty list", () => {
    fc.assert(fc.property(fc.string(), (origin) => !isListed(origin, [])));
  });

  test("matches a pattern for any port exactly when scheme and host are equal", () => {
    const host = fc.constantFrom("localhost", "127.0.0.1", "other.localhost", "localhost.example.net");
    const scheme = fc.constantFrom("http", "https");
    fc.assert(
      fc.property(scheme, host, fc.integer({ min: 1, max: 65_535 }), (given, name, port) => {
        expect(isListed(new URL(`${given}://${name}:${port}`).origin, ["http://localhost:*"])).toBe(
          given === "http" && name === "localhost",
        );
      }),
    );
  });
});

describe("hello", () => {
  const hello = { source: "countersign", v: 1, type: "hello", envelope_id };

  test("only the language, the host's choices and the theme are read", () => {
    expect(readHello({ ...hello, locale: "de", token: "x" })).toEqual({ locale: "de" });
    const chosen = { hide: ["header"], methods: ["draw", "type"], theme: { accent: "#036" }, prefill: { Name: "Ann", Pet: true } };
    expect(readHello({ ...hello, ...chosen })).toEqual(chosen);
    expect(readHello({ ...hello, hide: "header", methods: [7], theme: null, prefill: { Rent: 7 } })).toEqual({});
    expect(readHello(hello)).toEqual({});
    expect(readHello({ ...hello, locale: 7 })).toEqual({});
  });

  test.each([
    null,
    undefined,
    "hello",
    1,
    [],
    {},
    { ...hello, source: "other" },
    { ...hello, v: 2 },
    { ...hello, v: "1" },
    { ...hello, type: "ready" },
  ])("%j is not a hello", (data) => expect(readHello(data)).toBeNull());
});

describe("a message", () => {
  const head = { source: "countersign", v: 1, envelope_id };
  const messages: HostMessage[] = [
    { type: "ready" },
    { type: "progress", done: 0, total: 7 },
    { type: "expiring", expires_at: "2026-01-15T09:15:00.000Z" },
    { type: "token-needed" },
    { type: "height", height: 731 },
    { type: "completed", envelope_status: "viewed", signed_at: "2026-01-15T09:10:00.000Z" },
    { type: "completed", envelope_status: "completed", signed_at: "2026-01-15T09:10:00.000Z", again: true },
    { type: "declined" },
    { type: "expired", what: "token" },
    { type: "problem", code: "locked" },
  ];

  test.each(messages)("$type has its fields", (message) => {
    expect(envelopeMessage(envelope_id, message)).toEqual({ ...head, ...message });
  });

  test.each(messages)("$type drops any other field of the object", (message) => {
    const carried = { ...message, token: "eyJ", name: "Ann", email: "ann@example.com", title: "Lease", value: "x", v: 2, source: "other" };
    expect(envelopeMessage(envelope_id, carried)).toEqual({ ...head, ...message });
  });
});

import { describe, expect, test } from "vitest";
import { hello, readMessage } from "./messages.ts";

const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const head = { source: "countersign", v: 1, envelope_id };
const signed_at = "2026-01-15T09:10:00.000Z";

describe("a message of the page", () => {
  test.each([
    ["ready", {}, null],
    ["progress", { done: 0, total: 7 }, { done: 0, total: 7 }],
    ["expiring", { expires_at: signed_at }, { expires_at: signed_at }],
    ["token-needed", {}, null],
    ["height", { height: 731 }, { height: 731 }],
    ["completed", { envelope_status: "viewed", signed_at }, { envelope_id, envelope_status: "viewed", signed_at }],
    [
      "completed",
      { envelope_status: "vaulted", signed_at, again: true },
      { envelope_id, envelope_status: "vaulted", signed_at, again: true },
    ],
    ["declined", {}, null],
    ["expired", { what: "envelope" }, { what: "envelope" }],
    ["problem", { code: "locked" }, { code: "locked" }],
  ])("%s %j is read", (type, fields, detail) => {
    expect(readMessage({ ...head, type, ...fields }, envelope_id)).toEqual({ type, detail });
    expect(readMessage({ ...head, type, ...fields, email: "ann@example.com" }, envelope_id)).toEqual({ type, detail });
  });

  test.each([
    ["not an object", "ready"],
    ["null", null],
    ["undefined", undefined],
    ["of another sender", { ...head, type: "ready", source: "other" }],
    ["of another version", { ...head, type: "ready", v: 2 }],
    ["about another envelope", { ...head, type: "ready", envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp42" }],
    ["of an unknown type", { ...head, type: "scroll", height: 900 }],
    ["of a type that is a property of every object", { ...head, type: "toString" }],
    ["without a type", head],
    ["without its numbers", { ...head, type: "progress", done: "1", total: 7 }],
    ["without its time", { ...head, type: "expiring" }],
    ["without its status", { ...head, type: "completed", signed_at }],
    ["with an unknown kind of expiry", { ...head, type: "expired", what: "patience" }],
    ["without its code", { ...head, type: "problem", code: { sentence: "x" } }],
  ])("that is %s is ignored", (_what, data) => {
    expect(readMessage(data, envelope_id)).toBeNull();
  });
});

test.each([undefined, null, "900", [900], 0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("the height %j is ignored", (height) => {
  expect(readMessage({ ...head, type: "height", height }, envelope_id)).toBeNull();
});

test("hello names the envelope, and the language when there is one", () => {
  const plain = { hide: [], methods: [], prefill: {} };
  expect(hello(envelope_id, "de", plain)).toEqual({ ...head, type: "hello", locale: "de" });
  for (const none of [null, ""]) expect(hello(envelope_id, none, plain)).toEqual({ ...head, type: "hello" });
});

test("hello has the host's choices, and a theme that replaces the one of the address", () => {
  const options = { hide: ["header"], methods: ["type"], prefill: { Name: "Ann", Pet: true } };
  expect(hello(envelope_id, null, options, { accent: "#036" })).toEqual({ ...head, type: "hello", ...options, theme: { accent: "#036" } });
});

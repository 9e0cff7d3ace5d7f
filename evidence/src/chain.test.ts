import { describe, expect, test } from "vitest";
import { NotCanonical } from "./canonical.ts";
import { commitmentOf, genesis, hashOf, nextEntry } from "./chain.ts";
import type { Act, Entry, Head } from "./entry.ts";
import { firstFault } from "./verify-chain.ts";

const org_id = "org_01jz8m4q2v7xk3n5t9w6y0abcd";
const subject = "env_01jz8m5r3w8yk4p6v0x7z1bcde";
const user = "usr_01jz8m6s4x9zk5q7w1y8a2cdef";
const saltFrom = (first: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, i) => first + i);

const acts: readonly [Act, Act, Act] = [
  {
    org_id,
    subject,
    type: "envelope.created",
    at: "2026-01-02T03:04:05.678Z",
    actor: { kind: "user", id: user },
    data: { title: 'Vertrag für "Zoë" 😀\n', signers: 2 },
    salt: saltFrom(0x00),
  },
  {
    org_id,
    subject,
    type: "consent.accepted",
    at: "2026-01-02T03:04:05.678Z",
    actor: { kind: "signer", id: "s-Qx7_b2" },
    data: { email: "ann@example.com", ip: "192.0.2.7", user_agent: null },
    salt: saltFrom(0x20),
  },
  {
    org_id,
    subject,
    type: "data.erased",
    at: "2026-01-03T00:00:00.000Z",
    actor: { kind: "system", id: "system" },
    data: { seqs: [2], reason: "request", by: user },
    salt: saltFrom(0x40),
  },
];

// Computed from the formulas by a program in another language, never by the code under test. Changing these numbers breaks every existing
// chain; a new format needs new versions in the domain strings and in `v` instead.
const pinned = [
  {
    commitment: "254d3f8d62684ffd8626932af984b7d09f9a754f7a3047b3b2ba129f57a8e9ab",
    prev: "de0e3cd3b30a89cab08861d5b14c76f12eb084bad61787151a0b26268a90d9cf",
    hash: "fd34ff9db42d66820f385b52e1931bd37a7eaf6c96e5fad2e0bc998ad20b005e",
  },
  {
    commitment: "31c9626dd1d4e4184b0f760f3f0d2a17ce2b3cbbf8eb147e91a6fe17aa18fe2e",
    prev: "fd34ff9db42d66820f385b52e1931bd37a7eaf6c96e5fad2e0bc998ad20b005e",
    hash: "7b168f591f9a9b0ab8292e49d6d409eaa064ef61b34092f43bd399efe792f536",
  },
  {
    commitment: "5832bc84c71d6da4d0daff14323609ae1284be612875f550a2c7827116a32848",
    prev: "7b168f591f9a9b0ab8292e49d6d409eaa064ef61b34092f43bd399efe792f536",
    hash: "7ad36231ca1e23e85a8ca413ec995b90fc7e3c846d659e804d419a20b2c6cc99",
  },
];

describe("the pinned chain", () => {
  test("nextEntry writes it field by field", () => {
    let head: Head | null = null;
    for (const [index, act] of acts.entries()) {
      const { type, at, actor, data, salt } = act;
      const appended = nextEntry(head, act);
      const entry = { v: 1, org_id, subject, seq: index + 1, type, at, actor, ...pinned[index] };
      expect(appended).toEqual({
        entry,
        data: { salt: Buffer.from(salt).toString("hex"), data },
        head: { seq: index + 1, hash: pinned[index]?.hash, at },
      });
      head = appended.head;
    }
  });

  test("genesis, commitment and hash can be recomputed", () => {
    expect(genesis(org_id, subject)).toBe(pinned[0]?.prev);
    expect(acts.map(({ salt, data }) => commitmentOf(salt, data))).toEqual(pinned.map(({ commitment }) => commitment));
    const [{ type, at, actor }] = acts;
    expect(hashOf({ v: 1, org_id, subject, seq: 1, type, at, actor, ...pinned[0] } as Entry)).toBe(pinned[0]?.hash);
  });

  test("it verifies from the pinned numbers alone, with the second entry's data erased", () => {
    const links = acts.map(({ type, at, actor, salt, data }, index) => ({
      entry: { v: 1, org_id, subject, seq: index + 1, type, at, actor, ...pinned[index] } as Entry,
      data: index === 1 ? null : { salt: Buffer.from(salt).toString("hex"), data },
    }));
    const head = { seq: 3, hash: pinned[2]?.hash ?? "", at: acts[2].at };
    expect(firstFault(links, { org_id, subject, head })).toBeNull();
  });
});

describe("the next entry", () => {
  const [act] = acts;
  const { head } = nextEntry(null, act);

  test("has the clock's time if it is later than the head's", () => {
    expect(nextEntry(head, { ...act, at: "2026-01-02T03:04:05.679Z" }).entry.at).toBe("2026-01-02T03:04:05.679Z");
  });

  test("has the head's time if the clock was set back", () => {
    const { entry, head: next } = nextEntry(head, { ...act, at: "2025-12-31T23:59:59.999Z" });
    expect([entry.at, next.at]).toEqual([head.at, head.at]);
  });

  test("follows its head by number and hash", () => {
    expect(nextEntry(head, act).entry).toMatchObject({ seq: 2, prev: head.hash });
  });

  test("accepts a whole database row as head", () => {
    expect(nextEntry({ ...head, subject } as Head, act)).toEqual(nextEntry(head, act));
  });

  test.each<[string, object]>([
    ["a time without milliseconds", { at: "2026-01-02T03:04:05Z" }],
    ["a time in another zone", { at: "2026-01-02T03:04:05.678+00:00" }],
    ["an invalid time earlier than the head's", { at: "" }],
    ["30 February", { at: "2026-02-30T00:00:00.000Z" }],
    ["24 o'clock", { at: "2026-01-02T24:00:00.000Z" }],
    ["a thirteenth month", { at: "2026-13-01T00:00:00.000Z" }],
    ["a type of one word", { type: "created" }],
    ["a type in upper case", { type: "Envelope.created" }],
    ["an e-mail address as actor", { actor: { kind: "signer", id: "ann@example.com" } }],
    ["a name as actor", { actor: { kind: "signer", id: "Ann Smith" } }],
    ["an actor with more than kind and ID", { actor: { kind: "user", id: user, ip: "192.0.2.7" } }],
    ["an org with a line feed", { org_id: "org\nenv" }],
    ["an empty subject", { subject: "" }],
    ["a salt of 31 bytes", { salt: new Uint8Array(31) }],
    ["a salt in hex", { salt: "00".repeat(16) }],
    ["no data", { data: undefined }],
    ["an unknown field", { ip: "192.0.2.7" }],
  ])("%s is rejected", (_name, change) => {
    expect(() => nextEntry(head, { ...act, ...change })).toThrow(RangeError);
  });

  test.each<[string, object]>([
    ["a time as the database prints it", { at: "2026-01-02 03:04:05.678+00" }],
    ["a number as text", { seq: "1" }],
    ["a hash in upper case", { hash: head.hash.toUpperCase() }],
  ])("a head with %s is rejected", (_name, change) => {
    expect(() => nextEntry({ ...head, ...change }, act)).toThrow(RangeError);
  });

  test("data without a canonical form is rejected", () => {
    expect(() => nextEntry(head, { ...act, data: { price: 0.5 } })).toThrow(NotCanonical);
  });

  test("a commitment needs exactly 32 bytes of salt", () => {
    for (const length of [0, 31, 33]) expect(() => commitmentOf(new Uint8Array(length), null)).toThrow(RangeError);
  });

  test("the same data with another salt has another commitment", () => {
    expect(commitmentOf(saltFrom(0), "ann@example.com")).not.toBe(commitmentOf(saltFrom(1), "ann@example.com"));
  });
});

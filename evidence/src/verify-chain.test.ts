import { describe, expect, test } from "vitest";
import { ALL, testInAll } from "../../testing/all.ts";
import fc from "../../testing/properties.ts";
import { canonicalize, type Json, NotCanonical, parseCanonical } from "./canonical.ts";
import { genesis, hashOf, nextEntry } from "./chain.ts";
import type { Act, Entry, EntryData, Head } from "./entry.ts";
import { type Fault, firstFault, type Link } from "./verify-chain.ts";

const org_id = "org_a";
const subject = "env_a";
const actor = { kind: "user", id: "usr_a" };
const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();

const act = (seq: number, change: Partial<Act> = {}): Act => ({
  org_id,
  subject,
  type: "envelope.noted",
  at: at(seq),
  actor,
  data: { note: `entry ${seq}` },
  salt: new Uint8Array(32).fill(seq),
  ...change,
});

function chainOf(acts: readonly Act[]): Link[] {
  let head: Head | null = null;
  return acts.map((next) => {
    const appended = nextEntry(head, next);
    head = appended.head;
    return { entry: appended.entry, data: appended.data };
  });
}

const fiveLinks = (): Link[] => chainOf([1, 2, 3, 4, 5].map((seq) => act(seq)));
const linkAt = (links: readonly Link[], seq: number): Link => links[seq - 1] as Link;
const headOf = (links: readonly Link[]): Head => {
  const { seq, hash, at } = linkAt(links, links.length).entry;
  return { seq, hash, at };
};

const withEntry = (links: readonly Link[], seq: number, change: object): Link[] =>
  links.map((link, i) => (i === seq - 1 ? { ...link, entry: { ...link.entry, ...change } } : link));
const withData = (links: readonly Link[], seq: number, data: unknown): Link[] =>
  links.map((link, i) => (i === seq - 1 ? { ...link, data: data as EntryData } : link));
const rehashed = (entry: Entry): Entry => ({ ...entry, hash: hashOf(entry) });

/** What a forger can do with write access to every row, but not to the head that someone else has seen. */
function rewritten(links: readonly Link[], seq: number, change: Partial<Entry>): Link[] {
  let prev = genesis(org_id, subject);
  return links.map(({ entry, data }, i) => {
    const forged = rehashed({ ...entry, ...(i === seq - 1 ? change : {}), prev });
    prev = forged.hash;
    return { entry: forged, data };
  });
}

const brief = (fault: Fault | null) => fault && [fault.kind, fault.seq];

describe("a sound chain", () => {
  test("has no fault, with or without its head", () => {
    const links = fiveLinks();
    expect(firstFault(links)).toBeNull();
    expect(firstFault(links, { org_id, subject, head: headOf(links) })).toBeNull();
  });

  test("may have equal times", () => {
    expect(firstFault(chainOf([act(1), act(2, { at: at(1) }), act(3, { at: at(1) })]))).toBeNull();
  });

  test("may be empty if no head is recorded", () => {
    expect(firstFault([], { org_id, subject })).toBeNull();
  });
});

describe("an entry of another chain", () => {
  test("is found by its organization", () => {
    const foreign = chainOf([1, 2, 3].map((seq) => act(seq, { org_id: "org_b" })));
    expect(firstFault(foreign, { org_id })).toEqual({ kind: "wrong_org", seq: 1, expected: "org_a", found: "org_b" });
    expect(firstFault([...fiveLinks().slice(0, 2), linkAt(foreign, 3)])).toMatchObject({ kind: "wrong_org", seq: 3 });
  });

  test("is found by its subject", () => {
    const foreign = chainOf([1, 2, 3].map((seq) => act(seq, { subject: "env_b" })));
    expect(firstFault(foreign, { subject })).toEqual({ kind: "wrong_subject", seq: 1, expected: "env_a", found: "env_b" });
    expect(firstFault([...fiveLinks().slice(0, 2), linkAt(foreign, 3)])).toMatchObject({ kind: "wrong_subject", seq: 3 });
  });
});

describe("the order of the entries", () => {
  test("a removed entry is missing", () => {
    const links = fiveLinks();
    expect(firstFault(links.toSpliced(2, 1))).toEqual({ kind: "missing_entry", seq: 3, expected: 3, found: 4 });
    expect(firstFault(links.slice(1))).toEqual({ kind: "missing_entry", seq: 1, expected: 1, found: 2 });
  });

  test("two swapped entries are reordered", () => {
    const links = fiveLinks();
    const swapped = [linkAt(links, 1), linkAt(links, 3), linkAt(links, 2), linkAt(links, 4), linkAt(links, 5)];
    expect(firstFault(swapped)).toEqual({ kind: "reordered_entry", seq: 2, expected: 2, found: 3 });
    expect(brief(firstFault(links.toReversed()))).toEqual(["reordered_entry", 1]);
  });

  test("a repeated entry is duplicated", () => {
    const links = fiveLinks();
    expect(firstFault(links.toSpliced(2, 0, linkAt(links, 2)))).toEqual({ kind: "duplicated_entry", seq: 3, expected: 3, found: 2 });
    expect(firstFault([...links, linkAt(links, 5)])).toEqual({ kind: "duplicated_entry", seq: 6, expected: 6, found: 5 });
  });

  test("a removed entry is missing even if the rest is renumbered and rehashed", () => {
    const links = fiveLinks().toSpliced(2, 1);
    const renumbered = links.map(({ entry, data }, i) => ({ entry: rehashed({ ...entry, seq: i + 1 }), data }));
    expect(brief(firstFault(renumbered))).toEqual(["wrong_prev", 3]);
  });
});

describe("an altered entry", () => {
  const other = "0".repeat(64);

  test.each<[string, Partial<Entry>]>([
    ["type", { type: "envelope.voided" }],
    ["at", { at: at(3).replace(".000Z", ".001Z") }],
    ["actor.kind", { actor: { ...actor, kind: "key" } }],
    ["actor.id", { actor: { ...actor, id: "usr_b" } }],
    ["commitment", { commitment: other }],
    ["hash", { hash: other }],
  ])("with another %s has the wrong hash", (_field, change) => {
    expect(brief(firstFault(withEntry(fiveLinks(), 3, change)))).toEqual(["wrong_hash", 3]);
  });

  test("shows the found and the expected hash", () => {
    const links = withEntry(fiveLinks(), 3, { type: "envelope.voided" });
    const { entry } = linkAt(links, 3);
    expect(firstFault(links)).toEqual({ kind: "wrong_hash", seq: 3, expected: hashOf(entry), found: entry.hash });
  });

  test("with another prev does not follow the entry before it", () => {
    const links = fiveLinks();
    const follows = linkAt(links, 2).entry.hash;
    const starts = genesis(org_id, subject);
    expect(firstFault(withEntry(links, 3, { prev: other }))).toEqual({ kind: "wrong_prev", seq: 3, expected: follows, found: other });
    expect(firstFault(withEntry(links, 1, { prev: other }))).toEqual({ kind: "wrong_prev", seq: 1, expected: starts, found: other });
  });

  test("that was rehashed is revealed by the next entry", () => {
    const links = fiveLinks();
    const forged = rehashed({ ...linkAt(links, 3).entry, type: "envelope.voided" });
    expect(brief(firstFault(withEntry(links, 3, forged)))).toEqual(["wrong_prev", 4]);
  });

  test("is revealed by the head if all later entries were rehashed too", () => {
    const links = fiveLinks();
    const forged = rewritten(links, 3, { type: "envelope.voided" });
    expect(firstFault(forged)).toBeNull();
    const found = headOf(forged).hash;
    expect(firstFault(forged, { head: headOf(links) })).toEqual({ kind: "head_mismatch", seq: 5, expected: headOf(links).hash, found });
  });

  test("cannot go back in time, even if it is correctly hashed", () => {
    const forged = rewritten(fiveLinks(), 3, { at: at(1) });
    expect(firstFault(forged)).toEqual({ kind: "time_backwards", seq: 3, expected: at(2), found: at(1) });
  });

  test.each<[string, object]>([
    ["a time without milliseconds", { at: "2026-01-02T03:04:03Z" }],
    ["a time with a zone", { at: "2026-01-02T03:04:03.000+00:00" }],
    ["a day that does not exist", { at: "2026-02-30T00:00:00.000Z" }],
    ["a hash in upper case", { hash: "A".repeat(64) }],
    ["a short prev", { prev: "0".repeat(63) }],
    ["a commitment that is not hex", { commitment: "g".repeat(64) }],
    ["a type of one word", { type: "noted" }],
    ["a type that is not text", { type: 7 }],
    ["a number as text", { seq: "3" }],
    ["number 0", { seq: 0 }],
    ["a fraction as number", { seq: 2.5 }],
    ["another version", { v: 2 }],
    ["an e-mail address as actor", { actor: { kind: "signer", id: "ann@example.com" } }],
    ["no actor", { actor: null }],
    ["an additional field in the actor", { actor: { ...actor, name: "Ann" } }],
    ["an additional field", { note: "unsigned" }],
    ["an org that is not an ID", { org_id: "" }],
    ["a subject that is not text", { subject: null }],
  ])("with %s is malformed", (_name, change) => {
    expect(brief(firstFault(withEntry(fiveLinks(), 3, change)))).toEqual(["malformed", 3]);
  });

  test("that is malformed shows the found and the expected value", () => {
    const expected = "at: a UTC time like 2026-01-02T03:04:05.678Z";
    expect(firstFault(withEntry(fiveLinks(), 3, { at: "noon" }))).toEqual({ kind: "malformed", seq: 3, expected, found: "noon" });
  });

  test.each<[string, unknown]>([
    ["nothing", null],
    ["text", "entry"],
    ["an object without an entry", {}],
    ["an entry that is null", { entry: null, data: null }],
    ["an entry that is a list", { entry: [], data: null }],
  ])("%s in place of a link is malformed", (_name, junk) => {
    expect(brief(firstFault(fiveLinks().toSpliced(2, 1, junk as Link)))).toEqual(["malformed", 3]);
  });
});

describe("an entry's data", () => {
  const { salt } = linkAt(fiveLinks(), 3).data as EntryData;

  test("that was altered does not match the commitment", () => {
    const links = fiveLinks();
    const fault = firstFault(withData(links, 3, { salt, data: { note: "entry 4" } }));
    expect(fault).toMatchObject({ kind: "data_altered", seq: 3, expected: linkAt(links, 3).entry.commitment });
    expect(fault?.found).toMatch(/^[0-9a-f]{64}$/);
  });

  test("with another salt does not match the commitment", () => {
    const links = withData(fiveLinks(), 3, { salt: "0".repeat(64), data: { note: "entry 3" } });
    expect(brief(firstFault(links))).toEqual(["data_altered", 3]);
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["text", "entry 3"],
    ["without a salt", { data: { note: "entry 3" } }],
    ["with a salt in upper case", { salt: "A".repeat(64), data: {} }],
    ["with half a salt", { salt: salt.slice(32), data: {} }],
    ["with only a salt", { salt }],
    ["with an additional field", { salt, data: { note: "entry 3" }, note: 1 }],
    ["that has no canonical form", { salt, data: { note: 0.5 } }],
  ])("%s is malformed", (_name, data) => {
    expect(brief(firstFault(withData(fiveLinks(), 3, data)))).toEqual(["malformed", 3]);
  });
});

describe("erased data", () => {
  const erasing = (seq: number, data: Json): Act => act(seq, { type: "data.erased", data });
  const erasedChain = (data: Json): Link[] => withData(chainOf([act(1), act(2), act(3), erasing(4, data), act(5)]), 2, null);
  const erasure = { seqs: [2], reason: "request", by: "usr_a" };

  test("is no fault if a later entry names it", () => {
    expect(firstFault(erasedChain(erasure))).toBeNull();
  });

  test("is no fault if it was erased together with other data, or by the second of two erasures", () => {
    const links = chainOf([act(1), act(2), erasing(3, { seqs: [1] }), erasing(4, { seqs: [1, 2] })]);
    expect(firstFault(withData(withData(links, 1, null), 2, null))).toBeNull();
  });

  test("without an erasure is missing", () => {
    const links = fiveLinks();
    const { commitment } = linkAt(links, 2).entry;
    expect(firstFault(withData(links, 2, null))).toEqual({ kind: "data_missing", seq: 2, expected: commitment, found: null });
  });

  test.each<[string, Json]>([
    ["names another entry", { seqs: [1, 3] }],
    ["names nothing", { seqs: [] }],
    ["has no list", { reason: "request" }],
    ["has a list that is text", { seqs: "2" }],
    ["has a number for a list", { seqs: 2 }],
    ["names it as text", { seqs: ["2"] }],
    ["is not an object", null],
  ])("is missing if the erasing entry %s", (_name, data) => {
    expect(brief(firstFault(erasedChain(data)))).toEqual(["data_missing", 2]);
  });

  test("is missing if only an earlier entry names it", () => {
    const links = chainOf([act(1), erasing(2, { seqs: [3] }), act(3)]);
    expect(brief(firstFault(withData(links, 3, null)))).toEqual(["data_missing", 3]);
  });

  test("is missing if an entry of another type names it", () => {
    const links = chainOf([act(1), act(2), act(3, { data: { seqs: [2] } })]);
    expect(brief(firstFault(withData(links, 2, null)))).toEqual(["data_missing", 2]);
  });

  test("is missing if the erasing entry's list was altered to name it", () => {
    const links = erasedChain({ seqs: [1] });
    const { salt } = linkAt(links, 4).data as EntryData;
    expect(brief(firstFault(withData(links, 4, { salt, data: { seqs: [2] } })))).toEqual(["data_missing", 2]);
  });

  test("is missing if the erasing entry's own data is gone", () => {
    expect(brief(firstFault(withData(erasedChain(erasure), 4, null)))).toEqual(["data_missing", 2]);
  });

  test("cannot be the data of an erasing entry, even if a later entry names it", () => {
    const links = chainOf([act(1), erasing(2, { seqs: [1] }), erasing(3, { seqs: [1, 2] })]);
    expect(brief(firstFault(withData(links, 2, null)))).toEqual(["data_missing", 2]);
    const itself = chainOf([act(1), erasing(2, { seqs: [1, 2] })]);
    expect(brief(firstFault(withData(itself, 2, null)))).toEqual(["data_missing", 2]);
  });

  test("leaves its entry protected", () => {
    expect(brief(firstFault(withEntry(erasedChain(erasure), 2, { at: at(3) })))).toEqual(["wrong_hash", 2]);
  });
});

describe("the head", () => {
  test("reveals a truncated chain", () => {
    const links = fiveLinks();
    expect(firstFault(links.slice(0, 3), { head: headOf(links) })).toEqual({ kind: "head_mismatch", seq: 4, expected: 5, found: 3 });
  });

  test("reveals added entries", () => {
    const links = fiveLinks();
    expect(firstFault(links, { head: headOf(links.slice(0, 3)) })).toEqual({ kind: "head_mismatch", seq: 4, expected: 3, found: 5 });
  });

  test("reveals an altered time", () => {
    const links = fiveLinks();
    const head = { ...headOf(links), at: at(6) };
    expect(firstFault(links, { head })).toEqual({ kind: "head_mismatch", seq: 5, expected: at(6), found: at(5) });
  });

  test("reveals an emptied chain", () => {
    const head = headOf(fiveLinks());
    expect(firstFault([], { head })).toEqual({ kind: "empty_chain", seq: 1, expected: head.hash, found: null });
  });
});

test("the first of several faults is reported", () => {
  const links = withData(withEntry(fiveLinks(), 4, { type: "envelope.voided" }), 2, null);
  expect(brief(firstFault(links, { head: { seq: 9, hash: "0".repeat(64), at: at(9) } }))).toEqual(["data_missing", 2]);
});

describe("for any chain that nextEntry writes", () => {
  const id = fc.stringMatching(/^[a-z]{2,3}_[0-9a-z]{1,26}$/);
  const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
  const data = fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)), {
    noNullPrototype: true,
  });
  const time = fc
    .date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
    .map((date) => date.toISOString());
  const anyAct = fc.record({
    type: fc.tuple(word, word).map((words) => words.join(".")),
    at: time,
    actor: fc.record({ kind: word, id }, { noNullPrototype: true }),
    data,
    salt: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  });
  const anyChain = fc
    .tuple(id, id, fc.array(anyAct, { minLength: 1, maxLength: 6 }))
    .map(([org_id, subject, acts]) => chainOf(acts.map((one) => ({ ...one, org_id, subject }))));

  /** Reads one line of a file: rejected, parsed but faulty, or unharmed. */
  function verdict(lines: readonly Uint8Array[]): "refused" | Fault | null {
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return firstFault(lines.map((line) => parseCanonical(decoder.decode(line)) as unknown as Link));
    } catch (error) {
      if (error instanceof NotCanonical || (error instanceof TypeError && "code" in error)) return "refused"; // the decoder's TypeError has a code
      throw error;
    }
  }
  const linesOf = (links: readonly Link[]) => links.map((link) => new TextEncoder().encode(canonicalize(link)));

  test("there is no fault, whatever the clock did", () => {
    fc.assert(
      fc.property(anyChain, (links) => {
        const { entry } = linkAt(links, 1);
        expect(firstFault(links, { org_id: entry.org_id, subject: entry.subject, head: headOf(links) })).toBeNull();
        expect(verdict(linesOf(links))).toBeNull();
      }),
    );
  });

  test("a flipped bit in any line is detected", () => {
    fc.assert(
      fc.property(anyChain, fc.nat(), fc.nat(), fc.nat({ max: 7 }), (links, pick, place, bit) => {
        const lines = linesOf(links);
        const line = lines[pick % lines.length] as Uint8Array;
        const index = place % line.length;
        line[index] = (line[index] as number) ^ (1 << bit);
        expect(verdict(lines)).not.toBeNull();
      }),
      { numRuns: ALL ? 1000 : 200 },
    );
  });

  test("a field taken from another chain is detected", () => {
    const fields = fc.constantFrom<keyof Entry>("org_id", "subject", "seq", "type", "at", "actor", "commitment", "prev", "hash");
    fc.assert(
      fc.property(anyChain, anyChain, fields, fc.nat(), (links, others, field, pick) => {
        const seq = (pick % links.length) + 1;
        const value = linkAt(others, (pick % others.length) + 1).entry[field];
        fc.pre(canonicalize(value) !== canonicalize(linkAt(links, seq).entry[field]));
        expect(firstFault(withEntry(links, seq, { [field]: value }))).not.toBeNull();
      }),
    );
  });

  test("a truncated chain is detected by the head", () => {
    fc.assert(
      fc.property(anyChain, fc.nat(), (links, pick) => {
        const cut = links.slice(0, pick % links.length);
        expect(firstFault(cut, { head: headOf(links) })).not.toBeNull();
      }),
    );
  });

  testInAll("every flipped bit of a whole file is detected", () => {
    const links = chainOf([act(1), act(2), act(3, { type: "data.erased", data: { seqs: [1] } })]);
    const lines = linesOf(withData(links, 1, null));
    expect(verdict(lines)).toBeNull();
    const undetected: string[] = [];
    for (const [number, line] of lines.entries()) {
      for (let i = 0; i < line.length * 8; i++) {
        const flipped = line.slice();
        flipped[i >> 3] = (line[i >> 3] as number) ^ (1 << (i & 7));
        if (verdict(lines.toSpliced(number, 1, flipped)) === null) undetected.push(`line ${number + 1}, bit ${i}`);
      }
    }
    expect(undetected).toEqual([]);
  });
});

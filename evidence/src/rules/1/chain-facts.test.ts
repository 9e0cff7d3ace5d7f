import { describe, expect, test } from "vitest";
import { appended, envelope_id, makeRecord, org_id } from "../../../fixtures/record.ts";
import { canonicalize } from "../../canonical.ts";
import type { Facts } from "../../facts.ts";
import type { Link } from "../../verify-chain.ts";
import { chainFacts } from "./chain-facts.ts";
import { firstContradiction } from "./facts-against-chain.ts";

const expected = { org_id, subject: envelope_id };
const sources = ["signed_here", "electronic_signed", "paper_upload"] as const;
const erasing = (seqs: readonly number[]) => ({
  type: "data.erased",
  actor: { kind: "system", id: "system" },
  data: { seqs, reason: "asked for", by: "usr_sam" },
});

describe("what a chain says", () => {
  test("is kept of the entries that a check looks at, and of their data only what is listed", () => {
    const { links } = makeRecord({ source: "paper_upload" });
    const noted = appended(links, { type: "envelope.noted", actor: { kind: "user", id: "usr_sam" }, data: { note: "hello" } });
    const { milestones, head, fault } = chainFacts(noted, expected);
    expect(fault).toBeNull();
    expect(head).toMatchObject({ seq: 9, hash: noted[8]?.entry.hash });
    expect(milestones.map(({ type }) => type)).not.toContain("envelope.noted");
    expect(milestones[6]).toEqual({
      seq: 7,
      type: "custody.assigned",
      at: links[6]?.entry.at,
      actor: { kind: "system", id: "system" },
      said: { permission_id: "cp_1", user_id: "usr_sam" },
    });
  });

  test("is kept of a broken chain too, with the place where it breaks", () => {
    const { links } = makeRecord({ source: "paper_upload" });
    const broken = links.map((link) =>
      link.entry.seq === 3 ? { ...link, entry: { ...link.entry, at: "2026-03-05T03:02:00.001Z" } } : link,
    );
    expect(chainFacts(broken, expected)).toMatchObject({ fault: { kind: "wrong_hash", seq: 3 }, milestones: { length: 8 } });
    expect(chainFacts([{ entry: null, data: null } as unknown as Link], expected)).toMatchObject({
      fault: { kind: "malformed", seq: 1 },
      head: null,
      milestones: [],
    });
    expect(chainFacts([], expected)).toEqual({ head: null, fault: null, milestones: [] });
  });
});

describe("facts against the chain", () => {
  test.each(sources)("there is no contradiction in an honest record, also when the chain went on: %s", (source) => {
    const { facts, links } = makeRecord({ source });
    expect(firstContradiction(facts, links)).toBeNull();
    const later = appended(links, { type: "copy.issued", actor: { kind: "user", id: "usr_sam" }, data: { copy_id: "ci_a" } });
    expect(firstContradiction(facts, later)).toBeNull();
    expect(firstContradiction(JSON.parse(canonicalize(facts)) as Facts, later)).toBeNull();
  });

  test("a copy that went out after the storing and is not in the facts is missed", () => {
    const issued = {
      type: "copy.issued",
      actor: { kind: "user", id: "usr_sam" },
      data: { copy_id: "ci_a", kind: "copy", sha256: "", pages: 2, marked_pages: 0 },
    };
    const { facts, links } = makeRecord({ source: "paper_upload", acts: (acts) => [...acts, issued] });
    expect(firstContradiction(facts, links)).toEqual({ what: "an issued copy", seq: 9 });
    const copy = { copy_id: "ci_a", kind: "copy", issued_at: links[8]?.entry.at ?? "", pages: 2, marked_pages: 0 };
    expect(firstContradiction({ ...facts, copies: [copy] }, links)).toBeNull();
    expect(firstContradiction({ ...facts, copies: [{ ...copy, marked_pages: 2 }] }, links)).toEqual({ what: "an issued copy", seq: 9 });
  });

  test("what was erased since cannot contradict, but that it was there, when and by whom still can", () => {
    const { facts, links } = makeRecord({ source: "signed_here" });
    const consented = links.find(({ entry }) => entry.type === "consent.accepted")?.entry.seq ?? 0;
    const erased = appended(links, erasing([consented])).map((link) => (link.entry.seq === consented ? { ...link, data: null } : link));
    expect(firstContradiction(facts, erased)).toBeNull();
    const milestones = facts.chain.milestones.map((each) =>
      each.seq === consented ? { ...each, actor: { kind: "signer", id: "slug-sam" } } : each,
    );
    expect(firstContradiction({ ...facts, chain: { ...facts.chain, milestones } }, erased)).toEqual({
      what: `what entry ${consented} says`,
      seq: consented,
    });
  });

  test("an entry that the chain does not have, and a chain that is shorter than claimed, are named", () => {
    const { facts, links } = makeRecord({ source: "paper_upload" });
    expect(firstContradiction(facts, links.slice(0, -1))).toEqual({ what: "the head of the chain", seq: 8 });
    const [first] = facts.chain.milestones;
    const more = {
      ...facts.chain,
      milestones: [...facts.chain.milestones, { ...(first as (typeof facts.chain.milestones)[number]), seq: 9 }],
    };
    expect(firstContradiction({ ...facts, chain: more }, links)).toEqual({ what: "an entry that is not in the chain", seq: 9 });
  });
});

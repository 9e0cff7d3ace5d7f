import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Draft } from "../../../fixtures/changes.ts";
import { decidedAt, makeInstallation, needOf } from "../../../fixtures/installation.ts";
import { envelope_id, minute, org_id, type Told } from "../../../fixtures/record.ts";
import { makeRecord2 } from "../../../fixtures/record-2.ts";
import { type BatchItem, type BatchPlace, batchTree, isInBatch } from "../../act-batch.ts";
import type { ApprovalFacts, Facts2 } from "../../facts-2.ts";
import { hashOfJson } from "../1/chain-facts.ts";
import { evaluate } from "./evaluate.ts";
import { firstContradiction } from "./facts-against-chain.ts";
import { namesParty } from "./names-party.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const spki = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const hash = (bytes: string | Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** The signature of a passkey over an act, as a browser at sign.example.com makes it. */
function passkeyOver(act_sha256: string): ApprovalFacts["proof"] {
  const challenge = Buffer.from(act_sha256, "hex").toString("base64url");
  const client = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin: "https://sign.example.com", crossOrigin: false }));
  const authenticator = Buffer.concat([hash("sign.example.com"), Buffer.from([0x05, 0, 0, 0, 0])]);
  const signature = sign(null, Buffer.concat([authenticator, hash(client)]), privateKey).toString("base64");
  return {
    credential_id: "AAAA",
    spki,
    algorithm: "EdDSA",
    authenticator_data: authenticator.toString("base64"),
    client_data: client.toString("base64"),
    signature,
    rp_id: "sign.example.com",
    origin: "https://sign.example.com",
  };
}

const party_id = "pty_bank";
const documentOf = (kind: string, copy_sha256: string, more: object = {}) => ({
  type: "countersign/act/1",
  act_id: `act_${kind}`,
  kind,
  org_id,
  envelope_id,
  copy_sha256,
  party: { party_id, name: "First Example Bank, N.A.", identifier: null },
  user: null,
  ...more,
});

interface Given {
  readonly kind?: string;
  readonly approval?: Partial<ApprovalFacts>;
  readonly document?: object;
  /** the proof is over the act with this kind instead */
  readonly signs?: string;
  /** for an act on many records */
  readonly batch?: BatchPlace;
  readonly change?: (facts: Draft<Facts2>) => void;
}

/** A record whose secured party confirmed one act. */
function recordWith({ kind = "designate", approval = {}, document: more = {}, signs, batch, change }: Given) {
  const plain = makeRecord2({ source: "signed_here" });
  const copy_sha256 = plain.facts.copy?.sha256 ?? "";
  const document = documentOf(kind, copy_sha256, more);
  const sha256 = hashOfJson(document);
  const signed = signs === undefined ? sha256 : hashOfJson(documentOf(signs, copy_sha256));
  const given: ApprovalFacts = {
    role: kind === "designate" ? "party" : "controller",
    party_id,
    email: "ann@bank.example",
    method: "passkey",
    is_member: false,
    proof: passkeyOver(signed),
    ...approval,
  };
  const { proof, ...said } = given;
  const { act_id } = document;
  const told: Told[] = [
    { type: "act.confirmed", data: { act_id, kind, sha256, ...said, proof_sha256: proof === null ? null : hashOfJson(proof) } },
    { type: "act.effective", data: { act_id, kind, sha256, version: 2, ...(batch !== undefined && { index: batch.index }) } },
  ] as unknown as Told[];
  const at = minute(70);
  const acts = (before: readonly Told[]): Told[] => [...before, ...told.map((one) => ({ ...before.at(-1), ...one, at }) as Told)];
  return makeRecord2({ source: "signed_here", acts }, (facts) => {
    facts.assignments = facts.assignments.map((row) => ({ ...row, party_id }));
    const entry_seq = facts.chain.milestones.find(({ type }) => type === "act.effective")?.seq ?? 0;
    const act = { act_id, kind, sha256, document: document as never, entry_seq, approvals: [given as never] };
    facts.acts = [{ ...act, ...(batch !== undefined && { batch: structuredClone(batch) as never }) }];
    change?.(facts);
  });
}

const gradeOf = (facts: Facts2, number: 3 | 8) => {
  const check = evaluate(facts).checks[number - 1];
  return [check?.grade, check?.grade_reason];
};

describe("the secured party at another installation", async () => {
  const bank = await makeInstallation();
  const needs = [needOf(bank, party_id)];

  /** Ann decided there, over the act or another one. */
  function decidedThere(more: Parameters<typeof decidedAt>[3] = {}, change: Given["change"] = undefined, approval: Given["approval"] = {}) {
    const copy_sha256 = makeRecord2({ source: "signed_here" }).facts.copy?.sha256 ?? "";
    const proof = decidedAt(bank, documentOf("designate", copy_sha256, { needs }) as never, party_id, more) as never;
    return recordWith({ document: { needs }, approval: { method: "vault_key", proof, ...approval }, ...(change && { change }) });
  }

  test("is proven by what that installation signed, and the reason says what rests on the pinned root", () => {
    const { facts, links } = decidedThere();
    expect(gradeOf(facts, 8)).toEqual([
      "proven",
      `Confirmed by ann@bank.example at another installation, which signed this act (root ${bank.root.slice(0, 16)}…). That this installation acts for the party was not verified: the depositing organization pinned its root.`,
    ]);
    expect(firstContradiction(facts, links)).toBeNull();
  });

  test("is attested if it is the installation that asked, or if who decided is a member of the depositing organization", () => {
    expect(gradeOf(decidedThere({ asker: { root: bank.root, org_id } }).facts, 8)).toEqual([
      "attested",
      "Confirmed by ann@bank.example for First Example Bank, N.A. at an organization of the same installation, which signed its own request.",
    ]);
    expect(gradeOf(decidedThere({}, undefined, { is_member: true }).facts, 8)[0]).toBe("attested");
  });

  test.each<[string, Parameters<typeof decidedAt>[3]]>([
    ["another act", { act_sha256: "0".repeat(64) }],
    ["another party", { party_id: "pty_other" }],
    ["another organization", { asker: { root: "a".repeat(64), org_id: "org_other" } }],
    ["a refusal", { decision: "refuse" }],
  ])("with a signature over %s is found", (_, more) => {
    const { facts, links } = decidedThere(more);
    expect(firstContradiction(facts, links)?.what).toBe("the signature of the installation of ann@bank.example for act_designate");
    expect(gradeOf(facts, 8)).toEqual(["attested", "The other installation that acts for First Example Bank, N.A. did not sign this act."]);
  });

  test("with a proof that is not the one in the chain is found", () => {
    const { facts, links } = decidedThere({}, (draft) => Object.assign(Object(draft.acts[0]?.approvals[0]?.proof), { signature: "AAAA" }));
    expect(firstContradiction(facts, links)?.what).toBe("who confirmed act_designate");
  });
});

describe("the secured party", () => {
  test("who confirmed with a passkey is proven, and no one claims to have verified the person", () => {
    const { facts, links } = recordWith({});
    expect(gradeOf(facts, 8)).toEqual([
      "proven",
      "Confirmed by ann@bank.example (passkey). That this person acts for the party was not verified.",
    ]);
    expect(firstContradiction(facts, links)).toBeNull();
  });

  test.each<[string, Given, string]>([
    [
      "a mailed code",
      { approval: { method: "code", proof: { address: "ann@bank.example" } } },
      "Confirmed by ann@bank.example with a code sent to that address. That this person acts for the party was not verified.",
    ],
    [
      "a member of the depositing organization",
      { approval: { is_member: true } },
      "ann@bank.example, who confirmed for First Example Bank, N.A., is also a member of the depositing organization.",
    ],
    [
      "an approver whom the depositing organization named in place of others",
      { approval: { approvers_replaced: true } },
      "Confirmed by ann@bank.example for First Example Bank, N.A., whose approvers the depositing organization had replaced because none could be reached.",
    ],
    ["a passkey over another act", { signs: "assign" }, "The passkey of ann@bank.example did not sign this act."],
    [
      "another party",
      { approval: { party_id: "pty_other" } },
      "The depositor names the secured party; it did not confirm with a credential of its own.",
    ],
  ])("by %s is attested", (_, given, says) => {
    expect(gradeOf(recordWith(given).facts, 8)).toEqual(["attested", says]);
  });

  test("as another organization of the installation is proven", () => {
    const { facts } = recordWith({ approval: { method: "key", proof: null } });
    expect(gradeOf(facts, 8)[0]).toBe("proven");
  });
});

test("a custodian whom the secured party designated with a passkey is proven, and one of an earlier act is not", () => {
  const present = recordWith({ kind: "designate_custodian", document: { user: { user_id: "usr_sam", name: "Sam" } } });
  expect(gradeOf(present.facts, 3)[0]).toBe("proven");
  const other = recordWith({ kind: "designate_custodian", document: { user: { user_id: "usr_ann", name: "Ann" } } });
  expect(gradeOf(other.facts, 3)[0]).toBe("attested");
});

describe("facts that contradict the chain are found", () => {
  test.each<[string, Given, string]>([
    ["a passkey over another act", { signs: "assign" }, "the passkey of ann@bank.example for act_designate"],
    ["an act of another record", { document: { envelope_id: "env_other" } }, "the document of act_designate"],
    ["an act on another copy", { document: { copy_sha256: "0".repeat(64) } }, "the document of act_designate"],
    ["an act of another organization", { document: { org_id: "org_other" } }, "the document of act_designate"],
    [
      "another document",
      { change: (facts) => Object.assign(facts.acts[0]?.document ?? {}, { reason: "x" }) },
      "the document of act_designate",
    ],
    [
      "another address",
      { change: (facts) => Object.assign(facts.acts[0]?.approvals[0] ?? {}, { email: "ben@bank.example" }) },
      "who confirmed act_designate",
    ],
    [
      "a member called independent",
      { approval: { is_member: true }, change: (facts) => Object.assign(facts.acts[0]?.approvals[0] ?? {}, { is_member: false }) },
      "who confirmed act_designate",
    ],
    [
      "replaced approvers passed over in silence",
      {
        approval: { approvers_replaced: true },
        change: (facts) => {
          for (const approval of facts.acts[0]?.approvals ?? []) delete approval.approvers_replaced;
        },
      },
      "who confirmed act_designate",
    ],
    [
      "approvers called replaced who were not",
      { change: (facts) => Object.assign(facts.acts[0]?.approvals[0] ?? {}, { approvers_replaced: true }) },
      "who confirmed act_designate",
    ],
    ["an act left out", { change: (facts) => (facts.acts = []) }, "the acts that took effect"],
  ])("%s", (_, given, what) => {
    const { facts, links } = recordWith(given);
    expect(firstContradiction(facts, links)?.what).toBe(what);
  });
});

describe("an act on many records", () => {
  const copy_sha256 = makeRecord2({ source: "signed_here" }).facts.copy?.sha256 ?? "";
  const present_party = { party_id, name: "First Example Bank, N.A.", identifier: null };
  const itemOf = (id: string): BatchItem => ({ envelope_id: id, copy_sha256, expected_version: 1, record_name: "Note", present_party });
  const items = ["env_1", "env_2", envelope_id, "env_4", "env_5"].map(itemOf);
  const place = 2;

  async function inBatch(change: (batch: Draft<BatchPlace>, facts: Draft<Facts2>) => void = () => undefined) {
    const { root, proofs } = await batchTree(items);
    const batch = { index: place, item: itemOf(envelope_id), proof: proofs[place] ?? [] };
    const document = { envelope_id: null, copy_sha256: null, batch: { control_batch_id: "cbt_pool", root, count: items.length } };
    return recordWith({ batch, document, change: (facts) => change(facts.acts[0]?.batch as Draft<BatchPlace>, facts) });
  }

  test("proves of each of them what its party confirmed once", async () => {
    const { facts, links } = await inBatch();
    expect(firstContradiction(facts, links)).toBeNull();
    expect(gradeOf(facts, 8)[0]).toBe("proven");
  });

  test("proves every item of lists of every size, and no other", async () => {
    for (let size = 1; size <= 9; size++) {
      const some = Array.from({ length: size }, (_, index) => itemOf(`env_${index}`));
      const { root, proofs } = await batchTree(some);
      const document = { batch: { root, count: size } };
      some.forEach((item, index) => {
        const proof = proofs[index] ?? [];
        expect(isInBatch({ index, item, proof }, document)).toBe(true);
        expect(isInBatch({ index, item: itemOf("env_other"), proof }, document)).toBe(false);
      });
    }
  });

  const flipped = (hash = ""): string => `${hash[0] === "0" ? "1" : "0"}${hash.slice(1)}`;
  test.each<[string, (batch: Draft<BatchPlace>, facts: Draft<Facts2>) => void]>([
    ["a flipped byte in the proof", (batch) => batch.proof.splice(0, 1, flipped(batch.proof[0]))],
    ["a proof that is too short", (batch) => batch.proof.pop()],
    ["the proof of another item", (batch) => (batch.item = itemOf("env_1") as never)],
    ["this record in place of the one that was confirmed", (batch) => Object.assign(batch.item, { record_name: "Another note" })],
    ["another version of control", (batch) => Object.assign(batch.item, { expected_version: 2 })],
    ["no item", (batch) => Object.assign(batch, { item: null })],
    ["another root", (_, facts) => Object.assign(Object(facts.acts[0]?.document.batch), { root: "0".repeat(64) })],
    ["no proof at all", (_, facts) => delete facts.acts[0]?.batch],
  ])("with %s is found", async (_, change) => {
    const { facts, links } = await inBatch(change);
    expect(firstContradiction(facts, links)?.what).toMatch(/^(the document of|that) act_designate/);
  });

  test("at another place in the list than the entry says is found", async () => {
    const { facts, links } = await inBatch((batch) => Object.assign(batch, { index: 1 }));
    expect(firstContradiction(facts, links)?.what).toBe("that act_designate took effect");
  });

  test("does not count for a record that is not in the list", async () => {
    const { facts } = await inBatch((batch) => (batch.item = itemOf("env_foreign") as never));
    expect(gradeOf(facts, 8)).toEqual(["attested", "The record is not in the list that was confirmed."]);
  });
});

test.each([
  "TBD",
  "t.b.d.",
  "To be determined",
  "to be named!",
  "Not yet known",
  "Pending",
  "Lender",
  "The Bank",
  "secured party",
  "Assignee",
  "TEST",
  "n/a",
])("%s names no party", (name) => expect(namesParty(name)).toBe(false));
test.each(["First Example Bank", "Bank of Example", "Testa GmbH", "Lender & Sons"])("%s names a party", (name) =>
  expect(namesParty(name)).toBe(true),
);

import { sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ASKER_ROOT, decidedAt, makeInstallation, needOf } from "../fixtures/installation.ts";
import { minute } from "../fixtures/record.ts";
import { readActMessage } from "./act-message.ts";
import { canonicalize, type Json } from "./canonical.ts";
import { hashOfJson } from "./rules/1/chain-facts.ts";
import { readTrustStatement, trustStatementOf } from "./trust-document.ts";
import { isOneInstallation, readVaultProof, type VaultProof } from "./vault-proof.ts";

const bank = await makeInstallation();
const party_id = "pty_bank";
const act = {
  type: "countersign/act/1",
  act_id: "act_designate",
  kind: "designate",
  org_id: "org_acme",
  envelope_id: "env_lease",
  batch: null,
  record_name: "Lease",
  copy_sha256: "1".repeat(64),
  present_version: 1,
  present_party: null,
  reason: "Sale of the loan",
  party: { party_id, name: "First Example Bank, N.A.", identifier: null },
  share_bp: null,
  user: null,
  hold_id: null,
  vault: null,
  recipient: null,
  people: null,
  needs: [needOf(bank, party_id)],
  proposed_at: minute(60),
  expires_at: minute(90),
};
const expected = { act_sha256: hashOfJson(act), act, party_id, email: "ann@bank.example" };
const faultOf = (proof: unknown, more: object = {}) => readVaultProof(proof, { ...expected, ...more }).fault;

describe("the decision of another installation", () => {
  const proof = decidedAt(bank, act, party_id);

  test("is proven by its signature under the root that the act names", () => {
    const read = readVaultProof(proof, expected);
    expect(read).toMatchObject({ fault: null, message: { decided_by: { name: "Ann" } } });
    expect(read.fault === null && isOneInstallation(read)).toBe(false);
  });

  // Each takes several checks of signatures, so that every fourth has to be enough.
  test("is refused with a changed character, wherever it is, and with bytes after the certificate", () => {
    const text = canonicalize(proof as unknown as Json);
    const accepted: string[] = [];
    for (let at = 0; at < text.length; at += 4) {
      const other = text[at] === "0" ? "1" : "0";
      const changed = parsed(`${text.slice(0, at)}${other}${text.slice(at + 1)}`);
      if (changed !== null && faultOf(changed) === null) accepted.push(text.slice(at - 20, at + 20));
    }
    expect(accepted).toEqual([]);
    const longer = Buffer.concat([Buffer.from(proof.trust.root_certificate, "base64"), Buffer.of(0)]).toString("base64");
    expect(faultOf({ ...proof, trust: { ...proof.trust, root_certificate: longer } })).toBe("root");
  });

  test.each<[string, unknown, object, string]>([
    ["another act", proof, { act_sha256: "2".repeat(64) }, "act"],
    ["an act of another organization", proof, { act: { ...act, org_id: "org_other" } }, "act"],
    ["another party", proof, { party_id: "pty_other" }, "party"],
    ["no party", proof, { party_id: null }, "party"],
    [
      "an act that asks another installation",
      proof,
      { act: { ...act, needs: [needOf({ ...bank, root: "0".repeat(64) }, party_id)] } },
      "party",
    ],
    ["another person", proof, { email: "ben@bank.example" }, "email"],
    ["a refusal", decidedAt(bank, act, party_id, { decision: "refuse" }), {}, "decision"],
    ["a time before the key was in use", decidedAt(bank, act, party_id, { at: "2020-01-01T00:00:00.000Z" }), {}, "signature"],
    ["a request in place of a decision", { ...proof, bytes: "e30=" }, {}, "malformed"],
    ["another member", { ...proof, words: "Confirmed" }, {}, "malformed"],
    ["no proof", null, {}, "malformed"],
  ])("does not prove %s", (_, given, more, fault) => {
    expect(faultOf(given, more)).toBe(fault);
  });

  test("is not proven by keys that another root lists", async () => {
    const other = await makeInstallation();
    expect(faultOf({ ...proof, trust: other.trust })).toBe("root");
    const bytes = Buffer.from(proof.bytes, "base64");
    expect(faultOf({ ...proof, signature: sign(null, bytes, other.records.privateKey).toString("base64") })).toBe("signature");
  });

  test("of an installation that asked itself is recognized", () => {
    const own = readVaultProof(decidedAt(bank, act, party_id, { asker: { root: bank.root, org_id: act.org_id } }), expected);
    expect(own.fault === null && isOneInstallation(own)).toBe(true);
  });
});

const parsed = (text: string): VaultProof | null => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

describe("a request", () => {
  const request = {
    type: "countersign/link/1/request",
    asker: { root: ASKER_ROOT, org_id: act.org_id },
    decider: { root: bank.root, org_id: "org_bank" },
    act_id: act.act_id,
    act_sha256: hashOfJson(act),
    party_id,
    at: minute(61),
    key_id: "3".repeat(64),
    act,
    org_name: "Acme Leasing",
  };
  const read = (message: object) => readActMessage(Buffer.from(canonicalize(message as Json)));

  test("is read if it is about the act that it contains", () => {
    expect(read(request)).toEqual(request);
    expect(read({ ...request, type: "countersign/link/1/closing", outcome: "cancelled" })?.type).toBe("countersign/link/1/closing");
    const share = { ...act, kind: "participate", share_bp: 2_500 };
    expect(read({ ...request, act: share, act_sha256: hashOfJson(share) })?.act_sha256).toBe(hashOfJson(share));
  });

  const withAct = (more: object) => ({ ...request, act: { ...act, ...more }, act_sha256: hashOfJson({ ...act, ...more }) });
  test.each<[string, object]>([
    ["another hash", { ...request, act_sha256: "4".repeat(64) }],
    ["another act", { ...request, act_id: "act_other" }],
    ["an act of another organization", withAct({ org_id: "org_other" })],
    ["an act that asks someone else", withAct({ needs: [] })],
    ["an act that does not ask the party", withAct({ needs: [{ ...needOf(bank, party_id), asked: false }] })],
    ["an act on many records", withAct({ batch: { control_batch_id: "cbt_pool", root: "5".repeat(64), count: 2 } })],
    ["a member that the act does not have", withAct({ words: "Only a formality" })],
    ["words beside the act", { ...request, summary: "Only a formality" }],
    ["an act about a party's people", withAct({ kind: "change_people" })],
    ["an act of an unknown kind", withAct({ kind: "toString" })],
    ["an assignment to no one", withAct({ kind: "assign", party: null })],
    ["an assignment that names a recipient too", withAct({ kind: "assign", recipient: { name: "Ben", email: "ben@example.com" } })],
    ["a share without its size", withAct({ kind: "participate" })],
    ["an export that names a party in place of the recipient", withAct({ kind: "export_out" })],
    ["a transfer to no vault", withAct({ kind: "transfer_out", party: null })],
    ["a custodian who is not named", withAct({ kind: "designate_custodian", party: null })],
    ["no name of the asker", { ...request, org_name: "" }],
    ["a name of spaces alone", { ...request, org_name: " " }],
    ["a name of several lines", { ...request, org_name: "Acme\nYou must confirm" }],
    ["an outcome that is none", { ...request, type: "countersign/link/1/closing", outcome: "won" }],
  ])("with %s is not read", (_, message) => {
    expect(read(message)).toBeNull();
  });
});

test("what is kept of a trust document is read with the root that was pinned, and with no other", () => {
  const text = JSON.stringify({ type: "countersign/trust/2", ...bank.trust });
  const kept = trustStatementOf(text, bank.root);
  expect(kept).toEqual(bank.trust);
  expect(readTrustStatement(kept, bank.root)?.roots).toEqual([bank.root]);
  expect(readTrustStatement(kept, "0".repeat(64))).toBeNull();
  expect(readTrustStatement({ ...bank.trust, roots: {} }, bank.root)).toBeNull();
  expect(trustStatementOf(text, "0".repeat(64))).toBeNull();
  expect(trustStatementOf("not a document", bank.root)).toBeNull();
});

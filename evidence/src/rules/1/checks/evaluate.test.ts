import { describe, expect, test } from "vitest";
import { tries } from "../../../../../testing/all.ts";
import fc from "../../../../../testing/properties.ts";
import {
  ann,
  assignedAgain,
  type Change,
  changed,
  copyOf,
  type Draft,
  documentOf,
  ending,
  lender,
  saying,
  sources,
  token,
  transfer,
  transferred,
} from "../../../../fixtures/changes.ts";
import { hashed, makeRecord, minute, type Told, type Wish } from "../../../../fixtures/record.ts";
import { canonicalize } from "../../../canonical.ts";
import type { Facts, Source } from "../../../facts.ts";
import { hashOfJson } from "../chain-facts.ts";
import { complianceOf, complianceView } from "../compliance.ts";
import { checkIds } from "./check.ts";
import { checks, evaluate } from "./evaluate.ts";

describe("a record with everything in order", () => {
  test.each(sources.flatMap((source) => [false, true].map((kba) => ({ source, kba }))))(
    "scores 100: $source, kba $kba",
    ({ source, kba }) => {
      const { score, passed, missing_requirements, checks: results } = evaluate(makeRecord({ source, kba }).facts);
      expect({ score, passed, missing_requirements }).toEqual({ score: 100, passed: true, missing_requirements: [] });
      expect(results.map(({ id, remedy, satisfied }) => [id, remedy, satisfied])).toEqual(checkIds.map((id) => [id, null, true]));
    },
  );

  test("is described in the words of the certificate", () => {
    expect(evaluate(makeRecord({ source: "signed_here", kba: true }).facts).checks.map(({ detail }) => detail)).toEqual([
      "Authoritative copy ac_a stored 2026-03-05T03:19:00.000Z; no other live copy of this content in the organization.",
      `SHA-256 ${hashed("sealed").slice(0, 8)}… re-computed at 2026-03-05T03:59:00.000Z; the seal of CN=Example document seal verifies (B-B).`,
      "Custodian usr_sam (cp_1) since 2026-03-05T03:19:00.000Z.",
      `2 of 2 required signers signed version ${hashed("prepared").slice(0, 8)}….`,
      "2 of 2 signers consented (disclosure 2026-01) and are attributed: link and KBA; link and KBA.",
      "22 entries verify; checkpoint 5012 at 2026-03-05T03:50:00.000Z (self-operated clock).",
      "0 copies issued, all marked; retained and locked until 2033-03-06 (application lock).",
      "First Example Bank, N.A. is assignee since 2026-03-05T03:21:00.000Z.",
    ]);
  });

  test("may have passed from one custodian and one assignee to the next, with consent and without a gap", () => {
    const given = { method: "written", given_by: { name: "Ann Example", email: null }, statement: null, given_at: minute(58) } as const;
    const consented = ending(["assignment.recorded", { seq: 2, party: lender, party_sha256: hashOfJson(lender), consent: given }]);
    const acts = (all: readonly Told[]) => consented(transfer(all));
    const facts = changed({
      source: "paper_upload",
      wish: { acts },
      change: (draft) => {
        transferred(minute(60), minute(60))(draft);
        assignedAgain(draft);
        Object.assign(draft.assignments[1] ?? {}, { consent: given });
      },
    });
    expect(evaluate(facts)).toMatchObject({ score: 100, missing_requirements: [] });
  });

  test("may have marks that were set before the questions of the signing session in which they were signed", () => {
    const change: Change = (draft) => {
      for (const mark of ann(draft).signatures) mark.applied_at = minute(7.5);
      ann(draft).consents = ann(draft).consents.map((each) => ({ ...each, rendered_at: minute(6), accepted_at: minute(7) }));
      ann(draft).kba = ann(draft).kba.map((each) => ({ ...each, at: minute(8) }));
    };
    expect(evaluate(changed({ source: "signed_here", wish: { kba: true }, change })).missing_requirements).toEqual([]);
  });

  test("may rest on the time stamp of an authority", () => {
    const facts = changed({ source: "signed_here", change: token(minute(50)) });
    const { checks: results, warnings } = evaluate(facts);
    expect(results[5]?.detail).toBe(
      "20 entries verify; checkpoint 5012 at 2026-03-05T03:50:00.000Z (time stamp of 2026-03-05T03:50:00.000Z).",
    );
    expect(warnings.map(({ code }) => code)).not.toContain("time_self_operated");
  });

  test("signed at another provider is judged by its evidence file and an attestation", () => {
    const { attestation, evidence_file } = makeRecord({ source: "electronic_signed" }).facts;
    const change: Change = (draft) => Object.assign(draft, { provider: "docuseal", evidence_file });
    const silent = evaluate(changed({ source: "signed_here", change }));
    expect(silent.missing_requirements).toEqual([
      "signatures_complete: No signer is attested.",
      "consent_and_attribution: Consent at the issuing system is not confirmed.",
    ]);
    expect(
      evaluate(
        changed({ source: "signed_here", change: (draft) => Object.assign(draft, { provider: "docuseal", evidence_file, attestation }) }),
      ).score,
    ).toBe(100);
  });
});

describe("what the score is", () => {
  test("the weights are 100 together", () => {
    expect(checks.map(({ number, id, weight }) => [number, id, weight])).toEqual(
      [13, 13, 12, 12, 12, 13, 12, 13].map((weight, index) => [index + 1, checkIds[index], weight]),
    );
  });

  test.each(sources)("%s without a secured party scores 87", (source) => {
    expect(evaluate(makeRecord({ source, party: null }).facts).score).toBe(87);
  });

  test("an upload without attestation scores 63, and 50 if it is electronic and its PDF carries no signature", () => {
    expect(evaluate(makeRecord({ source: "paper_upload", attested: false }).facts).score).toBe(63);
    expect(evaluate(makeRecord({ source: "electronic_signed", attested: false }).facts).score).toBe(63);
    expect(evaluate(makeRecord({ source: "electronic_signed", attested: false, signed_pdf: false }).facts).score).toBe(50);
  });
});

describe("a preview", () => {
  const nothing = {
    certificate: null,
    copy: null,
    seal: null,
    checkpoint: null,
    rendition: null,
    permissions: [],
    assignments: [],
    members: [],
  };

  test("says what is there and what vaulting will bring", () => {
    const acts = (all: readonly Told[]) => all.filter(({ type }) => !/^(vault|custody|assignment)\./.test(type));
    const facts = changed({ source: "signed_here", wish: { acts }, change: (draft) => Object.assign(draft, nothing) });
    const view = complianceView(facts);
    expect(view).toMatchObject({ vaulted: false, compliant: false, certificate_path: null, envelope_status: "completed", score: 37 });
    expect(view.missing_requirements).toEqual([
      "single_authoritative_copy: No authoritative copy is stored.",
      "tamper_evident_record: No authoritative copy is stored.",
      "custodian: No custodian is assigned.",
      "audit_trail: vault.stored is missing.",
      "copies_and_retention: No copy could be produced: no authoritative copy is stored.",
    ]);
    expect(view.checks[7]?.detail).toBe("First Example Bank, N.A. is named and becomes assignee when the envelope is vaulted.");
    expect(complianceOf(facts)).toBeNull();
  });
});

const asItIs: Change = () => undefined;

describe("warnings", () => {
  const codes = (change: Change, wish: Partial<Wish> = {}, source: Source = "signed_here") =>
    evaluate(changed({ source, wish, change })).warnings.map(({ code }) => code);
  const usual = ["time_self_operated", "seal_self_issued", "lock_application_only", "custodian_not_designated_by_secured_party"];

  test("say what the score does not count", () => {
    expect(codes(asItIs)).toEqual(usual);
    expect(codes((facts) => Object.assign(facts, { custodian_designated: true }))).not.toContain(usual[3]);
    expect(codes(asItIs, { party: { name: "First Example Bank" } })).toContain("secured_party_incomplete");
    expect(codes((facts) => Object.assign(ann(facts).sessions[0] ?? {}, { credential: "embed_token" }))).toContain(
      "identity_asserted_by_partner",
    );
    expect(codes((facts) => Object.assign(ann(facts).kba[0] ?? {}, { provider: "customer_record" }), { kba: true })).toContain(
      "kba_weak_provider",
    );
    expect(codes((facts) => Object.assign(documentOf(facts), { lowest_dpi: 199 }))).toContain("low_resolution");
    expect(codes((facts) => Object.assign(copyOf(facts), { state: "tampered" }))).toContain("tamper_detected");
    expect(codes(asItIs, { acts: saying("document.prepared", { signatures_removed: 1 }) })).toContain("signatures_removed_by_cleaning");
    const cleaned = saying("document.received", { byte_for_byte: false, signatures: [{ field: "Buyer", intact: true }] });
    expect(codes(asItIs, { acts: cleaned }, "paper_upload")).toContain("signatures_removed_by_cleaning");
  });
});

describe("the same facts", () => {
  test("give the same bytes, whatever way they went", () => {
    for (const source of sources) {
      const { facts } = makeRecord({ source });
      const sent = JSON.parse(canonicalize(facts)) as Facts;
      expect(canonicalize(complianceOf(sent))).toBe(canonicalize(complianceOf(facts)));
    }
  });

  test("are named by the certificate, with the document, the chain and the checkpoint", () => {
    const { facts, links } = makeRecord({ source: "signed_here" });
    expect(complianceOf(facts)).toMatchObject({
      type: "countersign/compliance/1",
      certificate_id: "env_a-r1",
      source: "signed_here",
      document_sha256: hashed("sealed"),
      facts_sha256: hashOfJson(facts),
      chain_head: links.at(-1)?.entry.hash,
      checkpoint: { tree_size: 5012 },
      vaulted: true,
      compliant: true,
      envelope_status: "vaulted",
    });
  });
});

// Anything a gatherer could hand over, sensible or not: other texts, numbers and answers, less of everything, nothing at all.
const NULLABLE = new Set([
  "certificate",
  "copy",
  "older_copy",
  "document",
  "seal",
  "checkpoint",
  "token",
  "attestation",
  "paper",
  "external",
  "evidence_file",
  "certification",
  "lock",
  "rendition",
  "secured_party",
  "head",
  "said",
  "slug",
  "signed_at",
  "found_sha256",
  "activated_at",
  "closed_at",
  "consent",
]);

function scrambled(value: unknown, key: string, roll: () => number): unknown {
  const chance = roll() % 20;
  if (chance === 0 && NULLABLE.has(key)) return null;
  if (Array.isArray(value)) {
    const kept = chance === 1 ? [] : value.filter(() => roll() % 12 !== 0);
    return kept.map((item) => scrambled(item, "", roll));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, scrambled(item, name, roll)]));
  }
  if (chance > 2 || key === "source" || key === "type") return value;
  if (typeof value === "string") return ["", "tbd", "2026-03-05T03:05:00.000Z", "2026", hashed(String(roll()))][roll() % 5];
  if (typeof value === "number") return (roll() % 100) - 10;
  return typeof value === "boolean" ? !value : value;
}

test("whatever the facts are, there are eight results in order and a score that adds up", () => {
  const rolls = fc.infiniteStream(fc.nat());
  fc.assert(
    fc.property(fc.constantFrom(...sources), fc.boolean(), rolls, (source, kba, stream) => {
      const roll = () => stream.next().value ?? 0;
      const draft = scrambled(makeRecord({ source, kba }).facts, "", roll) as Draft<Facts>;
      const unnamed = { email: null, name: null, role: null };
      for (const signer of [...draft.signers, ...(draft.attestation?.signers ?? [])]) if (roll() % 5 === 0) Object.assign(signer, unnamed);
      const result = evaluate(draft as Facts);
      expect(result.checks.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(result.score).toBe(result.checks.reduce((sum, { satisfied, weight }) => sum + (satisfied ? weight : 0), 0));
      expect(result.passed).toBe(result.missing_requirements.length === 0);
      expect(canonicalize(evaluate(draft as Facts))).toBe(canonicalize(result));
    }),
    { numRuns: tries(500) },
  );
});

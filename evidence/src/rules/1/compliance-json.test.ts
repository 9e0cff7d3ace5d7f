import { expect, test } from "vitest";
import { makeRecord } from "../../../fixtures/record.ts";
import { parseCanonical } from "../../canonical.ts";
import { hashOfJson } from "./chain-facts.ts";
import { evaluate } from "./checks/evaluate.ts";
import { complianceJson } from "./compliance-json.ts";

test("compliance.json is canonical, and holds the answer and the hashes it rests on", () => {
  const { facts } = makeRecord({ source: "signed_here" });
  const { evaluated_at, score, passed, missing_requirements, warnings, checks } = evaluate(facts);
  expect(parseCanonical(complianceJson(facts))).toMatchObject({
    envelope_id: "env_a",
    envelope_name: "Loan agreement",
    vaulted: true,
    compliant: true,
    certificate_path: "org_a/vault/env_a/certificate-r1.pdf",
    ...{ evaluated_at, score, passed, missing_requirements, warnings, checks },
    certificate_id: "env_a-r1",
    revision: 1,
    source: "signed_here",
    document_sha256: facts.copy?.sha256,
    facts_sha256: hashOfJson(facts),
    chain_head: facts.chain.head?.hash,
  });
});

test("the same facts give the same text, and a preview gives none", () => {
  const { facts } = makeRecord({ source: "paper_upload", party: null });
  expect(complianceJson(facts)).toBe(complianceJson(structuredClone(facts)));
  expect(() => complianceJson({ ...facts, certificate: null })).toThrow("a preview has no certificate");
});

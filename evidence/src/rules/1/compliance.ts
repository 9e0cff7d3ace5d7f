// The certificate as JSON: what the API answers, and by hash what it rests on. It follows from the facts alone, so whoever has the
// facts can make it again and compare bytes.

import type { Facts, Source } from "../../facts.ts";
import { hashOfJson } from "./chain-facts.ts";
import type { Evaluation } from "./checks/check.ts";
import { evaluate } from "./checks/evaluate.ts";
import { timeSource } from "./checks/warnings.ts";

/** The `data` of `GET …/compliance` (api.md section 7). */
export type ComplianceView = {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly customer_id: string | null;
  readonly envelope_status: string;
  readonly vaulted: boolean;
  /** a certificate exists, whatever its score */
  readonly compliant: boolean;
  readonly certificate_path: string | null;
} & Evaluation;

/** `compliance.json` once canonical. */
export type Compliance = ComplianceView & {
  readonly type: "countersign/compliance/1";
  readonly certificate_id: string;
  readonly revision: number;
  readonly source: Source;
  readonly document_sha256: string;
  readonly facts_sha256: string;
  readonly chain_head: string;
  readonly checkpoint: { readonly tree_size: number; readonly root: string; readonly at: string; readonly key_id: string } | null;
  readonly time_source: string;
};

/** What the API answers about these facts, as a preview or with a certificate. */
export function complianceView(facts: Facts): ComplianceView {
  const { envelope_id, envelope_name, customer_id, status } = facts.envelope;
  const isCertified = facts.certificate !== null;
  return {
    envelope_id,
    envelope_name,
    customer_id,
    // The certificate is recorded in the transaction that moves the envelope to `vaulted`.
    envelope_status: isCertified ? "vaulted" : status,
    vaulted: isCertified,
    compliant: isCertified,
    certificate_path: facts.certificate?.path ?? null,
    ...evaluate(facts),
  };
}

/** The certificate on these facts; null for those of a preview, or without a stored copy. */
export function complianceOf(facts: Facts): Compliance | null {
  const { certificate, copy, checkpoint, chain, source, envelope } = facts;
  if (certificate === null || copy === null) return null;
  const { revision } = certificate;
  return {
    ...complianceView(facts),
    type: "countersign/compliance/1",
    certificate_id: `${envelope.envelope_id}-r${revision}`,
    revision,
    source,
    document_sha256: copy.sha256,
    facts_sha256: hashOfJson(facts),
    chain_head: chain.head?.hash ?? "",
    checkpoint:
      checkpoint === null ? null : { tree_size: checkpoint.tree_size, root: checkpoint.root, at: checkpoint.at, key_id: checkpoint.key_id },
    time_source: timeSource(facts),
  };
}

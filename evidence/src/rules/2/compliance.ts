import { canonicalize } from "../../canonical.ts";
import type { Source } from "../../facts.ts";
import type { Facts2 } from "../../facts-2.ts";
import { hashOfJson } from "../1/chain-facts.ts";
import type { ComplianceView } from "../1/compliance.ts";
import type { GradedEvaluation } from "./checks/check.ts";
import { evaluate } from "./evaluate.ts";
import { timeSource } from "./warnings.ts";

export type GradedComplianceView = Omit<ComplianceView, keyof GradedEvaluation> & GradedEvaluation;

/** What was looked at: the time of the evaluation, the last entry of the chain, and the size of the log that contains the storing. */
export type AsOf = {
  readonly at: string;
  readonly chain_seq: number;
  readonly chain_hash: string;
  readonly tree_size: number;
};

/** `compliance.json` once canonical. */
export type GradedCompliance = GradedComplianceView & {
  readonly type: "countersign/compliance/2";
  readonly certificate_id: string;
  readonly revision: number;
  readonly source: Source;
  readonly document_sha256: string;
  readonly facts_sha256: string;
  readonly chain_head: string;
  readonly checkpoint: { readonly tree_size: number; readonly root: string; readonly at: string; readonly key_id: string } | null;
  readonly time_source: string;
  readonly as_of: AsOf;
};

/** What the API answers about these facts, as a preview or with a certificate. */
export function complianceView(facts: Facts2): GradedComplianceView {
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
export function complianceOf(facts: Facts2): GradedCompliance | null {
  const { certificate, copy, checkpoint, chain, source, envelope, evaluated_at } = facts;
  if (certificate === null || copy === null) return null;
  const { revision } = certificate;
  return {
    ...complianceView(facts),
    type: "countersign/compliance/2",
    certificate_id: `${envelope.envelope_id}-r${revision}`,
    revision,
    source,
    document_sha256: copy.sha256,
    facts_sha256: hashOfJson(facts),
    chain_head: chain.head?.hash ?? "",
    checkpoint:
      checkpoint === null ? null : { tree_size: checkpoint.tree_size, root: checkpoint.root, at: checkpoint.at, key_id: checkpoint.key_id },
    time_source: timeSource(facts),
    as_of: {
      at: evaluated_at,
      chain_seq: chain.head?.seq ?? 0,
      chain_hash: chain.head?.hash ?? "",
      tree_size: checkpoint?.tree_size ?? 0,
    },
  };
}

/** The text of `compliance.json`; its UTF-8 bytes are hashed into the chain beside the certificate's. Throws for the facts of a preview. */
export function complianceJson(facts: Facts2): string {
  const compliance = complianceOf(facts);
  if (compliance === null) throw new Error("a preview has no certificate");
  return canonicalize(compliance);
}

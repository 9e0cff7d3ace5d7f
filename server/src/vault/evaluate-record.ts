import type { rules2 } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import { lockHead } from "../audit/read-head.ts";
import type { Tx } from "../db/sql.ts";
import { findEnvelope } from "../envelopes/store.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { issueCertificate, type Wanted } from "./issue-certificate.ts";
import { chainDamage, verifyCopy } from "./keeping/verify-copy.ts";
import { lookUpCertificateOf } from "./store.ts";
import type { PipelineDeps } from "./vault.ts";

const BY = asSystem(systemOrigin("countersign worker", "vault.evaluate"));

/**
 * Evaluates a vaulted record again after something happened to it: one revision and one event for each cause, however often the job runs.
 * Makes none for a record that has no certificate yet, which its first evaluation covers, and none if the audit trail is damaged, because
 * nothing is appended to a damaged trail.
 */
export async function evaluateRecord(deps: PipelineDeps, job: Jobs["vault.evaluate"]): Promise<void> {
  const { org_id: org, envelope_id, cause, only_if_seal_check_changes: isConditional = false } = job;
  const isOpen = await deps.db.tx(org, async (tx) => {
    if ((await findEnvelope(tx, org, envelope_id)).status !== "vaulted") return false;
    return (await lookUpCertificateOf(tx, org, envelope_id, cause.hash)) === null && (await hasSoundTrail(tx, org, envelope_id));
  });
  if (!isOpen) return;
  await verifyCopy(deps, org, envelope_id);
  await issueCertificate(deps, org, envelope_id, BY, { cause, ...(isConditional && { isNews: changesSealCheck }) });
}

export async function hasSoundTrail(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  const head = await lockHead(tx, org, envelope_id);
  return chainDamage(await readChain(tx, org, envelope_id), org, envelope_id, head) === null;
}

/** Whether the record lost or regained the check that its seal decides. Rules 1 and 2 name it alike. */
const changesSealCheck: NonNullable<Wanted["isNews"]> = ({ result }, evaluation) =>
  sealCheck(result as Partial<rules2.GradedEvaluation>) !== sealCheck(evaluation);

const sealCheck = ({ checks = [] }: Partial<rules2.GradedEvaluation>): boolean =>
  checks.some(({ id, satisfied }) => id === "tamper_evident_record" && satisfied);

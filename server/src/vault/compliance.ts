import { type Evaluation, rules2 } from "@countersign/evidence";
import type { Envelope } from "../envelopes/envelope.ts";
import { findEnvelope, wrongStatus } from "../envelopes/store.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { lookUpCopy } from "./copy-store.ts";
import { gatherFacts } from "./gather-facts.ts";
import { issueCertificate } from "./issue-certificate.ts";
import { examineCopy } from "./keeping/verify-copy.ts";
import { lookUpCertificate } from "./store.ts";
import type { PipelineDeps } from "./vault.ts";

/** Of rules 2, or of rules 1 without grades. */
export type StoredEvaluation = rules2.GradedEvaluation | (Evaluation & { readonly rules?: undefined });

/** An evaluation as responses show it. `certificate_path` is null for a preview, which has no certificate. */
export interface Compliance {
  readonly envelope: Envelope;
  readonly evaluation: StoredEvaluation;
  readonly certificate_path: string | null;
}

/** The latest revision unchanged, or a preview before vaulting. Damage that the sweep found since then is reported next to it. */
export async function readCompliance(deps: PipelineDeps, { org }: Caller, envelope_id: EnvelopeId): Promise<Compliance> {
  const { envelope, certificate, copy } = await deps.db.tx(org, async (tx) => ({
    envelope: await findEnvelope(tx, org, envelope_id),
    certificate: await lookUpCertificate(tx, org, envelope_id),
    copy: await lookUpCopy(tx, org, envelope_id),
  }));
  if (certificate === null) {
    const evaluation = rules2.evaluate(await gatherFacts(deps, org, envelope_id, { certificate: null, covered: null }));
    return { envelope, evaluation, certificate_path: null };
  }
  const evaluation = certificate.result as unknown as StoredEvaluation;
  return { envelope, evaluation: copy?.state === "tampered" ? withTampering(evaluation) : evaluation, certificate_path: certificate.path };
}

function withTampering(evaluation: StoredEvaluation): StoredEvaluation {
  if (evaluation.warnings.some(({ code }) => code === "tamper_detected")) return evaluation;
  const found = { code: "tamper_detected", message: "The stored record no longer matches its recorded hash." } as const;
  return { ...evaluation, warnings: [...evaluation.warnings, found] } as StoredEvaluation;
}

/** Evaluates everything again: a new revision, a new certificate and another event. */
export async function evaluateAgain(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId): Promise<Compliance> {
  const envelope = await deps.db.tx(caller.org, (tx) => findEnvelope(tx, caller.org, envelope_id));
  if (envelope.status !== "vaulted") throw wrongStatus("compliance", envelope.status);
  // Records damage before the evaluation, so that nothing is handed out from then on. The new certificate is then also the one that the
  // damage asks for, and the queued job finds it.
  const { damage } = await examineCopy(deps, caller.org, envelope_id);
  await issueCertificate(deps, caller.org, envelope_id, caller, damage === null ? {} : { cause: damage });
  return readCompliance(deps, caller, envelope_id);
}

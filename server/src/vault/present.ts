import { rules2 } from "@countersign/evidence";
import { isCompliant, isVaulted } from "../envelopes/envelope.ts";
import { iso, isoOrNull } from "../http/shapes.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { presentParticipation, presentPledge } from "./acts/present.ts";
import type { Recorded } from "./attestation-store.ts";
import type { Compliance, StoredEvaluation } from "./compliance.ts";
import { isSignedHere, wireSource } from "./copy.ts";
import type { VaultFigures } from "./figures-store.ts";
import type { ListedCopy } from "./list-store.ts";
import type { VaultRecord } from "./read-record.ts";
import type { CertificateData } from "./shapes.ts";
import type { Certificate } from "./store.ts";
import type { Vaulted } from "./vault-in.ts";

export const presentCompliance = ({ envelope, evaluation, certificate_path }: Compliance) => ({
  envelope_id: envelope.envelope_id,
  envelope_name: envelope.envelope_name,
  customer_id: envelope.customer_id,
  envelope_status: envelope.status,
  vaulted: isVaulted(envelope),
  compliant: certificate_path !== null,
  passed: evaluation.passed,
  score: evaluation.score,
  ...presentGrading(evaluation),
  evaluated_at: evaluation.evaluated_at,
  certificate_path,
  missing_requirements: [...evaluation.missing_requirements],
  warnings: evaluation.warnings.map(({ code, message }) => ({ code, message })),
  checks: evaluation.checks.map(presentCheck),
  annexes: evaluation.rules === 2 ? presentAnnexes(evaluation) : [],
});

const presentAnnexes = ({ annexes = [] }: Pick<rules2.GradedEvaluation, "annexes">) =>
  annexes.map(({ id, title, clauses }) => ({
    id,
    title,
    clauses: clauses.map(({ clause, fact, grade, reason, entries }) => ({ clause, fact, grade, reason, entries: [...entries] })),
  }));

/** An evaluation under rules 1, which had no grades. */
/** What a certificate found, without its checks. */
export const presentResult = ({ revision, score, passed, rules, proven_score, standing }: Certificate) => ({
  revision,
  score,
  passed,
  rules,
  proven_score,
  standing,
});

const UNGRADED = { rules: 1, proven_score: null, standing: "not_assessed" } as const;

const presentGrading = (evaluation: StoredEvaluation) =>
  evaluation.rules === 2 ? { rules: 2, proven_score: evaluation.proven_score, standing: evaluation.standing } : UNGRADED;

export const presentCheck = (check: StoredEvaluation["checks"][number]) => ({
  number: check.number,
  id: check.id,
  requirement: check.requirement,
  legal_reference: check.legal_reference,
  weight: check.weight,
  satisfied: check.satisfied,
  detail: check.detail,
  remedy: check.remedy,
  grade: "grade" in check ? check.grade : null,
  grade_reason: "grade" in check ? check.grade_reason : null,
});

/** The content of `compliance.json`; one of rules 1 has no grades, and says nothing about when it was. */
export const presentCertificate = (stored: CertificateData): CertificateData =>
  stored.type === "countersign/compliance/2"
    ? stored
    : { ...stored, ...UNGRADED, as_of: null, checks: stored.checks.map((check) => ({ ...check, grade: null, grade_reason: null })) };

/** After a deposit. Members that the pipeline has not reached yet are null. */
export const presentVaulted = ({ envelope, copy, certificate }: Vaulted) => ({
  envelope_id: envelope.envelope_id,
  status: envelope.status,
  vaulted: isVaulted(envelope),
  compliant: isCompliant(envelope),
  ...(copy !== null && { source: wireSource(copy), signed_here: isSignedHere(copy) }),
  path: envelope.vault_file_path,
  hash: copy?.sha256 ?? null,
  size: copy?.size ?? null,
  stored_at: isoOrNull(copy?.stored_at ?? null),
  score: certificate?.score ?? null,
  passed: certificate?.passed ?? null,
  missing_requirements: certificate === null ? null : [...(certificate.result.missing_requirements as string[])],
  warnings:
    certificate === null
      ? null
      : (certificate.result.warnings as StoredEvaluation["warnings"]).map(({ code, message }) => ({ code, message })),
  certificate_path: certificate?.path ?? null,
});

export const presentRecord = (
  { envelope, copy, certificate, custodian, legal_hold, control, participations }: VaultRecord,
  status_url: string,
) => ({
  envelope_id: envelope.envelope_id,
  state: copy.state,
  source: wireSource(copy),
  signed_here: isSignedHere(copy),
  path: envelope.vault_file_path ?? "",
  hash: copy.sha256,
  size: copy.size,
  stored_at: iso(copy.stored_at),
  retention_until: iso(copy.retention_until),
  legal_hold,
  custodian:
    custodian === null ? null : { permission_id: custodian.permission_id, user_id: custodian.user_id, since: iso(custodian.activated_at) },
  secured_party: envelope.secured_party,
  control_version: copy.control_version,
  registry_reference: copy.registry_reference,
  control: {
    policy: control.policy,
    controller:
      control.assignee === null
        ? null
        : { party_id: control.assignee.party_id, name: control.assignee.party.name, confirmation: control.assignee.confirmation },
    pledges: control.pledges.map(presentPledge),
    participations: participations.map(presentParticipation),
  },
  record_type: envelope.record_type,
  instrument: envelope.instrument,
  certificate: { path: certificate.path, ...presentResult(certificate) },
  verified_at: isoOrNull(copy.verified_at),
  status_url,
});

export const presentAttested = (envelope_id: EnvelopeId, { attestation_no, attestation_sha256, recorded_at }: Recorded) => ({
  envelope_id,
  attestation_no,
  attestation_sha256,
  recorded_at: iso(recorded_at),
});

export const presentListed = (listed: ListedCopy) => ({
  envelope_id: listed.envelope_id,
  envelope_name: listed.envelope_name,
  customer_id: listed.customer_id,
  external_id: listed.external_id,
  state: listed.state,
  source: wireSource(listed),
  signed_here: isSignedHere(listed),
  score: listed.score,
  passed: listed.score === 100,
  rules: listed.rules,
  proven_score: listed.proven_score,
  standing: listed.standing,
  stored_at: iso(listed.stored_at),
  retention_until: iso(listed.retention_until),
  verified_at: isoOrNull(listed.verified_at),
});

export const presentFigures = ({ by_standing, tampered }: VaultFigures) => ({
  by_standing: presentCounts(by_standing),
  tampered: presentCounts(tampered),
});

const presentCounts = (counts: VaultFigures["tampered"]) =>
  Object.fromEntries(rules2.standings.map((standing) => [standing, counts[standing] ?? 0])) as Record<rules2.Standing, number>;

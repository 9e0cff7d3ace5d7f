import { iso, isoOrNull } from "../../http/shapes.ts";
import type { TokenHolder } from "../../shared/caller.ts";
import type { Assignment } from "../assignments/assignment.ts";
import { isSignedHere, wireSource } from "../copy.ts";
import { statusOf } from "../custody/permission.ts";
import { presentCheck, presentResult } from "../present.ts";
import type { OpenedVault } from "./open-vault.ts";
import type { CustodyStep, KnownFile } from "./store.ts";
import type { Verification } from "./verify-now.ts";

/** The first response to the vault widget. Contains names of people but not their ids, and hashes but no paths. */
export const presentVault = (opened: OpenedVault, holder: TokenHolder) => {
  const { envelope, record, document, logo, server_time } = opened;
  const { copy, certificate, custodian, legal_hold } = record;
  return {
    envelope: { envelope_id: envelope.envelope_id, name: envelope.envelope_name, status: envelope.status, sender: envelope.sender },
    you: { email: holder.user_email, may_have_evidence: opened.is_party },
    copy: {
      copy_id: copy.copy_id,
      state: copy.state,
      state_since: isoOrNull(copy.state_since),
      source: wireSource(copy),
      signed_here: isSignedHere(copy),
      sha256: copy.sha256,
      size: copy.size,
      stored_at: iso(copy.stored_at),
      verified_at: isoOrNull(copy.verified_at),
      retention_until: iso(copy.retention_until),
      legal_hold,
    },
    document: {
      page_count: document?.pages.length ?? 0,
      pages: (document?.pages ?? []).map(({ w_pt, h_pt }, index) => ({ n: index + 1, w: w_pt, h: h_pt })),
    },
    custodian: custodian === null ? null : { name: custodianName(opened), since: iso(custodian.activated_at) },
    custody: opened.custody.map(presentStep),
    secured_party: record.envelope.secured_party,
    assignments: opened.assignments.map(presentAssignee),
    certificate: { ...presentResult(certificate), evaluated_at: iso(certificate.evaluated_at) },
    ...presentEvaluation(opened),
    default_locale: envelope.default_locale,
    branding: { ...envelope.branding, ...(logo !== null && { logo: Buffer.from(logo).toString("base64") }) },
    token_expires_at: iso(holder.token_expires_at),
    server_time: iso(server_time),
  };
};

const custodianName = ({ custody }: OpenedVault): string => custody.find(({ state }) => state === "active")?.to_name ?? "";

const presentEvaluation = ({ compliance: { evaluation } }: OpenedVault) => ({
  checks: evaluation.checks.map(presentCheck),
  warnings: evaluation.warnings.map(({ code, message }) => ({ code, message })),
  time_source: evaluation.warnings.some(({ code }) => code === "time_self_operated") ? ("self_operated" as const) : ("external" as const),
});

const presentStep = ({ from_name, to_name, state, initiated_at, activated_at, closed_at }: CustodyStep) => ({
  from: from_name,
  to: to_name,
  status: statusOf[state],
  initiated_at: iso(initiated_at),
  since: isoOrNull(activated_at),
  until: isoOrNull(closed_at),
});

const presentAssignee = ({ seq, party, state, consent, recorded_at }: Assignment) => ({
  seq,
  name: party.name,
  status: state,
  with_consent: consent !== null,
  recorded_at: iso(recorded_at),
});

export const presentVerification = (found: Verification) => ({
  checked_at: iso(found.checked_at),
  recorded_sha256: found.recorded_sha256,
  found_sha256: found.found_sha256,
  match: found.found_sha256 === found.recorded_sha256,
  seal: found.seal,
  chain: found.chain,
  entries: found.entries,
  registers: found.registers,
  timestamp: found.timestamp,
  sound: found.sound,
  state: found.state,
  duration_ms: found.duration_ms,
  file: found.file === null ? null : presentFile(found.file),
});

const presentFile = ({ kind, copy_id, revision, at }: KnownFile) => ({ kind, copy_id, revision, at: iso(at) });

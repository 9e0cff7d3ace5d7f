// What a chain says, in the form in which an evaluation keeps it. The server makes it when it gathers facts, the offline verifier
// makes it again from the chain itself, and the two must be the same bytes: so facts cannot claim what was never recorded.

import { createHash } from "node:crypto";
import { canonicalize } from "../../canonical.ts";
import { type ChainFacts, type ExpectedChain, factsOfChain, type Milestone, type SaidMembers, toMilestones } from "../../milestones.ts";
import type { Link } from "../../verify-chain.ts";

export type { ChainFacts, Milestone } from "../../milestones.ts";

// What the checks and the registers read of an entry's data. IP addresses and user agents are in the rows of the sessions.
export const saidOf: SaidMembers = {
  "envelope.created": [],
  "envelope.sent": ["prepared_sha256", "signing_order"],
  "envelope.completed": [],
  "certification.accepted": ["terms_version", "terms_sha256"],
  "attestation.recorded": ["attestation_sha256", "evidence_sha256", "evidence_size"],
  "document.received": ["received_sha256", "hash", "pdf_sha256", "byte_for_byte", "signatures"],
  "document.prepared": ["sha256", "parent_sha256", "signatures_removed"],
  "document.stamped": ["sha256", "parent_sha256", "appearances"],
  "document.sealed": ["sha256", "parent_sha256"],
  "signer.opened": ["user_email", "credential", "signing_session"],
  "kba.passed": ["provider", "signing_session"],
  "kba.failed": ["provider", "signing_session"],
  "document.rendered": ["prepared_sha256", "signing_session"],
  "consent.accepted": ["disclosure_version", "disclosure_sha256", "signing_session"],
  "consent.withdrawn": ["signing_session"],
  "signature.applied": [
    "position",
    "kind",
    "method",
    "mark_sha256",
    "intent_sha256",
    "prepared_sha256",
    "state_sha256",
    "user_email",
    "signing_session",
  ],
  "copy.issued": ["copy_id", "kind", "sha256", "pages", "marked_pages"],
  "vault.stored": ["copy_id", "hash", "size", "content_sha256", "parent_sha256", "source", "seal_id", "retention_until"],
  "vault.retention_extended": ["retention_until"],
  "vault.exported": ["export_id", "copy_id", "permission_id"],
  "custody.assigned": ["permission_id", "user_id"],
  "custody.initiated": ["permission_id", "user_id", "from_user_id"],
  "custody.accepted": ["permission_id", "user_id", "from_user_id", "released_permission_id"],
  "custody.rejected": ["permission_id"],
  "custody.cancelled": ["permission_id"],
  "custody.expired": ["permission_id"],
  "assignment.recorded": ["seq", "party", "party_sha256", "consent"],
  "assignment.requested": ["seq", "party_sha256"],
  "assignment.refused": ["seq", "party_sha256"],
};

/**
 * What a chain says, up to its last link. `head`: where it must end; without it entries cut off the end are not noticed.
 * @example chainFacts(await readChain(tx, org, envelope_id), { org_id, subject: envelope_id })
 */
export const chainFacts = (links: readonly Link[], expected: ExpectedChain): ChainFacts => factsOfChain(links, expected, saidOf);

/** Only what the entries say, for whoever has verified the chain already. */
export const milestonesOf = (links: readonly Link[]): Milestone[] => toMilestones(links, saidOf);

/** The hash by which a register, an entry or a certificate names a JSON document. */
export function hashOfJson(value: unknown): string {
  return createHash("sha256").update(canonicalize(value)).digest("hex");
}

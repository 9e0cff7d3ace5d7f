// What a chain says, in the form in which an evaluation keeps it. The server makes it when it gathers facts, the offline verifier
// makes it again from the chain itself, and the two must be the same bytes: so facts cannot claim what was never recorded.

import { createHash } from "node:crypto";
import { canonicalize, type Json } from "../../canonical.ts";
import { type Actor, entryMisfit, type Head } from "../../entry.ts";
import { type FaultKind, firstFault, type Link } from "../../verify-chain.ts";

/** One entry that a check looks at. `said`: what its data says, of the members that are listed for its type; null once erased. */
export type Milestone = {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: Actor;
  readonly said: Readonly<Record<string, Json>> | null;
};

export type ChainFacts = {
  /** null: the chain is empty */
  readonly head: Head | null;
  /** where it stops being what was written; null when it recomputes from its genesis */
  readonly fault: { readonly kind: FaultKind; readonly seq: number } | null;
  /** in the order of the chain */
  readonly milestones: readonly Milestone[];
};

// What the checks and the registers read of an entry's data. IP addresses and user agents are in the rows of the sessions.
const saidOf: Readonly<Record<string, readonly string[]>> = {
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
export function chainFacts(
  links: readonly Link[],
  expected: { readonly org_id: string; readonly subject: string; readonly head?: Head },
): ChainFacts {
  const fault = firstFault(links, expected);
  const last = links.at(-1)?.entry;
  return {
    head: last === undefined || entryMisfit(last) !== null ? null : { seq: last.seq, hash: last.hash, at: last.at },
    fault: fault === null ? null : { kind: fault.kind, seq: fault.seq },
    milestones: milestonesOf(links),
  };
}

/** Only what the entries say, for whoever has verified the chain already. */
export const milestonesOf = (links: readonly Link[]): Milestone[] => links.flatMap(milestoneOf);

// Also of a broken chain: check 6 says that it is broken, and the others go on with what they can see.
function milestoneOf(link: Link): Milestone[] {
  if (entryMisfit(link?.entry) !== null) return [];
  const { entry, data } = link;
  const members = Object.hasOwn(saidOf, entry.type) ? saidOf[entry.type] : undefined;
  if (members === undefined) return [];
  const { seq, type, at, actor } = entry;
  return [{ seq, type, at, actor: { kind: actor.kind, id: actor.id }, said: data === null ? null : picked(data.data, members) }];
}

// A member that is missing stays missing: null would be something that was said.
function picked(data: Json, members: readonly string[]): Record<string, Json> {
  const all = Object(data) as Record<string, Json>;
  return Object.fromEntries(members.flatMap((name) => (Object.hasOwn(all, name) ? [[name, all[name] as Json]] : [])));
}

/** The hash by which a register, an entry or a certificate names a JSON document. */
export function hashOfJson(value: unknown): string {
  return createHash("sha256").update(canonicalize(value)).digest("hex");
}

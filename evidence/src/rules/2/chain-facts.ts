import { type ChainFacts, type ExpectedChain, factsOfChain, type Milestone, type SaidMembers, toMilestones } from "../../milestones.ts";
import type { Link } from "../../verify-chain.ts";
import { saidOf as saidInRules1 } from "../1/chain-facts.ts";

const more: SaidMembers = {
  "envelope.created": ["record_type", "instrument"],
  "envelope.completed": ["record_type", "instrument"],
  "duplicate.reviewed": ["other_envelope_id", "kinds", "principal", "depositor"],
  "envelope.sent": ["content_version", "fields_sha256", "signers_sha256", "kba_required", "maker_roles", "recipients"],
  "agreement.accepted": ["agreement_version", "agreement_sha256", "role", "user_email", "signing_session"],
  "signer.corrected": ["signers_sha256"],
  "recipient.added": ["recipient_id", "kind", "step", "email", "name", "role", "signers_sha256"],
  "recipient.removed": ["recipient_id", "signers_sha256"],
  "recipient.replaced": ["recipient_id", "to", "signers_sha256"],
  "recipient.opened": [
    ...["user_email", "credential", "signing_session", "link_kind", "message_id", "mail_sent_at", "issued_by", "ip", "user_agent", "by"],
  ],
  "recipient.approved": ["recipient_id", "user_email", "prepared_sha256", "state_sha256", "values_sha256", "acted_at", "signing_session"],
  "recipient.confirmed": ["recipient_id", "user_email", "prepared_sha256", "state_sha256", "acted_at", "signing_session"],
  "recipient.notified": ["recipient_id", "what"],
  "signer.opened": ["link_kind", "message_id", "mail_sent_at", "issued_by", "ip", "user_agent", "by"],
  "signer.link_handed_over": [],
  "identity.set": ["role", "recipient_id", "methods", "link_methods"],
  "identity.passed": ["method", "provider", "message_id", "signing_session"],
  "identity.failed": ["method", "provider", "message_id", "signing_session"],
  "signature.applied": ["values_sha256", "signed_at", "ip", "user_agent"],
  "document.received": ["document_id", "document_no"],
  "document.removed": ["document_id"],
  "document.prepared": ["documents"],
  "document.part_sealed": ["document_no", "sha256", "sha512", "size"],
  "document.record_mismatch": ["what", "signer"],
  "mail.accepted": ["message_id", "kind", "to", "server", "code", "tls"],
  "mail.failed": ["message_id", "code", "stage"],
  "mail.delivered": ["message_id"],
  "mail.bounced": ["message_id"],
  "mail.complained": ["message_id"],
  "vault.stored": ["sha512", "seal_level"],
  "chain.imported": ["transfer_id", "root", "org_id", "envelope_id", "copy_id", "head", "lineage_id", "release_sha256"],
  "vault.transferred": ["transfer_id", "copy_id", "permission_id", "hash", "to", "package_sha256"],
  "vault.receipt_used": ["export_id", "key_id", "from_org_id", "from_envelope_id", "copy_id", "sha256"],
  "vault.paper_begun": ["ending_id", "copy_id", "hash", "act_id"],
  "vault.paper_cancelled": ["ending_id", "copy_id"],
  "vault.papered": ["ending_id", "copy_id", "permission_id", "hash", "pdf_sha256"],
  "vault.destruction_begun": ["ending_id", "copy_id", "permission_id", "hash"],
  "vault.destroyed": ["ending_id", "copy_id", "hash"],
  "vault.transfer_refused": ["transfer_id", "copy_id", "after_release"],
  "vault.recovered": ["transfer_id", "copy_id", "to", "act_id"],
  "vault.recovery_contradicted": ["transfer_id", "copy_id", "there"],
  "vault.hold_placed": ["hold_id"],
  "vault.hold_released": ["hold_id"],
  "copy.issued": ["sha512"],
  "act.confirmed": ["act_id", "sha256", "role", "party_id", "email", "method", "is_member", "approvers_replaced", "proof_sha256"],
  "act.registered": ["act_id", "sha256", "registry", "reference", "answer_sha256"],
  "act.effective": ["act_id", "kind", "sha256", "index"],
};

const saidOf: SaidMembers = Object.fromEntries(
  [...new Set([...Object.keys(saidInRules1), ...Object.keys(more)])].map((type) => [
    type,
    [...(saidInRules1[type] ?? []), ...(more[type] ?? [])],
  ]),
);

/** What a chain says, up to its last link, as rules 2 read it. */
export const chainFacts = (links: readonly Link[], expected: ExpectedChain): ChainFacts => factsOfChain(links, expected, saidOf);

/** Only what the entries say, for callers that have verified the chain already. */
export const milestonesOf = (links: readonly Link[]): Milestone[] => toMilestones(links, saidOf);

// How strong it is that a party itself decided: from the acts that took effect and the proofs of those who confirmed them.

import { isInBatch } from "../../act-batch.ts";
import type { ActFacts, ApprovalFacts, AssignmentFacts2, Facts2 } from "../../facts-2.ts";
import { type PasskeyProof, passkeyProofFault } from "../../passkey.ts";
import { isOneInstallation, readVaultProof, type VaultDecision } from "../../vault-proof.ts";
import type { Graded } from "./checks/check.ts";
import { attested, proven } from "./checks/check.ts";

/** Whether a passkey or another installation signed exactly this act. Other methods leave nothing that a third party could check. */
export function isProof(approval: ApprovalFacts, act: Pick<ActFacts, "sha256" | "document">): boolean {
  const { method, proof } = approval;
  if (method === "vault_key") return vaultDecisionOf(approval, act).fault === null;
  if (method !== "passkey") return true;
  return proof !== null && typeof proof === "object" && passkeyProofFault(proof as unknown as PasskeyProof, act.sha256) === null;
}

/** What another installation signed, and whether it is about this act. */
export const vaultDecisionOf = (
  { proof, party_id, email }: ApprovalFacts,
  { sha256: act_sha256, document: act }: Pick<ActFacts, "sha256" | "document">,
): VaultDecision => readVaultProof(proof, { act_sha256, act, party_id, email });

/**
 * Whether the act is about this record and no other copy of it: its document names the record, or it is an act on many records and the
 * proof leads from this record to the root that the document names. The hash of the document is checked elsewhere.
 */
export function isAboutRecord({ document, batch }: ActFacts, { envelope, copy }: Pick<Facts2, "envelope" | "copy">): boolean {
  const record = { envelope_id: envelope.envelope_id, copy_sha256: copy?.sha256 ?? null };
  const isRecord = (named: unknown): boolean =>
    memberOf(named, "envelope_id") === record.envelope_id && memberOf(named, "copy_sha256") === record.copy_sha256;
  if (batch === undefined) return (document.batch ?? null) === null && isRecord(document);
  return document.envelope_id === null && isInBatch(batch, document) && isRecord(batch.item);
}

/** What a confirmation by this approval is worth. */
export function gradeOfApproval(approval: ApprovalFacts, act: ActFacts, party: string): Graded {
  const { email, method, is_member, approvers_replaced } = approval;
  const { batch, document } = act;
  if (batch !== undefined && !isInBatch(batch, document)) return attested("The record is not in the list that was confirmed.");
  if (is_member) return attested(`${email}, who confirmed for ${party}, is also a member of the depositing organization.`);
  if (approvers_replaced === true)
    return attested(
      `Confirmed by ${email} for ${party}, whose approvers the depositing organization had replaced because none could be reached.`,
    );
  if (method === "code") return attested(`Confirmed by ${email} with a code sent to that address. ${UNVERIFIED}`);
  if (method === "vault_key") return gradeOfVault(approval, act, party);
  if (!isProof(approval, act)) return attested(`The passkey of ${email} did not sign this act.`);
  if (method === "passkey") return proven(`Confirmed by ${email} (passkey). ${UNVERIFIED}`);
  return proven(`Confirmed by ${email} as another organization of this installation.`);
}

/** A decision that another installation signed. Who decided there is what that installation states. */
function gradeOfVault(approval: ApprovalFacts, act: ActFacts, party: string): Graded {
  const { email } = approval;
  const decision = vaultDecisionOf(approval, act);
  if (decision.fault !== null) return attested(`The other installation that acts for ${party} did not sign this act.`);
  if (isOneInstallation(decision))
    return attested(`Confirmed by ${email} for ${party} at an organization of the same installation, which signed its own request.`);
  const root = decision.message.decider.root.slice(0, ROOT_DIGITS);
  return proven(
    `Confirmed by ${email} at another installation, which signed this act (root ${root}…). That this installation acts for the party was not verified: the depositing organization pinned its root.`,
  );
}

// Enough to tell roots apart in a sentence. The whole hash is in the act.
const ROOT_DIGITS = 16;

const UNVERIFIED = "That this person acts for the party was not verified.";

/** The first grade that is not proven decides; else the last one. */
export const weakest = (grades: readonly Graded[], otherwise: Graded): Graded =>
  grades.find(({ grade }) => grade !== "proven") ?? grades.at(-1) ?? otherwise;

export const effectiveRows = ({ assignments }: Facts2): AssignmentFacts2[] =>
  assignments.filter(({ state }) => state === "effective").sort((a, b) => a.seq - b.seq);

export const partyInDocument = ({ document }: ActFacts): string | null => memberOf(document.party, "party_id");

export const memberOf = (value: unknown, name: string): string | null => {
  const member = (Object(value) as Record<string, unknown>)[name];
  return typeof member === "string" ? member : null;
};

/** The confirmation of one party in an act; null if it gave none. */
export const approvalOf = ({ approvals }: ActFacts, party_id: string | null): ApprovalFacts | null =>
  party_id === null ? null : (approvals.find((approval) => approval.party_id === party_id) ?? null);

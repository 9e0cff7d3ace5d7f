// Evidence that another installation decided on an act: the signed decision, and its list of keys under the root that was pinned. Anyone with
// the act can check it, without asking that installation.

import { asksVault, type DecisionMessage, isActMessageSigned, readActMessage } from "./act-message.ts";
import type { Json } from "./canonical.ts";
import { fromBase64 } from "./note.ts";
import { hasExactly } from "./shape.ts";
import { type RemoteTrust, readTrustStatement, type TrustStatement } from "./trust-document.ts";

/** As it is stored and put into bundles. */
export type VaultProof = {
  /** the decision in canonical JSON, as base64 */
  readonly bytes: string;
  /** raw Ed25519 over these bytes, as base64 */
  readonly signature: string;
  readonly trust: TrustStatement;
};

/** What the decision must be about. */
export type VaultExpected = {
  readonly act_sha256: string;
  /** the document of the act, which names the pinned root of those it asks */
  readonly act: { readonly [member: string]: Json };
  readonly party_id: string | null;
  /** in lower case */
  readonly email: string;
};

/** Why a proof is refused. */
export type VaultFault = "malformed" | "act" | "party" | "decision" | "email" | "root" | "signature";

export type VaultDecision =
  | { readonly fault: VaultFault }
  | { readonly fault: null; readonly message: DecisionMessage; readonly trust: RemoteTrust };

/** Reads a proof, and finds out whether it shows that the installation which the act asks for this party confirmed exactly this act. */
export function readVaultProof(proof: unknown, { act_sha256, act, party_id, email }: VaultExpected): VaultDecision {
  const isText = (member: unknown): boolean => typeof member === "string";
  const isObject = (member: unknown): boolean => typeof member === "object" && member !== null;
  if (!hasExactly(proof, { bytes: isText, signature: isText, trust: isObject })) return { fault: "malformed" };
  const given = proof as VaultProof;
  const [bytes, signature] = [fromBase64(given.bytes), fromBase64(given.signature)];
  const message = bytes === null ? null : readActMessage(bytes);
  if (bytes === null || signature === null || message?.type !== "countersign/link/1/decision") return { fault: "malformed" };
  const isAbout = message.act_sha256 === act_sha256 && message.act_id === act.act_id && message.asker.org_id === act.org_id;
  if (!isAbout) return { fault: "act" };
  if (message.party_id !== party_id || !asksVault(act, party_id, message.decider)) return { fault: "party" };
  if (message.decision !== "confirm") return { fault: "decision" };
  if (message.decided_by.email !== email) return { fault: "email" };
  const trust = readTrustStatement(given.trust, message.decider.root);
  if (trust === null) return { fault: "root" };
  return isActMessageSigned({ bytes, signature }, message, trust.keys) ? { fault: null, message, trust } : { fault: "signature" };
}

/** Whether both sides are one installation, which then signed its own request. */
export const isOneInstallation = ({ message, trust }: { readonly message: DecisionMessage; readonly trust: RemoteTrust }): boolean =>
  trust.roots.includes(message.asker.root);

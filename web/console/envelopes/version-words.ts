import type { Envelope, Recipient } from "@countersign/client/types";
import { en as words } from "../words/documents/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";

/** Which version of the document is shown. */
export function versionWords(envelope: Envelope, recipients: readonly Recipient[]): string {
  const { status, metadata } = envelope;
  const hasSigned = recipients.some((one) => one.status === "signed" || one.status === "approved");
  if (isDraft(status)) return words.versions.draft;
  if (isDiscarded(envelope)) return words.versions.neverSent;
  if (isOpen(status)) return hasSigned ? words.versions.signedSoFar : words.versions.sent;
  if (status === "vaulted") return words.markedCopy;
  if (status === "completed" && metadata.auto_vault_enabled) return words.versions.signedBeforeVault;
  if (status === "completed") return words.versions.signed;
  return hasSigned ? words.versions.signedBefore(status) : words.versions.unsigned;
}

import type { Envelope, Recipient } from "@countersign/client/types";
import { en as words } from "../words/documents/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";

/** Which version of the document is shown. */
export function versionWords(envelope: Envelope, recipients: readonly Recipient[]): string {
  const { status, metadata } = envelope;
  const hasSigned = recipients.some((one) => one.status === "signed" || one.status === "approved");
  if (isDraft(status)) return "the draft, as it will be sent";
  if (isDiscarded(envelope)) return "a draft that was never sent";
  if (isOpen(status)) return hasSigned ? "with everything signed so far" : "as sent. No one has signed yet";
  if (status === "vaulted") return words.markedCopy;
  if (status === "completed" && metadata.auto_vault_enabled) return "signed by everyone, before it is stored in the vault";
  if (status === "completed") return "signed by everyone";
  return hasSigned ? `with everything signed before the envelope was ${status}` : "as sent. No one signed";
}

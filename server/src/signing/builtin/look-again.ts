import type { WidgetCaller } from "../../shared/caller.ts";
import { listRecipients } from "../store.ts";
import type { Recipient, SentEnvelope, SigningDeps } from "../submission.ts";

/** What an open page asks for every few seconds. It costs two reads, and an ended envelope is an answer here. */
export interface Progress {
  readonly envelope_status: SentEnvelope["status"];
  /** why the sender withdrew the document; null for every other status */
  readonly reason: string | null;
  /** null for a person who is no recipient */
  readonly your_status: Recipient["status"] | null;
  readonly signed: number;
}

export function lookAgain(deps: SigningDeps, { org, holder }: WidgetCaller): Promise<Progress> {
  return deps.db.tx(org, async (tx) => {
    const { status, reason } = await deps.findEnvelope(tx, org, holder.envelope_id);
    const recipients = await listRecipients(tx, org, holder.envelope_id);
    return {
      envelope_status: status,
      // The reason of a signer who declined is for the sender alone.
      reason: status === "voided" ? reason : null,
      your_status: recipients.find(({ slug }) => slug === holder.slug)?.status ?? null,
      signed: recipients.filter((one) => one.status === "signed").length,
    };
  });
}

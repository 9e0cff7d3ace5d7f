import type { WidgetCaller } from "../../shared/caller.ts";
import { listSigners } from "../store.ts";
import type { SentEnvelope, Signer, SigningDeps } from "../submission.ts";

/** What an open page asks for every few seconds. It costs two reads, and an ended envelope is an answer here. */
export interface Progress {
  readonly envelope_status: SentEnvelope["status"];
  /** why the sender withdrew the document; null for every other status */
  readonly reason: string | null;
  /** null for a viewer */
  readonly your_status: Signer["status"] | null;
  readonly signed: number;
}

export function lookAgain(deps: SigningDeps, { org, holder }: WidgetCaller): Promise<Progress> {
  return deps.db.tx(org, async (tx) => {
    const { status, reason } = await deps.findEnvelope(tx, org, holder.envelope_id);
    const signers = await listSigners(tx, org, holder.envelope_id);
    return {
      envelope_status: status,
      // The reason of a signer who declined is for the sender alone.
      reason: status === "voided" ? reason : null,
      your_status: signers.find(({ slug }) => slug === holder.slug)?.status ?? null,
      signed: signers.filter((signer) => signer.status === "signed").length,
    };
  });
}

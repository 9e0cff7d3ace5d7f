import { appendAudit } from "../../audit/append-audit.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { markPaperRequested } from "../store.ts";
import type { SigningDeps } from "../submission.ts";
import { asSigner, refuseUnready } from "./ceremony.ts";

/**
 * A signer wants to sign on paper. The sender is told, and the envelope stays open: the signer can still sign here. Asking again records
 * and sends nothing.
 */
export function requestPaper(deps: SigningDeps, who: WidgetCaller): Promise<Date> {
  const { envelope_id, signing_session } = who.holder;
  return asSigner(deps, who, async (tx, ceremony, slug) => {
    refuseUnready(ceremony);
    const before = ceremony.you?.paper_requested_at ?? null;
    if (before !== null) return before;
    const requested_at = await markPaperRequested(tx, who.org, slug);
    await appendAudit(tx, who.org, { type: "signer.paper_requested", by: who, envelope_id, data: { signing_session } });
    await deps.onSubmission(tx, who.org, { kind: "paper_requested", envelope_id, slug, by: who, signing_session });
    return requested_at;
  });
}

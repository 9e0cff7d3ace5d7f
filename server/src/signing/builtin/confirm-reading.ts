import { appendAudit } from "../../audit/append-audit.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { provenRecord } from "../proven-record.ts";
import { finalValuesIn, stateHash } from "../signed-content.ts";
import { markActed } from "../store.ts";
import type { SigningDeps } from "../submission.ts";
import type { Acted } from "./approve-document.ts";
import { asRecipient, notNow, refuseNewName, refuseOtherTask, refuseUnready, renderedIn } from "./ceremony.ts";
import { ensureOpened } from "./open-signing.ts";

/** A viewer confirms that they have read the document as it is now. Page 1 was served in this signing session. */
export function confirmReading(deps: SigningDeps, who: WidgetCaller, asked: { readonly state_sha256: string }): Promise<Acted> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  return asRecipient(deps, who, ["viewer"], async (tx, ceremony, slug) => {
    const you = refuseOtherTask(ceremony, ["viewer"]);
    refuseUnready(ceremony);
    refuseNewName(you);
    await ensureOpened(deps, tx, who, ceremony);
    const { document, signed } = await provenRecord(deps, tx, org, envelope_id);
    const { prepared_sha256 } = document;
    const { now: acted_at } = renderedIn(ceremony);
    const state_sha256 = stateHash(document, finalValuesIn(document, signed));
    if (asked.state_sha256 !== state_sha256) throw notNow("signing_stale", "stale", "read it again first");
    await markActed(tx, org, slug, "confirmed", acted_at);
    const { recipient_id, email: user_email } = you;
    const data = { recipient_id, user_email, prepared_sha256, state_sha256, acted_at: acted_at.toISOString(), signing_session };
    await appendAudit(tx, org, { type: "recipient.confirmed", by: who, envelope_id, data });
    const envelope_status = await deps.onSubmission(tx, org, { kind: "acted", envelope_id, slug, by: who, signing_session });
    return { acted_at, envelope_status };
  });
}

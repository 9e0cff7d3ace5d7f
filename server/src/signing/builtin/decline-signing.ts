import type { WidgetCaller } from "../../shared/caller.ts";
import { invalidField } from "../../shared/problems.ts";
import { withoutDirections } from "../../shared/without-directions.ts";
import { cancelSigners, endSubmission, markDeclined } from "../store.ts";
import type { SigningDeps } from "../submission.ts";
import { asRecipient, refuseActed } from "./ceremony.ts";

/**
 * The decline of one signer, or the rejection of one approver, ends the envelope for everyone. Also possible before their turn and while
 * they are locked out. An approver gives a reason.
 */
export async function declineSigning(deps: SigningDeps, who: WidgetCaller, said: string | null): Promise<Date> {
  const { envelope_id, signing_session } = who.holder;
  const reason = said === null ? null : withoutDirections(said);
  return asRecipient(deps, who, ["signer", "approver"], async (tx, ceremony, slug) => {
    if (ceremony.you?.kind === "approver" && (reason ?? "").trim() === "") throw invalidField("reason", "required", "must say why");
    refuseActed(ceremony);
    await endSubmission(tx, who.org, envelope_id);
    const declined_at = await markDeclined(tx, who.org, slug, reason);
    await cancelSigners(tx, who.org, envelope_id);
    await deps.onSubmission(tx, who.org, { kind: "declined", envelope_id, slug, by: who, signing_session, reason });
    return declined_at;
  });
}

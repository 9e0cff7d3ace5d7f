import type { WidgetCaller } from "../../shared/caller.ts";
import { withoutDirections } from "../../shared/without-directions.ts";
import { cancelSigners, endSubmission, markDeclined } from "../store.ts";
import type { SigningDeps } from "../submission.ts";
import { asSigner, refuseSigned } from "./ceremony.ts";

/** One signer's decline ends the envelope for everyone. Also possible before their turn and while they are locked out. */
export async function declineSigning(deps: SigningDeps, who: WidgetCaller, said: string | null): Promise<Date> {
  const { envelope_id, signing_session } = who.holder;
  const reason = said === null ? null : withoutDirections(said);
  return asSigner(deps, who, async (tx, ceremony, slug) => {
    refuseSigned(ceremony);
    await endSubmission(tx, who.org, envelope_id);
    const declined_at = await markDeclined(tx, who.org, slug, reason);
    await cancelSigners(tx, who.org, envelope_id);
    await deps.onSubmission(tx, who.org, { kind: "declined", envelope_id, slug, by: who, signing_session, reason });
    return declined_at;
  });
}

import { type EnvelopeStatus, findStatus, lockRow } from "../envelopes/store.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import { declineSigning } from "../signing/builtin/decline-signing.ts";
import { openSigning } from "../signing/builtin/open-signing.ts";
import { lookUpRecipient } from "../signing/store.ts";
import { visitAs } from "./act-for.ts";
import { inSteps, type TestDeps } from "./operation.ts";
import { refuseClosed } from "./refuse-closed.ts";

/** A recipient opens the page and declines, or an approver rejects: the envelope ends for everyone. */
export function declineEnvelope(
  deps: TestDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  { email, reason }: { readonly email: string; readonly reason?: string },
): Promise<EnvelopeStatus> {
  const { org } = caller;
  return deps.signing.db.tx(org, async (tx) => {
    refuseClosed("decline", await lockRow(tx, org, envelope_id));
    const you = await lookUpRecipient(tx, org, envelope_id, email);
    if (you === null) throw invalidField("email", "not_found", "is not a recipient of this envelope");
    const signing = { ...deps.signing, db: inSteps(deps.signing.db, tx) };
    const who = await visitAs(deps, tx, caller, envelope_id, you);
    await openSigning(signing, who);
    await declineSigning(signing, who, reason ?? null);
    return findStatus(tx, org, envelope_id);
  });
}

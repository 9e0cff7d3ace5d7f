import { cachedPage } from "../documents/page-cache.ts";
import { type EnvelopeStatus, findEnvelope, findStatus, lockRow } from "../envelopes/store.ts";
import type { Caller } from "../shared/caller.ts";
import { emailKey } from "../shared/email.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { listRecipients } from "../signing/store.ts";
import { hasFinished, isActing, type Recipient } from "../signing/submission.ts";
import { actFor, visitAs } from "./act-for.ts";
import { inSteps, type TestDeps } from "./operation.ts";
import { refuseClosed } from "./refuse-closed.ts";
import { type GivenValues, refuseUnfillable, valuesFor } from "./values.ts";

export interface ToSign {
  /** everyone who must act and has not, if it is left out */
  readonly emails?: readonly string[];
  readonly values?: GivenValues;
}

/** Draws page 1, which each recipient is shown. Outside the transaction, because it is slow. */
async function drawFirstPage({ signing }: TestDeps, { org }: Caller, envelope_id: EnvelopeId): Promise<void> {
  const { prepared_sha256 } = await signing.db.tx(org, async (tx) => {
    refuseClosed("sign", await findEnvelope(tx, org, envelope_id));
    return signing.findDocument(tx, org, envelope_id);
  });
  await cachedPage(signing, org, prepared_sha256, { page: 1, width_px: 1224 });
}

/** Runs the ceremony of each recipient in their order. All of them commit together: if one cannot act, none has. */
async function runCeremonies(
  deps: TestDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  { emails, values = {} }: ToSign,
): Promise<EnvelopeStatus> {
  const { org } = caller;
  return deps.signing.db.tx(org, async (tx) => {
    refuseClosed("sign", await lockRow(tx, org, envelope_id));
    const wanted = chosen(await listRecipients(tx, org, envelope_id), emails);
    const signing = { ...deps.signing, db: inSteps(deps.signing.db, tx) };
    const document = await signing.findDocument(tx, org, envelope_id);
    await refuseUnfillable(signing, tx, org, wanted, document, values);
    for (const you of wanted) {
      const who = await visitAs(deps, tx, caller, envelope_id, you);
      await actFor(signing, who, you, valuesFor(you, document, values));
    }
    return findStatus(tx, org, envelope_id);
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const signEnvelope = { draw: drawFirstPage, run: runCeremonies };

/** In the order in which they act. Throws 422 for an address of no one who acts, and 409 for one of a person who has. */
function chosen(recipients: readonly Recipient[], emails: readonly string[] | undefined): Recipient[] {
  const acting = recipients.filter(isActing);
  if (emails === undefined) return acting.filter((one) => !hasFinished(one));
  const isMeant = (email: string, one: Recipient) => emailKey(email) === emailKey(one.email);
  const details = emails.flatMap((email, index): Detail[] => {
    if (acting.some((one) => isMeant(email, one))) return [];
    const message = "is not a recipient of this envelope who signs, approves or confirms";
    return [{ location: "body", field: `emails[${index}]`, code: "not_found", message }];
  });
  if (details.length > 0) throw new Problem("invalid_request", "emails", { details });
  const meant = acting.filter((one) => emails.some((email) => isMeant(email, one)));
  if (meant.some(hasFinished)) throw new Problem("recipient_has_acted");
  return meant;
}

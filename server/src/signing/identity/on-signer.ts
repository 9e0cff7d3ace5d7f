import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { listRecipients } from "../store.ts";
import { isActing, type LiveEnvelope, type Recipient, refuseEnded, type SigningDeps } from "../submission.ts";

export type SettingDeps = Pick<SigningDeps, "db" | "values" | "lockEnvelope">;

export interface Place {
  readonly envelope_id: EnvelopeId;
  readonly slug: Slug;
}

/** Runs what a sender changes about a person who acts, in one transaction that holds the envelope's lock. */
export function onSigner<T>(
  deps: SettingDeps,
  { org }: Caller,
  { envelope_id, slug }: Place,
  act: (tx: Tx, signer: Recipient, envelope: LiveEnvelope) => Promise<T>,
): Promise<T> {
  return deps.db.tx(org, async (tx) => {
    const find = async () => (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug && isActing(one));
    // The same for a missing envelope, so that the response does not reveal which of the two is missing.
    if ((await find()) === undefined) throw new Problem("signer_not_found");
    const envelope = await deps.lockEnvelope(tx, org, envelope_id);
    const signer = await find();
    if (signer === undefined) throw new Problem("signer_not_found", "corrected meanwhile");
    refuseEnded(envelope);
    return act(tx, signer, envelope);
  });
}

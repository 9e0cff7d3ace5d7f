import { sendEnvelope } from "../envelopes/send-envelope.ts";
import { findEnvelope } from "../envelopes/store.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { FormDeps } from "./form.ts";
import { closedIfRefused } from "./make-copy.ts";

/**
 * Sends the draft, unless that was done. Of several runs one sends it, and the others find it sent. A form never accepts the vault terms,
 * which only a sender can do.
 */
export async function sendCopy({ db, envelopes }: FormDeps, caller: Caller, envelope_id: EnvelopeId): Promise<void> {
  const isSent = async () => (await db.tx(caller.org, (tx) => findEnvelope(tx, caller.org, envelope_id))).submission_id !== null;
  if (await isSent()) return;
  try {
    const prepared = await closedIfRefused(() => sendEnvelope.prepare(envelopes, caller, envelope_id, {}, () => undefined));
    try {
      await closedIfRefused(() => sendEnvelope.save(envelopes, caller, prepared, () => undefined));
    } catch (error) {
      await sendEnvelope.discard(envelopes, caller, prepared);
      throw error;
    }
  } catch (error) {
    const isRaced = error instanceof Problem && (error.code === "envelope_wrong_status" || error.code === "envelope_changed");
    if (!isRaced || !(await isSent())) throw error;
  }
}

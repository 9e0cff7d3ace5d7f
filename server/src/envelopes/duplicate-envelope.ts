import { holdCustomer } from "../customers/store.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, newId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { isActing, type SigningOrder } from "../signing/submission.ts";
import { recordCreated } from "./create-envelope.ts";
import { copyDocuments, copyFields, countDocuments } from "./document-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { orderNow, withoutGaps } from "./plan-recipients.ts";
import { type DraftRecipient, keptRecipients } from "./recipient-input.ts";
import { findEnvelope, insertEnvelope } from "./store.ts";
import { copyTags } from "./tag-store.ts";

/**
 * A new draft for the same customer: the documents as they were uploaded, fields, people, choices and tags. Nothing that a person filled in,
 * accepted or signed, and no external id, because that is the caller's name for one envelope.
 */
export function duplicateEnvelope(deps: Pick<EnvelopeDeps, "db">, caller: Caller, from: EnvelopeId): Promise<Envelope> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const source = await findEnvelope(tx, org, from);
    refuseOriginal(source);
    const customer_id = source.customer_id === null ? null : await holdCustomer(tx, org, source.customer_id);
    const documents = await countDocuments(tx, org, from);
    const envelope_id = newId("envelope", tx.now.getTime());
    await insertEnvelope(tx, org, {
      ...source,
      customer_id,
      envelope_id,
      // Not `uploaded`: what can be deposited as a signed original is a file that arrived, and this is a copy.
      status: documents === 0 ? "pending" : "preparing",
      external_id: null,
      custom: null,
      is_upload: false,
      // No visitor started this one.
      form_id: undefined,
      ...peopleAgain(source),
      created_by: caller.actor.id,
      owner_user_id: undefined,
      batch_id: undefined,
    });
    if ((await copyDocuments(tx, org, from, envelope_id)) !== documents) throw new Problem("document_not_reusable");
    await copyFields(tx, org, from, envelope_id);
    await copyTags(tx, org, from, envelope_id);
    const { template_id, auto_vault_enabled, kba_required, record_type, instrument } = source;
    await recordCreated(tx, caller, envelope_id, {
      customer_id,
      external_id: null,
      data: {
        duplicate_of: from,
        template_id,
        is_upload: false,
        auto_vault_enabled,
        kba_required,
        record_type,
        ...(instrument !== null && { instrument: { type: instrument.type, number: instrument.number, date: instrument.date } }),
      },
    });
    return findEnvelope(tx, org, envelope_id);
  });
}

/** An original that was signed elsewhere, or that another vault released, would leave the vault as an unmarked copy. */
export function refuseOriginal({ status, submission_id }: Envelope): void {
  if (submission_id === null && (status === "completed" || status === "vaulted")) throw new Problem("document_not_reusable");
}

/** The people of an envelope as a draft has them. Where the order says when each acts, and no copy depends on a step, steps are left out. */
export function peopleAgain(envelope: Envelope): {
  signers: ReturnType<typeof keptRecipients>;
  signing_order: SigningOrder;
} {
  const { recipients } = envelope;
  const signing_order = orderNow(envelope);
  const isPlain = signing_order !== "steps" && recipients.every((one) => isActing(one) || one.step === null);
  const people = recipients.map(({ kind, email, name, role, step, locale, message, delivery, authentication }): DraftRecipient => {
    const asked = authentication == null ? {} : { authentication };
    return { kind, email, name, role, step: isPlain ? null : step, locale, message, delivery, ...asked };
  });
  return { signers: keptRecipients(withoutGaps(people)), signing_order };
}

import { sharedFonts, undrawableIn } from "@countersign/pdf/fit";
import { appendAudit } from "../audit/append-audit.ts";
import { noteRecipients } from "../customers/note-recipients.ts";
import { reachesPeople } from "../mail/message.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, newId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import { newSlug } from "../shared/slugs.ts";
import { atLeast } from "../signing/identity/minimum.ts";
import { requireOf } from "../signing/identity/set-requirements.ts";
import { signersHash } from "../signing/proven-record.ts";
import { insertRecipients, listRecipients } from "../signing/store.ts";
import { auditedRecipient, isActing, type Recipient } from "../signing/submission.ts";
import { advanceEnvelope } from "./advance-envelope.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { onOpenEnvelope, refuseTaken, stepFor } from "./recipient-changes.ts";
import type { AddedRecipient } from "./recipient-input.ts";
import { findSigningEnvelope } from "./signing-envelope-store.ts";
import { writeWords } from "./words-store.ts";

/** Adds an approver, a viewer or a person who gets a copy to a sent envelope. If their step is running, they are invited at once. The minimum of the organization applies. */
export function addRecipient(deps: EnvelopeDeps, caller: Caller, envelope_id: EnvelopeId, added: AddedRecipient): Promise<Recipient> {
  const { org } = caller;
  const { kind, email, name, locale = null, delivery = "email" } = added;
  const message = added.message === "" ? null : (added.message ?? null);
  const undrawable = undrawableIn(name, sharedFonts());
  if (undrawable !== null) throw invalidField("name", "invalid_value", undrawable);
  if (isActing({ kind }) && added.step == null) throw invalidField("step", "step_missing", "is required for a person who acts");
  return onOpenEnvelope(deps, caller, envelope_id, async (tx, { record }) => {
    const { recipients, content_version } = record;
    if (recipients.length >= MAX_RECIPIENTS)
      throw invalidField("email", "too_big", `cannot be added: an envelope has at most ${MAX_RECIPIENTS} recipients`);
    refuseTaken(recipients, email);
    const { require_mailed_link, identity_policy: policy, kba_required, form } = await findSigningEnvelope(tx, org, envelope_id);
    if (require_mailed_link && delivery === "link") {
      throw invalidField("delivery", "mailed_link_required", "your organization accepts only links in our e-mails");
    }
    const step = added.step == null ? null : stepFor(recipients, kind, added.step);
    const [recipient_id, slug] = [newId("recipient"), newSlug()];
    await insertRecipients(tx, org, envelope_id, [{ recipient_id, kind, email, name, role: null, step, locale, message, delivery, slug }]);
    const after = await listRecipients(tx, org, envelope_id);
    const made = after.find((one) => one.slug === slug);
    if (made === undefined) throw new Error("a person who was added is not there");
    await writeWords(tx, org, envelope_id);
    await noteRecipients(tx, org, [made]);
    const data = { ...auditedRecipient(made), ...signersHash(after, content_version) };
    await appendAudit(tx, org, { type: "recipient.added", by: caller, envelope_id, data });
    const can = { methods: deps.identityMethods, mailsCodes: reachesPeople(deps.mail, org) };
    const place = { field: "kind", otherwise: "Name people who act before the envelope is sent" };
    const asked = isActing(made) ? atLeast(can, [], { policy, kba_required, of_form: form !== null }, place) : [];
    if (asked.length > 0) await requireOf(tx, caller, envelope_id, made, asked);
    await advanceEnvelope(deps, tx, org, envelope_id, { by: caller });
    return (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug) ?? made;
  });
}

const MAX_RECIPIENTS = 100;

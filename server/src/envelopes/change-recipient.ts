import { sharedFonts, undrawableIn } from "@countersign/pdf/fit";
import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, RecipientId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { invalidField } from "../shared/problems.ts";
import { newSlug } from "../shared/slugs.ts";
import { copyRequirements } from "../signing/identity/store.ts";
import { revokeLinks } from "../signing/link-store.ts";
import { signersHash } from "../signing/proven-record.ts";
import { insertRecipients, listRecipients, removeRecipient, updateRecipient } from "../signing/store.ts";
import { auditedRecipient, type Recipient, runningStep } from "../signing/submission.ts";
import { advanceEnvelope } from "./advance-envelope.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { withdrawLinks } from "./notify.ts";
import { onOpenRecipient, refuseTaken, stepFor } from "./recipient-changes.ts";
import { writeWords } from "./words-store.ts";

export interface RecipientChange {
  readonly email?: string;
  readonly name?: string;
  readonly step?: number;
  readonly message?: string | null;
  readonly locale?: Locale | null;
}

/**
 * Changes a person of a sent envelope who has not acted. With another address, another person takes the place: the old links and tokens end
 * at once, and consent and entries start again. A person who is moved into the running step is invited at once, one who is moved to a
 * later step when it begins. A request that changes nothing has no effect.
 */
export function changeRecipient(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  recipient_id: RecipientId,
  change: RecipientChange,
): Promise<Recipient> {
  const { org } = caller;
  return onOpenRecipient(deps, caller, envelope_id, recipient_id, async (tx, { envelope, record, before }) => {
    const { recipients, content_version } = record;
    const after = changed(recipients, before, change);
    if (MEMBERS.every((member) => after[member] === before[member])) return before;
    refuseTaken(recipients, after.email, before);
    const undrawable = undrawableIn(after.name, sharedFonts());
    if (undrawable !== null) throw invalidField("name", "invalid_value", undrawable);
    const isOther = after.email.toLowerCase() !== before.email.toLowerCase();
    if (isOther) {
      await revokeLinks(tx, org, before.slug);
      await withdrawLinks(tx, envelope, before.email);
      await removeRecipient(tx, org, before.slug);
      await insertRecipients(tx, org, envelope_id, [after]);
      await copyRequirements(tx, org, before.slug, after.slug);
    } else {
      await updateRecipient(tx, org, after);
      if (after.invited_at === null && before.invited_at !== null) await withdrawLinks(tx, envelope, before.email);
    }
    await writeWords(tx, org, envelope_id);
    const now = await listRecipients(tx, org, envelope_id);
    const data = {
      recipient_id,
      from: auditedRecipient(before),
      to: auditedRecipient(after),
      other_person: isOther,
      ...signersHash(now, content_version),
    };
    await appendAudit(tx, org, { type: "recipient.replaced", by: caller, envelope_id, data });
    await advanceEnvelope(deps, tx, org, envelope_id, { by: caller });
    const shown = (await listRecipients(tx, org, envelope_id)).find((one) => one.recipient_id === recipient_id);
    if (shown === undefined) throw new Error("a person who was changed is not there");
    return shown;
  });
}

const MEMBERS = ["email", "name", "step", "message", "locale"] as const satisfies readonly (keyof Recipient)[];

function changed(recipients: readonly Recipient[], before: Recipient, change: RecipientChange): Recipient {
  const { email = before.email, name = before.name, message = before.message, locale = before.locale } = change;
  const isMoved = change.step !== undefined && change.step !== before.step;
  const step = isMoved ? stepFor(recipients, before.kind, change.step) : before.step;
  const isOther = email.toLowerCase() !== before.email.toLowerCase();
  const isLater = step !== null && step > (runningStep(recipients) ?? step);
  return {
    ...before,
    email,
    name,
    message: message === "" ? null : message,
    locale,
    step,
    slug: isOther ? newSlug() : before.slug,
    invited_at: isOther || isLater ? null : before.invited_at,
  };
}

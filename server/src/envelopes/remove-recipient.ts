import { appendAudit } from "../audit/append-audit.ts";
import type { Warning } from "../documents/warnings.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, RecipientId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { isShown, type SentField } from "../signing/field.ts";
import { revokeLinks } from "../signing/link-store.ts";
import { signersHash } from "../signing/proven-record.ts";
import { listRecipients, removeRecipient as removeRow } from "../signing/store.ts";
import { auditedRecipient, isSigner } from "../signing/submission.ts";
import { advanceEnvelope } from "./advance-envelope.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { withdrawLinks } from "./notify.ts";
import { onOpenRecipient } from "./recipient-changes.ts";
import { findEnvelope } from "./store.ts";
import { writeWords } from "./words-store.ts";

export interface RemovedRecipient {
  readonly envelope: Envelope;
  readonly warnings: readonly Warning[];
}

/**
 * Removes a person of a sent envelope who has not acted; links and tokens end at once. If they were the last open person of a step, the
 * next one begins. If everyone else has acted, the envelope is completed. Fields of a removed person stay empty, and a warning names them.
 */
export function removeRecipient(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  recipient_id: RecipientId,
): Promise<RemovedRecipient> {
  const { org } = caller;
  return onOpenRecipient(deps, caller, envelope_id, recipient_id, async (tx, { envelope, record, before }) => {
    const { recipients, content_version } = record;
    if (isSigner(before) && recipients.filter(isSigner).length === 1) throw new Problem("last_signer");
    if (isSigner(before) && envelope.maker_roles.includes(before.role)) throw new Problem("maker_required");
    await revokeLinks(tx, org, before.slug);
    await withdrawLinks(tx, envelope, before.email);
    await removeRow(tx, org, before.slug);
    await writeWords(tx, org, envelope_id);
    const data = { ...auditedRecipient(before), ...signersHash(await listRecipients(tx, org, envelope_id), content_version) };
    await appendAudit(tx, org, { type: "recipient.removed", by: caller, envelope_id, data });
    await advanceEnvelope(deps, tx, org, envelope_id, { by: caller });
    return { envelope: await findEnvelope(tx, org, envelope_id), warnings: leftEmpty(record.document.fields, before.role) };
  });
}

// Enough to recognize the fields; a long document can have hundreds.
const MAX_NAMED = 20;

/** The fields of a role that no one fills in any more. What the sender filled in stays. */
function leftEmpty(fields: readonly SentField[], role: string | null): Warning[] {
  const empty = fields.filter(
    (field) => field.role === role && !isShown(field) && field.prefilled === null && field.default_value === null,
  );
  if (empty.length === 0) return [];
  const names = empty.slice(0, MAX_NAMED).map(({ name }) => `"${name}"`);
  const named = names.join(", ") + (empty.length > MAX_NAMED ? ` and ${empty.length - MAX_NAMED} more` : "");
  return [{ code: "fields_left_empty", message: `Stay on the page and stay empty, because no one else fills them in: ${named}` }];
}

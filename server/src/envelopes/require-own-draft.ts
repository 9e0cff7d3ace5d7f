import type { Read } from "../db/sql.ts";
import { type Actor, type Caller, isDrafter } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { drafts, type Envelope } from "./envelope.ts";
import { lookUpAuthor, wrongStatus } from "./store.ts";

/**
 * Implements the port of http/ that guards what `drafts:write` alone opens: drafts of the same key. A missing envelope is left to the
 * operation, which answers 404.
 */
export async function requireOwnDraft(read: Read, org: OrgId, actor: Actor, envelope_id: EnvelopeId): Promise<void> {
  const found = await lookUpAuthor(read, org, envelope_id);
  if (found === null) return;
  if (found.created_by !== actor.id) throw new Problem("draft_of_another");
  if (!drafts.includes(found.status)) throw wrongStatus("draft", found.status);
}

/** The same under the lock of the row, for operations that also do something to envelopes that were sent. */
export function refuseSentToDrafter(caller: Caller, { status }: Pick<Envelope, "status">): void {
  if (isDrafter(caller) && !drafts.includes(status)) throw wrongStatus("draft", status);
}

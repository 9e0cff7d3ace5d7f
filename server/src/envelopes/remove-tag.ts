import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import { deleteTag } from "../tags/store.ts";
import { tagKey } from "../tags/tag.ts";
import type { EnvelopeDeps } from "./envelope.ts";

/** Removes a tag from all envelopes and templates. */
export function removeTag({ db }: Pick<EnvelopeDeps, "db">, caller: Caller, tag: string): Promise<void> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    await deleteTag(tx, org, tagKey(tag));
    await appendAudit(tx, org, { type: "tag.removed", by: caller, data: { tag } });
  });
}

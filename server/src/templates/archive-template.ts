import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { markArchived } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

/**
 * Nothing new can be created from an archived template; existing envelopes are not affected. Archiving it again succeeds without a
 * second entry.
 */
export function archiveTemplate(deps: Pick<TemplateDeps, "db">, caller: Caller, template_id: TemplateId): Promise<Date> {
  return deps.db.tx(caller.org, async (tx) => {
    const { archived_at, changed } = await markArchived(tx, caller.org, template_id);
    if (changed) await appendAudit(tx, caller.org, { type: "template.archived", by: caller, data: { template_id } });
    return archived_at;
  });
}

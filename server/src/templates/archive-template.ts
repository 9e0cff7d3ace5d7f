import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { markArchived } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

/** Nothing new is made from it; envelopes that were keep what they have. Again is no mistake and no second entry. */
export function archiveTemplate(deps: Pick<TemplateDeps, "db">, caller: Caller, template_id: TemplateId): Promise<Date> {
  return deps.db.tx(caller.org, async (tx) => {
    const { archived_at, changed } = await markArchived(tx, caller.org, template_id);
    if (changed) await appendAudit(tx, caller.org, { type: "template.archived", by: caller, data: { template_id } });
    return archived_at;
  });
}

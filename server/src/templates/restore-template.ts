import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { findWholeTemplate, markRestored } from "./store.ts";
import type { TemplateDeps, WholeTemplate } from "./template.ts";

/** Puts an archived template back into the list. A template that is not archived stays as it is, without an entry. */
export function restoreTemplate(deps: Pick<TemplateDeps, "db">, caller: Caller, template_id: TemplateId): Promise<WholeTemplate> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    if (await markRestored(tx, org, template_id)) {
      await appendAudit(tx, org, { type: "template.restored", by: caller, data: { template_id } });
    }
    return findWholeTemplate(tx, org, template_id);
  });
}

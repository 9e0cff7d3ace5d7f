import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { refuseBadTexts } from "../mail/texts/text.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { rolesOf } from "../signing/field.ts";
import { ensureTags } from "../tags/store.ts";
import { namedTags } from "../tags/tag.ts";
import { keptDefaults, type TemplateDefaults } from "./defaults.ts";
import { listDocuments } from "./document-store.ts";
import { refuseUnfitRoles, type TemplateRoleInput, wholeRole } from "./role.ts";
import { findFields, findTemplate, lockTemplate, type TemplateColumns, updateTemplate } from "./store.ts";
import { tagTemplate } from "./tag-store.ts";
import type { TemplateDeps, WholeTemplate } from "./template.ts";

export interface TemplateChange {
  readonly name?: string;
  readonly roles?: readonly TemplateRoleInput[];
  readonly defaults?: TemplateDefaults;
  readonly tags?: readonly string[];
}

/** Members that the request leaves out stay unchanged; the others are replaced as a whole. Existing envelopes do not change. */
export function changeTemplate(
  deps: Pick<TemplateDeps, "db">,
  caller: Caller,
  template_id: TemplateId,
  change: TemplateChange,
  unchanged: (now: WholeTemplate) => void,
): Promise<WholeTemplate> {
  const { org } = caller;
  refuseBadTexts({ "defaults.mail_subject": change.defaults?.mail_subject });
  return deps.db.tx(org, async (tx) => {
    const template = await lockTemplate(tx, org, template_id);
    const fields = await findFields(tx, org, template_id);
    const documents = await listDocuments(tx, org, template_id);
    unchanged({ template, documents, fields });
    if (template.archived_at !== null) throw new Problem("template_archived");
    const role_rows = change.roles?.map(wholeRole);
    if (role_rows !== undefined) refuseUnfitRoles(role_rows, rolesOf(fields));
    await writeChange(tx, caller, template_id, change, {
      ...(change.name !== undefined && { name: change.name }),
      ...(role_rows !== undefined && { role_rows }),
      ...(change.defaults !== undefined && { defaults: keptDefaults(change.defaults) }),
    });
    return { template: await findTemplate(tx, org, template_id), documents, fields };
  });
}

async function writeChange(
  tx: Tx,
  caller: Caller,
  template_id: TemplateId,
  change: TemplateChange,
  columns: TemplateColumns,
): Promise<void> {
  const { org } = caller;
  const changed = Object.keys(change);
  if (changed.length === 0) return;
  // Tags are not part of the template: who only sorts templates does not make a revision.
  if (Object.keys(columns).length > 0) await updateTemplate(tx, org, template_id, columns, caller.actor.id);
  if (change.tags !== undefined) {
    const wanted = namedTags(change.tags);
    await ensureTags(tx, org, wanted);
    const keys = wanted.map(({ tag_key }) => tag_key);
    await tagTemplate(tx, org, template_id, keys);
  }
  await appendAudit(tx, org, { type: "template.changed", by: caller, data: { template_id, fields: changed } });
}

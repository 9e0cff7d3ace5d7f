import { sql, type Tx } from "../db/sql.ts";
import type { OrgId, TemplateId } from "../shared/ids.ts";

/** Gives a locked template exactly these tags. */
export async function tagTemplate(tx: Tx, org: OrgId, template_id: TemplateId, keys: readonly string[]): Promise<void> {
  await tx.query(sql`
    delete from template_tags where org_id = ${org} and template_id = ${template_id} and tag_key <> all(${keys}::text[])`);
  await tx.query(sql`
    insert into template_tags (org_id, tag_key, template_id) select ${org}, tag_key, ${template_id} from unnest(${keys}::text[]) as tag_key
    on conflict do nothing`);
}

export async function copyTags(tx: Tx, org: OrgId, from: TemplateId, to: TemplateId): Promise<void> {
  await tx.query(sql`
    insert into template_tags (org_id, tag_key, template_id)
    select org_id, tag_key, ${to} from template_tags where org_id = ${org} and template_id = ${from}`);
}

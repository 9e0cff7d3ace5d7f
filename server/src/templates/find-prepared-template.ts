import type { Read } from "../db/sql.ts";
import type { OrgId, TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { partsOf, placedThrough } from "../signing/preview-signing.ts";
import type { Prepared } from "../signing/submission.ts";
import { findSender, findWholeTemplate } from "./store.ts";
import type { WholeTemplate } from "./template.ts";

/** A template as an envelope from it would be. */
export async function findPreparedTemplate(read: Read, org: OrgId, template_id: TemplateId): Promise<Prepared> {
  const { template, documents, fields }: WholeTemplate = await findWholeTemplate(read, org, template_id);
  if (template.document_sha256 === null) throw new Problem("template_without_document");
  return {
    ...(await findSender(read, org)),
    name: template.name,
    message: template.defaults.message ?? null,
    maker_roles: template.maker_roles,
    people: template.role_rows.map(({ kind, role, name, message }) => ({ kind, role, name, message })),
    pages: template.pages,
    documents: partsOf(documents),
    fields: placedThrough(documents, fields),
  };
}

import type { ShownDocuments } from "../documents/show-page.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { listDocuments } from "./document-store.ts";
import { findTemplate } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

/** Includes archived templates, which can still be read. */
export async function findShownTemplate(
  { db }: Pick<TemplateDeps, "db">,
  { org }: Caller,
  template_id: TemplateId,
): Promise<ShownDocuments> {
  const { document_sha256, documents } = await db.tx(org, async (tx) => ({
    ...(await findTemplate(tx, org, template_id)),
    documents: await listDocuments(tx, org, template_id),
  }));
  if (document_sha256 === null) throw new Problem("template_without_document");
  return {
    documents: documents.map(({ pdf_sha256, pages }) => ({ sha256: pdf_sha256 ?? "", pages })),
    unavailable: "template_pdf_unavailable",
  };
}

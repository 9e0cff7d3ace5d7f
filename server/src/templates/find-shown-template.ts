import type { ShownDocument } from "../documents/show-page.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { findTemplate } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

/** Includes archived templates, which can still be read. */
export async function findShownTemplate(
  { db }: Pick<TemplateDeps, "db">,
  { org }: Caller,
  template_id: TemplateId,
): Promise<ShownDocument> {
  const { document_sha256, pages } = await db.tx(org, (tx) => findTemplate(tx, org, template_id));
  if (document_sha256 === null) throw new Problem("template_without_document");
  return { sha256: document_sha256, pages: pages.length, unavailable: "template_pdf_unavailable" };
}

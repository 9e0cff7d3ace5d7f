import type { PageText } from "@countersign/pdf/pool";
import type { Static } from "typebox";
import { Type } from "typebox";
import type { FileAnswer } from "../http/endpoint.ts";
import type { Caller } from "../shared/caller.ts";
import type { OrgId, TemplateId } from "../shared/ids.ts";
import { Problem, type ProblemCode } from "../shared/problems.ts";
import { cachedPage } from "../signing/builtin/page-cache.ts";
import { PageQuery } from "../signing/shapes.ts";
import { readStored } from "./find-anchors.ts";
import { asPdfProblem } from "./pdf-problems.ts";
import { findTemplate } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

/** A stored PDF whose pages somebody who prepares it looks at. */
export interface ShownDocument {
  readonly sha256: string;
  readonly pages: number;
  /** what its reader hears when the store fails us */
  readonly unavailable: ProblemCode;
}

export const WidthQuery = Type.Pick(PageQuery, ["w"]);

type PageDeps = Pick<TemplateDeps, "pdf" | "storage" | "pageCache">;

/** The same picture that a signer will get, out of the same cache. */
export async function pictureOf(
  deps: PageDeps,
  org: OrgId,
  { sha256, pages, unavailable }: ShownDocument,
  page: number,
  { w }: Static<typeof WidthQuery>,
): Promise<FileAnswer> {
  refusePageBeyond(pages, page);
  const readPdf = (owner: OrgId, hash: string) => readStored(deps, owner, hash, unavailable);
  const width_px = w === "2448" ? 2448 : 1224;
  const { mime, bytes } = await cachedPage({ ...deps, readPdf }, org, sha256, { page, width_px }).catch(asPdfProblem);
  return { type: mime, bytes };
}

/** What the page says, in reading order. */
export async function wordsOf(deps: PageDeps, org: OrgId, { sha256, pages, unavailable }: ShownDocument, page: number): Promise<PageText> {
  refusePageBeyond(pages, page);
  const bytes = await readStored(deps, org, sha256, unavailable);
  return deps.pdf.text(bytes, { page }, { key: org, priority: "interactive", give_up_bytes: true }).catch(asPdfProblem);
}

function refusePageBeyond(pages: number, page: number): void {
  if (page > pages) throw new Problem("page_not_found");
}

/** Of an archived template, too: it can still be read. */
export async function findShownTemplate(
  { db }: Pick<TemplateDeps, "db">,
  { org }: Caller,
  template_id: TemplateId,
): Promise<ShownDocument> {
  const { document_sha256, pages } = await db.tx(org, (tx) => findTemplate(tx, org, template_id));
  if (document_sha256 === null) throw new Problem("template_without_document");
  return { sha256: document_sha256, pages: pages.length, unavailable: "template_pdf_unavailable" };
}

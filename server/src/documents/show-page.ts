import type { PageText, PdfPool } from "@countersign/pdf/pool";
import type { Static } from "typebox";
import type { FileAnswer } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem, type ProblemCode } from "../shared/problems.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import { cachedPage } from "./page-cache.ts";
import { type WidthQuery, widthOf } from "./pages.ts";
import { asPdfProblem } from "./pdf-problems.ts";
import { readStored } from "./read-stored.ts";

/** A stored PDF whose pages are shown to the person who prepares it. */
export interface ShownDocument {
  readonly sha256: string;
  readonly pages: number;
  /** the problem to throw when the blob store fails */
  readonly unavailable: ProblemCode;
}

interface PageDeps {
  readonly pdf: PdfPool;
  readonly storage: Pick<StorageDeps, "blobs">;
  readonly pageCache: string;
}

/** The same image that a signer gets, from the same cache. */
export async function showPage(
  deps: PageDeps,
  org: OrgId,
  { sha256, pages, unavailable }: ShownDocument,
  page: number,
  { w }: Static<typeof WidthQuery>,
): Promise<FileAnswer> {
  refusePageBeyond(pages, page);
  const readPdf = (owner: OrgId, hash: string) => readStored(deps, owner, hash, unavailable);
  const width_px = widthOf(w);
  const { mime, bytes } = await cachedPage({ ...deps, readPdf }, org, sha256, { page, width_px }).catch(asPdfProblem);
  return { type: mime, bytes };
}

/** The text of the page, in reading order. */
export async function readPageText(
  deps: PageDeps,
  org: OrgId,
  { sha256, pages, unavailable }: ShownDocument,
  page: number,
): Promise<PageText> {
  refusePageBeyond(pages, page);
  const bytes = await readStored(deps, org, sha256, unavailable);
  return deps.pdf.text(bytes, { page }, { key: org, priority: "interactive", give_up_bytes: true }).catch(asPdfProblem);
}

function refusePageBeyond(pages: number, page: number): void {
  if (page > pages) throw new Problem("page_not_found");
}

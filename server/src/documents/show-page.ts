import type { PageText, PdfPool } from "@countersign/pdf/pool";
import type { Static } from "typebox";
import type { FileAnswer } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem, type ProblemCode } from "../shared/problems.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import { placeOfPage } from "./document-list.ts";
import { cachedPage, type PageCache } from "./page-cache.ts";
import { type Pages, type WidthQuery, widthOf } from "./pages.ts";
import { asPdfProblem } from "./pdf-problems.ts";
import { readStored } from "./read-stored.ts";

/** Stored PDFs whose pages are shown to the person who prepares them. Pages count through all of them. */
export interface ShownDocuments {
  readonly documents: readonly { readonly sha256: string; readonly pages: Pages }[];
  /** the problem to throw when the blob store fails */
  readonly unavailable: ProblemCode;
}

interface PageDeps {
  readonly pdf: PdfPool;
  readonly storage: Pick<StorageDeps, "blobs">;
  readonly pageCache: PageCache;
}

/** The same image that a signer gets, from the same cache. */
export async function showPage(
  deps: PageDeps,
  org: OrgId,
  shown: ShownDocuments,
  nth: number,
  { w }: Static<typeof WidthQuery>,
): Promise<FileAnswer> {
  const { sha256, page, unavailable } = pageIn(shown, nth);
  const readPdf = (owner: OrgId, hash: string) => readStored(deps, owner, hash, unavailable);
  const width_px = widthOf(w);
  const { mime, bytes } = await cachedPage({ ...deps, readPdf }, org, sha256, { page, width_px }).catch(asPdfProblem);
  return { type: mime, bytes };
}

/** The text of the page, in reading order. */
export async function readPageText(deps: PageDeps, org: OrgId, shown: ShownDocuments, nth: number): Promise<PageText> {
  const { sha256, page, unavailable } = pageIn(shown, nth);
  const bytes = await readStored(deps, org, sha256, unavailable);
  const text = await deps.pdf.text(bytes, { page }, { key: org, priority: "interactive", give_up_bytes: true }).catch(asPdfProblem);
  return { ...text, page: nth };
}

function pageIn({ documents, unavailable }: ShownDocuments, nth: number) {
  const place = placeOfPage(documents, nth);
  if (place === null) throw new Problem("page_not_found");
  return { sha256: place.document.sha256, page: place.page, unavailable };
}

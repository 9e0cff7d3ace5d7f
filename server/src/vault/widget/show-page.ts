import type { PageImage, PageText, RenderWidth } from "@countersign/pdf/pool";
import { asPdfProblem } from "../../documents/pdf-problems.ts";
import { lookUpDocument } from "../../envelopes/document-store.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { ensureRendition } from "./rendition.ts";
import { findVaulted, type WidgetDeps } from "./visit.ts";

// These pages are shown to one reader only, whose browser caches them; a cache here would only fill the disk.
const turnOf = ({ org }: WidgetCaller) => ({ key: org, priority: "interactive", give_up_bytes: true }) as const;

/** A page of the reader's own copy, with the mark in the image. */
export async function showPage(
  deps: WidgetDeps,
  who: WidgetCaller,
  { page, width_px }: { readonly page: number; readonly width_px: RenderWidth },
): Promise<PageImage> {
  await requirePage(deps, who, page);
  const { bytes } = await ensureRendition(deps, who);
  return deps.pdf.page(bytes, { page, width_px }, turnOf(who)).catch(asPdfProblem);
}

/** The text of the page, including the mark. */
export async function readPage(deps: WidgetDeps, who: WidgetCaller, page: number): Promise<PageText> {
  await requirePage(deps, who, page);
  const { bytes } = await ensureRendition(deps, who);
  return deps.pdf.text(bytes, { page }, turnOf(who)).catch(asPdfProblem);
}

/** Checked before a copy is made for a page that does not exist. */
async function requirePage({ db }: WidgetDeps, { org, holder }: WidgetCaller, page: number): Promise<void> {
  const count = await db.tx(org, async (tx) => {
    await findVaulted(tx, org, holder.envelope_id);
    return (await lookUpDocument(tx, org, holder.envelope_id))?.pages.length ?? 0;
  });
  if (page > count) throw new Problem("page_not_found");
}

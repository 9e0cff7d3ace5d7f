import { signal } from "@preact/signals";
import { ApiError } from "../http.ts";
import { PageImages, type Wanted } from "../pages/page-images.ts";
import { PageTexts } from "../pages/page-texts.ts";
import { call, callForFile } from "./api.ts";
import { pagesRefused } from "./record.ts";

/** The pages of this reader's copy, as images and as text. */

let first: Promise<Response> | null = window.boot.first_page;

/** The boot script has already requested page 1. If that failed, it is requested again. */
async function fetchPage({ page, fine }: Wanted): Promise<Blob> {
  const early = page === 1 && !fine ? first : null;
  if (early !== null) {
    first = null;
    const answer = await early.catch(() => null);
    if (answer?.ok) return answer.blob();
  }
  try {
    return await callForFile(`GET /pages/${page}`, fine ? { query: { w: "2448" } } : {});
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) pagesRefused.value += 1;
    throw error;
  }
}

const images = signal(new PageImages(fetchPage));
let texts: PageTexts | null = null;

/** Each reader has their own copy. */
export function forgetPages(): void {
  first = null;
  texts = null;
  images.value = new PageImages(fetchPage);
}

export const imagesOf = (): PageImages => images.value;

export function textsOf(count: number): PageTexts {
  texts ??= new PageTexts(count, (page) => call(`GET /pages/${page}/text`));
  return texts;
}

export const wantedOf = (page: number, fine: boolean): Wanted => ({ page, fine, revision: null });

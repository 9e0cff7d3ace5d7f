import { PageImages, type Wanted } from "../pages/page-images.ts";
import { type PageText, PageTexts } from "../pages/page-texts.ts";
import { call, callFor } from "../session.ts";
import { opened, revision, stage, steps } from "./ceremony.ts";

/** The pages of this envelope, as pictures and as words. */

let first: Promise<Response> | null = window.boot.first_page;

/** Page 1 was asked for before this script was there; should it have failed, it is asked for again. */
async function fetchPage({ page, fine, revision: shown }: Wanted): Promise<Blob> {
  const early = page === 1 && !fine && shown === null ? first : null;
  if (early !== null) {
    first = null;
    const answer = await early.catch(() => null);
    if (answer?.ok) return answer.blob();
  }
  const query = [fine && "w=2448", shown !== null && "values=1"].filter(Boolean).join("&");
  return callFor(`/pages/${page}${query === "" ? "" : `?${query}`}`);
}

let images = new PageImages(fetchPage);
let texts: PageTexts | null = null;
let version: string | undefined;

/** Another version of the document, or another document, begins anew. */
function renewIfOther(): void {
  const now = opened.value?.document?.prepared_sha256;
  if (now === version) return;
  if (version !== undefined) images = new PageImages(fetchPage);
  texts = null;
  version = now;
}

export function imagesOf(): PageImages {
  renewIfOther();
  return images;
}

export function textsOf(count: number): PageTexts {
  renewIfOther();
  texts ??= new PageTexts(count, (page) => call<PageText>("GET", `/pages/${page}/text`));
  return texts;
}

const hasOwn = (page: number): boolean => steps.value.some(({ field }) => field.areas.some((area) => area.page === page));

/** In the review the pages are as they will be sealed: the service writes the values into them, with the code that seals. */
export function wantedOf(page: number, fine: boolean): Wanted {
  return { page, fine, revision: stage.value === "review" && hasOwn(page) ? revision.value : null };
}

export function isPreviewed(page: number): boolean {
  const wanted = wantedOf(page, false);
  return wanted.revision !== null && imagesOf().picture(wanted).value.kind === "ready";
}

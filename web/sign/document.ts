import { signal } from "@preact/signals";
import { PageImages, type Wanted } from "../pages/page-images.ts";
import { PageTexts } from "../pages/page-texts.ts";
import { call, callForFile } from "./api.ts";
import { opened, revision, stage, steps } from "./ceremony.ts";

/** The pages of this envelope, as pictures and as words. */

/** Page 1, which was asked for before this script was there; null where it could not be had, and once it was used. */
let first = window.boot.first_page?.then(
  (answer) => (answer.ok ? answer.blob() : null),
  () => null,
);

/** Should the first one have failed, it is asked for again. */
async function fetchPage({ page, fine, revision: shown }: Wanted): Promise<Blob> {
  if (page === 1 && !fine && shown === null) {
    const early = await first;
    first = undefined;
    if (early) return early;
  }
  return callForFile(`GET /pages/${page}`, { query: { ...(fine && { w: "2448" }), ...(shown !== null && { values: "1" }) } });
}

let images = new PageImages(fetchPage);

/** Shown by itself, before anybody knows what else there is. */
export const firstPicture = signal<string | null>(null);

let drawn: () => void;
const firstIsDrawn = new Promise<void>((resolve) => {
  drawn = resolve;
});
/** Its picture was loaded: after the next frame it is on the screen. */
export const firstLoaded = (): number => requestAnimationFrame(() => setTimeout(drawn));

/** Ends when it is to be seen, or there is none. Whoever shows the document then has it too. */
export async function showFirst(): Promise<void> {
  const early = await first;
  if (!early) return;
  first = undefined;
  firstPicture.value = URL.createObjectURL(early);
  images.keep({ page: 1, fine: false, revision: null }, firstPicture.value);
  await firstIsDrawn;
}

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
  texts ??= new PageTexts(count, (page) => call(`GET /pages/${page}/text`));
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

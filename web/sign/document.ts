import { signal } from "@preact/signals";
import { PageImages, type Wanted } from "../pages/page-images.ts";
import { PageTexts } from "../pages/page-texts.ts";
import { call, callForFile } from "./api.ts";
import { opened, printLanguage, revision, stage, steps } from "./ceremony.ts";

/** The pages of this envelope, as images and as text. */

/** Page 1, which the boot script has already requested; null if it failed, undefined once it was used. */
let first = window.boot.first_page?.then(
  (answer) => (answer.ok ? answer.blob() : null),
  () => null,
);

/** Uses the early request for page 1, and repeats it if it failed. */
async function fetchPage({ page, fine, revision: shown }: Wanted): Promise<Blob> {
  if (page === 1 && !fine && shown === null) {
    const early = await first;
    first = undefined;
    if (early) return early;
  }
  return callForFile(`GET /pages/${page}`, {
    query: { ...(fine && { w: "2448" }), ...(shown !== null && { values: "1", lang: printLanguage.peek(), ...zone() }) },
  });
}

/** For the day of signing. */
const zone = () =>
  opened.peek()?.fields?.some(({ settings }) => settings.fill !== undefined)
    ? { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }
    : {};

let images = new PageImages(fetchPage);

/** Page 1, shown before the rest of the document is known. */
export const firstPicture = signal<string | null>(null);

let drawn: () => void;
const firstIsDrawn = new Promise<void>((resolve) => {
  drawn = resolve;
});
/** Called when the image is loaded. It is on the screen after the next frame. */
export const firstLoaded = (): number => requestAnimationFrame(() => setTimeout(drawn));

/** Resolves when page 1 is visible, or when there is none. The viewer then uses the same image. */
export async function showFirst(): Promise<void> {
  const early = await first;
  if (!early) return;
  first = undefined;
  firstPicture.value = URL.createObjectURL(early);
  images.keep({ page: 1, fine: false, revision: null }, firstPicture.value);
  await firstIsDrawn;
}

/** Nothing of the document stays in memory that a page could show. */
export function dropPages(): void {
  images.dropAll();
  images = new PageImages(fetchPage);
  firstPicture.value = null;
  texts = null;
}

let texts: PageTexts | null = null;
let version: string | null | undefined;

/** Drops images and text when the document has changed, or the language in which values are written into it. */
function resetIfChanged(): void {
  const document = opened.value?.document;
  const now = document && `${document.prepared_sha256} ${printLanguage.value}`;
  if (now === version) return;
  if (version) images = new PageImages(fetchPage);
  texts = null;
  version = now;
}

export function imagesOf(): PageImages {
  resetIfChanged();
  return images;
}

export function textsOf(count: number): PageTexts {
  resetIfChanged();
  texts ??= new PageTexts(count, (page) => call(`GET /pages/${page}/text`));
  return texts;
}

type Placed = { readonly areas: readonly { readonly page: number }[] };

const isOn = (page: number, fields: readonly Placed[]): boolean => fields.some(({ areas }) => areas.some((area) => area.page === page));

/** In the review and after signing, pages with values show them as the service renders them, with the code that seals. */
export function wantedOf(page: number, fine: boolean): Wanted {
  return { page, fine, revision: revisionOf(page) };
}

function revisionOf(page: number): number | null {
  if (WIDGET === "preview") return null;
  if (stage.value === "review" || stage.value === "recipient")
    return isOn(
      page,
      steps.value.map(({ field }) => field),
    )
      ? // Another signature changes the page too.
        revision.value * 1_000 + (opened.value?.signers.signed ?? 0)
      : null;
  const now = opened.value;
  if (stage.value !== "signed" || now === null || !isOn(page, now.others ?? [])) return null;
  // After signing, the values change only with the next signature. Drafts have no negative revisions.
  return -now.signers.signed;
}

export function isPreviewed(page: number): boolean {
  const wanted = wantedOf(page, false);
  return wanted.revision !== null && imagesOf().picture(wanted).value.kind === "ready";
}

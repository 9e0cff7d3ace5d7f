import type { DocumentPage } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { PageImages } from "../../pages/page-images.ts";
import { PageTexts } from "../../pages/page-texts.ts";
import { call, file } from "../api.ts";
import type { Blank } from "./blanks-of.ts";

interface SheetsProps {
  readonly envelope_id: string;
  readonly pages: readonly DocumentPage[];
  /** text instead of images */
  readonly asText: boolean;
  /** fields that people still have to fill in */
  readonly blanks?: readonly Blank[];
}

const wantedOf = (page: number) => ({ page, fine: false, revision: null });

/** The pages of a document as it is now, in a scrollable box. Images load when their page comes near, text when the text view is opened. */
export function Sheets({ envelope_id, pages, asText, blanks = [] }: SheetsProps) {
  const [images] = useState(
    () =>
      new PageImages(
        async ({ page }) =>
          (await file("get_envelope_page", { params: { envelope_id, page }, query: { w: "1224", version: "current" } })).blob,
      ),
  );
  const [texts] = useState(
    () =>
      new PageTexts(pages.length, (page) =>
        call("get_envelope_page_text", { params: { envelope_id, page }, query: { version: "current" } }),
      ),
  );
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asText) texts.fetchInTurn([]);
    else return observeNearPages(box.current, (near) => images.want(near.map(wantedOf)));
  }, [asText]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={box} class="envelope-sheets" tabIndex={0} aria-label="Pages of the document">
      {pages.map((size, index) =>
        asText ? (
          <PageText key={index} page={index + 1} texts={texts} />
        ) : (
          <Sheet
            key={index}
            page={index + 1}
            count={pages.length}
            size={size}
            images={images}
            blanks={blanks.filter(({ area }) => area.page === index + 1)}
          />
        ),
      )}
    </section>
  );
}

interface SheetProps {
  readonly page: number;
  readonly count: number;
  readonly size: DocumentPage;
  readonly images: PageImages;
  readonly blanks: readonly Blank[];
}

const share = (part: number): string => `${(part * 100).toFixed(3)}%`;

function Sheet({ page, count, size, images, blanks }: SheetProps) {
  const picture = images.picture(wantedOf(page)).value;
  return (
    <div class="envelope-sheet" data-page={page} style={{ aspectRatio: `${size.w_pt} / ${size.h_pt}` }}>
      {picture.kind === "ready" && <img src={picture.url} alt={`Page ${page} of ${count}. Use the text view to read its text.`} />}
      {picture.kind === "ready" &&
        blanks.map(({ area: { x, y, w, h }, words }, index) => (
          <span
            key={index}
            class="envelope-blank"
            style={{ insetInlineStart: share(x), insetBlockStart: share(y), inlineSize: share(w), blockSize: share(h) }}
          >
            {words}
          </span>
        ))}
      {picture.kind === "failed" && (
        <p role="alert">
          Page {page} could not be loaded.{" "}
          <button type="button" class="button" onClick={() => images.retry(wantedOf(page))}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

function PageText({ page, texts }: { page: number; texts: PageTexts }) {
  const text = texts.of(page)?.value;
  return (
    <section class="envelope-words stack tight" aria-label={`Page ${page}`}>
      <h3>Page {page}</h3>
      {text?.kind !== "ready" ? (
        <p class="quiet">Loading…</p>
      ) : text.has_text ? (
        text.blocks.map((block, index) => <p key={index}>{block}</p>)
      ) : (
        <p class="quiet">This page is an image without text. Screen readers cannot read it.</p>
      )}
    </section>
  );
}

function observeNearPages(box: HTMLElement | null, tell: (pages: readonly number[]) => void): () => void {
  if (box === null) return () => undefined;
  const near = new Set<number>();
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const page = Number((target as HTMLElement).dataset.page);
        if (isIntersecting) near.add(page);
        else near.delete(page);
      }
      tell([...near].sort((a, b) => a - b));
    },
    { rootMargin: "100% 0px" },
  );
  for (const sheet of box.querySelectorAll("[data-page]")) observer.observe(sheet);
  return () => observer.disconnect();
}

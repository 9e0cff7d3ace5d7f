import type { DocumentPage } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { PageImages } from "../../pages/page-images.ts";
import { file } from "../api.ts";
import { lazy } from "../parts/lazy.tsx";
import { PagePicture } from "../parts/page-picture.tsx";
import { en as words } from "../words/pages/en.ts";
import type { Blank } from "./blanks-of.ts";

const PageWords = lazy(async () => (await import("./page-words.tsx")).PageWords);

interface SheetsProps {
  readonly envelope_id: string;
  readonly pages: readonly DocumentPage[];
  /** text instead of images */
  readonly asText: boolean;
  /** fields that people still have to fill in */
  readonly blanks?: readonly Blank[];
  /** 1 is the width of the box */
  readonly zoom?: number;
  /** small pictures of several pages beside them, which lead to the page */
  readonly hasThumbnails?: boolean;
}

// Above this zoom the normal image looks coarse.
const FINE_FROM_ZOOM = 1.25;
const wantedOf = (page: number, fine: boolean) => ({ page, fine, revision: null });

const picture = async (envelope_id: string, page: number, w: "204" | "1224" | "2448"): Promise<Blob> =>
  (await file("get_envelope_page", { params: { envelope_id, page }, query: { w, version: "current" } })).blob;

/** The pages of a document as it is now, in a scrollable box. Images load when their page comes near, text when the text view is opened. */
export function Sheets({ envelope_id, pages, asText, blanks = [], zoom = 1, hasThumbnails = false }: SheetsProps) {
  const [images] = useState(() => new PageImages(({ page, fine }) => picture(envelope_id, page, fine ? "2448" : "1224")));
  const box = useRef<HTMLElement>(null);
  const [shown, setShown] = useState(1);
  const fine = zoom > FINE_FROM_ZOOM;
  useEffect(() => {
    if (!asText) return observeNearPages(box.current, (near) => images.want(near.map((page) => wantedOf(page, fine))));
  }, [asText, fine]);
  const blanksOn = (page: number) => blanks.filter(({ area }) => area.page === page);
  const go = (page: number) => box.current?.scrollTo({ top: sheetsIn(box.current)[page - 1]?.offsetTop ?? 0 });
  const isBeside = hasThumbnails && pages.length > 1;
  return (
    <div class={isBeside ? "envelope-pages with-thumbnails" : "envelope-pages"}>
      {isBeside && (
        <nav class="envelope-thumbnails" aria-label={words.thumbnails}>
          {pages.map(({ w_pt, h_pt }, index) => {
            const count = blanksOn(index + 1).length;
            return (
              <button
                key={index}
                type="button"
                class="envelope-thumbnail"
                aria-current={shown === index + 1 ? "page" : undefined}
                onClick={() => go(index + 1)}
              >
                <span class="envelope-thumbnail-sheet" style={{ aspectRatio: `${w_pt} / ${h_pt}` }}>
                  <PagePicture
                    class="thumbnail-picture"
                    of={`${envelope_id} ${index + 1}`}
                    load={() => picture(envelope_id, index + 1, "204")}
                  />
                  {count > 0 && (
                    <span class="thumbnail-count" aria-hidden="true">
                      {count}
                    </span>
                  )}
                </span>
                <span>
                  <span class="hidden-visually">{words.pageBefore}</span>
                  {index + 1}
                  <span class="hidden-visually">{words.blanks(count)}</span>
                </span>
              </button>
            );
          })}
        </nav>
      )}
      <section
        ref={box}
        class="envelope-sheets"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        aria-label={words.pages}
        onScroll={({ currentTarget }) => setShown(pageAt(currentTarget))}
      >
        {asText ? (
          <PageWords envelope_id={envelope_id} count={pages.length} />
        ) : (
          pages.map((size, index) => (
            <Sheet
              key={index}
              page={index + 1}
              count={pages.length}
              size={size}
              images={images}
              fine={fine}
              zoom={zoom}
              blanks={blanksOn(index + 1)}
            />
          ))
        )}
      </section>
    </div>
  );
}

const sheetsIn = (box: HTMLElement): readonly HTMLElement[] => [...box.children].filter((one) => one instanceof HTMLElement);

/** The page in the upper half of the box. */
function pageAt(box: HTMLElement): number {
  const line = box.scrollTop + box.clientHeight / 2;
  return Math.max(1, sheetsIn(box).findLastIndex((sheet) => sheet.offsetTop <= line) + 1);
}

interface SheetProps {
  readonly page: number;
  readonly count: number;
  readonly size: DocumentPage;
  readonly images: PageImages;
  readonly fine: boolean;
  readonly zoom: number;
  readonly blanks: readonly Blank[];
}

const share = (part: number): string => `${(part * 100).toFixed(3)}%`;

function Sheet({ page, count, size, images, fine, zoom, blanks }: SheetProps) {
  const drawn = images.picture(wantedOf(page, fine)).value;
  const coarse = images.picture(wantedOf(page, false)).value;
  // The coarse image stays until the fine one is there.
  const shown = drawn.kind === "ready" ? drawn : coarse;
  return (
    <div class="envelope-sheet" data-page={page} style={{ aspectRatio: `${size.w_pt} / ${size.h_pt}`, inlineSize: share(zoom) }}>
      {shown.kind === "ready" && <img src={shown.url} alt={words.pageOf(page, count)} />}
      {shown.kind === "ready" &&
        blanks.map(({ area: { x, y, w, h }, words: text }, index) => (
          <span
            key={index}
            class="envelope-blank"
            style={{ insetInlineStart: share(x), insetBlockStart: share(y), inlineSize: share(w), blockSize: share(h) }}
          >
            <span>{text}</span>
          </span>
        ))}
      {drawn.kind === "failed" && (
        <p role="alert">
          {words.pageFailed(page)}{" "}
          <button type="button" class="button" onClick={() => images.retry(wantedOf(page, fine))}>
            {words.tryAgain}
          </button>
        </p>
      )}
    </div>
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

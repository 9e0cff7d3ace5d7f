import type { ShownPage } from "@countersign/client/pages";
import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n/i18n.ts";
import type { PageImages, Wanted } from "./page-images.ts";
import { PageWords, type Placed } from "./page-text.tsx";
import type { PageTexts } from "./page-texts.ts";
import { pageShown } from "./reading.ts";
import { watchNear } from "./watch-near.ts";

export type PageSize = Readonly<ShownPage>;

export interface ViewerProps {
  readonly pages: readonly PageSize[];
  readonly images: PageImages;
  readonly texts: PageTexts;
  /** 1 is the width of the column */
  readonly zoom: number;
  /** text instead of images */
  readonly asText: boolean;
  /** which image of a page to show */
  readonly wantedOf: (page: number, fine: boolean) => Wanted;
  /** content over a page; in the text view, what stands beside a block of its text */
  readonly children: (page: PageSize, isHere?: (area: Placed) => boolean) => ComponentChildren;
  readonly onDrawn: (page: number) => void;
}

// More decoded images than this crash phones.
const MAX_SHOWN = 12;
// Above this zoom the normal image looks coarse.
const FINE_FROM_ZOOM = 1.5;

/** The document. Every page has its place from the start; images are shown for pages near the window. */
export function Viewer({ pages, images, texts, zoom, asText, wantedOf, children, onDrawn }: ViewerProps) {
  const near = useSignal<readonly number[]>([1]);
  const firstIsDrawn = useSignal(false);
  const column = useRef<HTMLDivElement>(null);
  const fine = zoom > FINE_FROM_ZOOM;

  useEffect(() => watchNear(column.current, (found) => (near.value = found)), [pages.length, asText]);
  useSignalEffect(() => {
    pageShown.value = near.value[0] ?? 1;
  });
  useSignalEffect(() => {
    // Nothing else is loaded until page 1 is displayed.
    const shown = firstIsDrawn.value ? near.value : [1];
    if (!asText) images.want(shown.slice(0, MAX_SHOWN).map((n) => wantedOf(n, fine)));
  });
  useSignalEffect(() => {
    if (firstIsDrawn.value || asText) texts.fetchInTurn(near.value);
  });
  const drawn = (n: number) => {
    if (n === 1) firstIsDrawn.value = true;
    onDrawn(n);
  };
  const shown = near.value.slice(0, MAX_SHOWN);
  return (
    <div ref={column} class={asText ? "pages as-text" : "pages"} style={{ "--zoom": zoom }}>
      {pages.map((page) => (
        <section
          key={page.n}
          class="sheet"
          data-page={page.n}
          aria-label={words.value.page(page.n, pages.length)}
          style={{ "--w": page.w, "--h": page.h }}
        >
          {!asText && shown.includes(page.n) && (
            <Picture page={page.n} images={images} wanted={wantedOf(page.n, fine)} plain={wantedOf(page.n, false)} onDrawn={drawn} />
          )}
          {asText ? (
            <PageWords page={page.n} texts={texts} visible beside={(isHere) => children(page, isHere)} />
          ) : (
            <>
              <PageWords page={page.n} texts={texts} visible={false} beside={() => null} />
              {children(page)}
            </>
          )}
        </section>
      ))}
    </div>
  );
}

interface PictureProps {
  readonly page: number;
  readonly images: PageImages;
  readonly wanted: Wanted;
  readonly plain: Wanted;
  readonly onDrawn: (page: number) => void;
}

function Picture({ page, images, wanted, plain, onDrawn }: PictureProps) {
  const last = useRef<string | null>(null);
  const picture = images.picture(wanted).value;
  const coarse = images.picture({ ...plain, revision: null }).value;
  if (picture.kind === "ready") last.current = picture.url;
  else if (coarse.kind === "ready") last.current = coarse.url;
  if (picture.kind === "failed") {
    return (
      <p class="page-failed" role="alert">
        {words.value.pageFailed(page)}{" "}
        <button type="button" class="button" onClick={() => images.retry(wanted)}>
          {words.value.tryAgain}
        </button>
      </p>
    );
  }
  // No <img> before its image is loaded: an empty one would cause a layout shift.
  if (last.current === null) return <p class="page-waits hidden-visually">{words.value.pageLoading(page)}</p>;
  return <img class="picture" src={last.current} alt="" draggable={false} onLoad={() => onDrawn(page)} />;
}

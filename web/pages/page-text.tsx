import type { ComponentChildren } from "preact";
import { words } from "../i18n/i18n.ts";
import type { PageTexts } from "./page-texts.ts";

/** A place on a page, in fractions of its height. */
export interface Placed {
  readonly y: number;
  readonly h: number;
}

interface PageWordsProps {
  readonly page: number;
  readonly texts: PageTexts;
  /** shown instead of the image; otherwise only for screen readers */
  readonly visible: boolean;
  /** what stands at these places of the page, such as fields */
  readonly beside: (isHere: (area: Placed) => boolean) => ComponentChildren;
}

/** The text of a page. What stands beside a block follows it, so that a field is read where it is in the document. */
export function PageWords({ page, texts, visible, beside }: PageWordsProps) {
  const text = texts.of(page)?.value;
  if (text?.kind !== "ready") {
    return visible ? (
      <>
        <p class="page-words">{words.value.pageLoading(page)}</p>
        {beside(() => true)}
      </>
    ) : null;
  }
  const { blocks, places, has_text } = text;
  const tops = places.map(({ top }) => top);
  return (
    <div class={visible ? "page-words" : "page-words hidden-visually"}>
      {!has_text && <p>{words.value.pageIsPicture}</p>}
      {beside((area) => blockBefore(tops, area) === -1)}
      {blocks.map((block, index) => (
        <div key={index}>
          {places[index]?.is_heading === true ? <h2>{block}</h2> : <p>{block}</p>}
          {beside((area) => blockBefore(tops, area) === index)}
        </div>
      ))}
    </div>
  );
}

/** The block on the same line as the area or the nearest above it; -1 if there is none. */
export function blockBefore(tops: readonly number[], { y, h }: Placed): number {
  let found = -1;
  for (const [index, top] of tops.entries()) {
    if (top <= y + h && top >= (tops[found] ?? 0)) found = index;
  }
  return found;
}

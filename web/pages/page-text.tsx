import { words } from "../i18n/i18n.ts";
import type { PageTexts } from "./page-texts.ts";

interface PageWordsProps {
  readonly page: number;
  readonly texts: PageTexts;
  /** shown instead of the image; otherwise only for screen readers */
  readonly visible: boolean;
}

export function PageWords({ page, texts, visible }: PageWordsProps) {
  const text = texts.of(page)?.value;
  if (text?.kind !== "ready") return visible ? <p class="page-words">{words.value.pageLoading(page)}</p> : null;
  return (
    <div class={visible ? "page-words" : "page-words hidden-visually"}>
      {text.has_text ? text.blocks.map((block, index) => <p key={index}>{block}</p>) : <p>{words.value.pageIsPicture}</p>}
    </div>
  );
}

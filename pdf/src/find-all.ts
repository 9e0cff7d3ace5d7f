// Finds tags, anchors and page facts in one pass, because interpreting the content of the pages is almost all of the work.

import { createReader } from "./content/interpret.ts";
import { type ContentFacts, factsOf } from "./content/page-facts.ts";
import { readTexts } from "./content/page-texts.ts";
import type { Doc } from "./doc.ts";
import { collectTags, type FoundTags } from "./find-tags.ts";
import { type AnchorQuery, type AnchorResult, collectAnchors } from "./find-text.ts";
import { hasHidden } from "./remove-hidden.ts";

export type FoundAll = {
  readonly tags: FoundTags;
  readonly anchors: readonly AnchorResult[];
  readonly facts: readonly ContentFacts[];
  /** The indices of pages with content that cannot be seen. */
  readonly hidden: readonly number[];
};

/**
 * The results of `findTags`, `findAnchors` and `contentFacts`, for less than the cost of the first two.
 * @example const { tags, anchors } = findAll(doc, [{ anchor_text: "Sign here" }])
 */
export function findAll(doc: Doc, queries: readonly AnchorQuery[]): FoundAll {
  const reader = createReader(doc);
  const tags = collectTags(doc);
  const anchors = collectAnchors(doc, reader, queries);
  const facts: ContentFacts[] = [];
  const hidden: number[] = [];
  for (const texts of readTexts(doc, reader)) {
    tags.read(texts);
    anchors.read(texts);
    facts.push(factsOf(texts.content, texts.displayed));
    if (hasHidden(texts.content)) hidden.push(texts.page.index);
  }
  return { tags: tags.found(), anchors: anchors.found(), facts, hidden };
}

import type { Ingested } from "@countersign/pdf/pool";

/** Something that was done differently from what was asked, and that the caller may want to correct. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Changes that the engine made to the document and that its owner may not expect. */
export function warningsOf({
  warnings,
  page_warnings,
  tag_warnings,
}: Pick<Ingested, "warnings" | "page_warnings" | "tag_warnings">): Warning[] {
  const messages = {
    signatures_removed_by_cleaning: "The PDF had to be cleaned, which removed its digital signatures",
    annotations_removed: "Some annotations of the PDF have no appearance that can be shown and were removed",
    tag_not_understood: "Some text in double braces is not a valid tag and was not changed",
  } as const;
  const ofDocument = [...new Set(warnings)].map((code) => ({ code, message: messages[code] }));
  const ofPages = page_warnings.map(({ code, pages }) => ({ code, message: messagesOfPages[code](pageList(pages)) }));
  return [
    ...ofDocument,
    ...ofPages,
    ...tag_warnings.map(({ code, page, tag }) => ({ code, message: `Page ${page}, ${tag}: ${ofTags[code]}` })),
  ];
}

const messagesOfPages = {
  hidden_content_removed: (pages) =>
    `Content that cannot be seen was removed from ${pages}: it is hidden, in a layer that is off, clipped away or outside the page`,
  look_changed: (pages) => `Cleaning may have changed the look of ${pages}. Check the document before you send it`,
  look_not_compared: () =>
    "The PDF could not be shown before it was cleaned, so its look could not be compared. Check the document before you send it",
} as const satisfies Record<Ingested["page_warnings"][number]["code"], (pages: string) => string>;

// More would not be read.
const MAX_LISTED = 20;

/** "page 3", "pages 1, 2 and 5", or the first 20 and how many more. */
function pageList(pages: readonly number[]): string {
  if (pages.length === 1) return `page ${pages[0]}`;
  if (pages.length > MAX_LISTED) return `pages ${pages.slice(0, MAX_LISTED).join(", ")} and ${pages.length - MAX_LISTED} more`;
  return `pages ${pages.slice(0, -1).join(", ")} and ${pages.at(-1)}`;
}

const ofTags = {
  tag_unclosed: "has no closing braces, so it is text and not a field. Close it with }}",
  single_option: "the field has only one option. Separate options with commas",
} as const;

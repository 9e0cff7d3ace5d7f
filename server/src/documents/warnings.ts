import type { Ingested } from "@countersign/pdf/pool";

/** Something that was done differently from what was asked, and that the caller may want to correct. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Changes that the engine made to the document and that its owner may not expect. */
export function warningsOf({ warnings, tag_warnings }: Pick<Ingested, "warnings" | "tag_warnings">): Warning[] {
  const messages = {
    signatures_removed_by_cleaning: "The PDF had to be cleaned, which removed its digital signatures",
    annotations_removed: "Some annotations of the PDF have no appearance that can be shown and were removed",
    tag_not_understood: "Some text in double braces is not a valid tag and was not changed",
  } as const;
  const ofDocument = [...new Set(warnings)].map((code) => ({ code, message: messages[code] }));
  return [...ofDocument, ...tag_warnings.map(({ code, page, tag }) => ({ code, message: `Page ${page}, ${tag}: ${ofTags[code]}` }))];
}

const ofTags = {
  tag_unclosed: "has no closing braces, so it is text and not a field. Close it with }}",
  single_option: "the field has only one option. Separate options with commas",
} as const;

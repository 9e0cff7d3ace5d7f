import { formatNumber } from "../../format-number.ts";

/** The words of the templates. Those of repeating and of people are in `words/repeat`. A table of another language must have the same members. */

const counted = (count: number, one: string): string => `${formatNumber(count)} ${one}${count === 1 ? "" : "s"}`;

export const en = {
  title: "Templates",
  one: "Template",
  lead: "Reusable documents with their fields in place.",
  create: "New template",
  toCreate: "create templates",
  toEdit: "edit fields",
  search: "Search",
  searchHint: "Name or external ID",
  noMatchHint: "No template fits the search and the filters.",
  extent: (pages: number, fields: number) => `${counted(pages, "page")}, ${counted(fields, "field")}`,
  pages: (count: number) => `${counted(count, "page")}, updated`,
  noRoles: "No roles yet",
  tag: "Tag ",
  updated: "Updated",
  archived: "Archived",
  archivedAt: "Archived",
  archivedHint: ". It cannot be used for new envelopes. Existing envelopes are not affected.",
  archivedNow: (name: string) => `“${name}” was archived.`,
  restoredNow: (name: string) => `“${name}” was restored.`,
  savedNow: (name: string) => `“${name}” was saved.`,
  archiveTitle: "Archive template",
  open: "Open",
  use: "Use template",
  publicLink: "Public link",
  id: "the template ID",
  externalIdCopied: "the external ID",
  empty: {
    title: "No templates yet",
    before:
      "A template is a PDF with fields for signatures, dates and text. Place the fields here, or write tags into the document before you create the PDF. The tag",
    after: "becomes a signature field for the buyer and is removed from the page.",
  },
  created: {
    withoutTags: "Template created. It has no tags. Place its fields below.",
    withTags: (fields: number) => `Template created with ${counted(fields, "field")} from its tags.`,
  },
  usage: {
    title: "Where used",
    none: "Not used yet.",
    // 10,000 is where the service stops counting.
    envelopes: (count: number) => `${count >= 10_000 ? "10,000 or more envelopes" : counted(count, "envelope")}`,
    drafts: (count: number) => `${count >= 10_000 ? "10,000 or more" : count} of them ${count === 1 ? "a draft" : "drafts"}`,
    forms: (count: number) => counted(count, "public form"),
    batches: (count: number) => counted(count, "bulk send"),
    filter: (name: string) => `Template: ${name}`,
    removeFilter: (name: string) => `Remove template filter: ${name}`,
  },
  dialog: {
    title: "Create template",
    name: "Name",
    externalId: "External ID",
    externalIdHint: "Your own ID for this template. The API can filter templates by it.",
    progress: "Upload progress",
    cancel: "Cancel",
    create: "Create",
    uploading: "Uploading…",
    processing: "Processing…",
    file: "PDF file",
    limit: "Up to 50 MB",
    fault: (error: string) => `The file ${error}`,
  },
} as const;
export type Words = typeof en;

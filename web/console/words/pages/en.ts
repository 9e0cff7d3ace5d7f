/** The words of the pages of a document. A table of another language must have the same members. */
export const en = {
  pages: "Pages of the document",
  thumbnails: "Pages",
  /** before the number of a page */
  pageBefore: "Page ",
  page: (page: number) => `Page ${page}`,
  pageOf: (page: number, count: number) => `Page ${page} of ${count}. Use the text view to read its text.`,
  blanks: (count: number) => (count === 0 ? "" : `, ${count} ${count === 1 ? "field" : "fields"} to fill in`),
  pageFailed: (page: number) => `Page ${page} could not be loaded.`,
  tryAgain: "Try again",
  loading: "Loading…",
  imageOnly: "This page is an image without text. Screen readers cannot read it.",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoom: "Zoom",
  percent: (part: number) => `${Math.round(part * 100)}%`,
};

/** What helps to read a long document, in one chunk that is loaded after page 1. */
export { PageBar } from "./page-bar.tsx";
export { Thumbnails } from "./thumbnails.tsx";

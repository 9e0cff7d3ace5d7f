// The index that the browser loads when the search field gets the focus for the first time.
import MiniSearch from "minisearch";

/**
 * @typedef {object} Found
 * @property {string} title of the part of the page
 * @property {string} page the title of the page
 * @property {string} address in the site
 * @property {"Guide" | "Reference" | "Error"} kind
 * @property {string} names words that are no text: paths, methods, fields
 * @property {string} text
 */

/** Part of the file, so that the browser searches as the index was made. */
const OPTIONS = {
  fields: ["title", "names", "text"],
  storeFields: ["title", "page", "address", "kind"],
  // Up to four letters are exact, then one mistake in eight.
  searchOptions: { boost: { title: 4, names: 2 }, combineWith: "AND", prefix: true, fuzzy: 0.12 },
};

/** @param {readonly Found[]} parts */
export function searchIndex(parts) {
  const index = new MiniSearch(/** @type {import("minisearch").Options} */ (OPTIONS));
  index.addAll(parts.map((part, id) => ({ id, ...part })));
  return JSON.stringify({ options: OPTIONS, index });
}

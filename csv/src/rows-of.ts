import { RowReader } from "./row-reader.ts";

/**
 * The rows of a text. If the text was cut off, the last row is left out, because it may be half a row; so is a row with a quote that is never
 * closed.
 *
 * @example rowsOf("name;city\nAnn;Bonn") gives [["name", "city"], ["Ann", "Bonn"]]
 */
export function rowsOf(text: string, { isCut = false }: { readonly isCut?: boolean } = {}): readonly (readonly string[])[] {
  const reader = new RowReader();
  reader.take(text);
  if (!isCut) reader.end();
  return reader.given();
}

// Removes tags outside the page content: in replacement and alternative texts, bookmarks, notes, document information and XMP.

import { PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import { decodeStream } from "./filters.ts";
import { Lexer, type Operand } from "./lexer.ts";
import type { Mark } from "./machine.ts";
import { type Edit, latin1, spellOperand } from "./rewrite-show.ts";
import { decodeText, encodeText } from "./text-strings.ts";

/** Whether to remove the tag with this text between the braces. */
export type ShouldRemove = (inner: string) => boolean;

/** Tags are the same if they differ only in white space and compatibility forms. */
export const tagKey = (inner: string): string => inner.normalize("NFKC").replace(/\s+/g, "");

export const tagSet = (inners: Iterable<string>): ShouldRemove => {
  const keys = new Set([...inners].map(tagKey));
  return (inner) => keys.has(tagKey(inner));
};

/** The text without the tags to remove; null if it contains none. */
export function cutTags(text: string, shouldRemove: ShouldRemove): string | null {
  if (!text.includes("{{")) return null;
  const cut = text.replace(/\{\{([^{}]{1,500})\}\}/g, (tag, inner: string) => (shouldRemove(inner) ? "" : tag));
  return cut === text ? null : cut;
}

const cutString = (bytes: Uint8Array, shouldRemove: ShouldRemove): Uint8Array | null => {
  const cut = cutTags(decodeText(bytes), shouldRemove);
  return cut === null ? null : encodeText(cut);
};

/**
 * The edit that removes the tags from the dictionary of a marked-content operator; null if it contains none. If all enclosed glyphs are
 * removed (`isEmptied`), their text goes with them: a producer may have written the parts of a tag into several dictionaries.
 */
export function cutMark(mark: Mark, shouldRemove: ShouldRemove, isEmptied: boolean): Edit | null {
  if (isEmptied) return emptiedMark(mark);
  const { source, start, end } = mark;
  const lexer = new Lexer(source.bytes, start);
  if (lexer.next() !== "operand" || !(lexer.operand instanceof Map)) return null;
  const entries = new Map(lexer.operand as ReadonlyMap<string, Operand>);
  let changed = false;
  for (const key of ["ActualText", "Alt", "E"]) {
    const value = entries.get(key);
    const cut = value instanceof Uint8Array ? cutString(value, shouldRemove) : null;
    if (cut === null) continue;
    changed = true;
    // The replaced glyphs are removed, or can be read without the replacement text.
    if (key === "ActualText") entries.delete(key);
    else entries.set(key, cut);
  }
  return changed ? { start, end, bytes: latin1(`${spellOperand(entries)} BDC`) } : null;
}

/** The operator without its texts. Content of a structure element stays one. */
export function emptiedMark({ start, end, mcid }: Mark): Edit {
  return { start, end, bytes: latin1(mcid === null ? " << >> BDC" : ` << /MCID ${mcid} >> BDC`) };
}

const textKeys = new Set(["ActualText", "Alt", "E", "Title", "T", "TU", "Contents", "RC", "Subj"]);

/** Removes the tags from every text that the document shows or reads aloud, and from its metadata. */
export function cutDocumentTexts(doc: Doc, shouldRemove: ShouldRemove): void {
  for (const dict of reachableDicts(doc)) {
    for (const [name, value] of [...dict]) if (textKeys.has(name.value)) cutEntry(dict, name.value, resolve(doc, value), shouldRemove);
    if (dict instanceof PdfStream && isMetadata(doc, dict)) cutMetadata(doc, dict, shouldRemove);
  }
  for (const [name, value] of [...(doc.info ?? [])]) cutEntry(doc.info as PdfDict, name.value, resolve(doc, value), shouldRemove);
}

function cutEntry(dict: PdfDict, key: string, value: PdfObject | null, shouldRemove: ShouldRemove): void {
  const cut = value instanceof PdfString ? cutString(value.bytes, shouldRemove) : null;
  if (cut === null) return;
  // A property list has no structure type. Without replacement text, the remaining glyphs are read instead.
  if (key === "ActualText" && !dict.has("S")) dict.delete(key);
  else dict.set(key, new PdfString(cut, "literal"));
}

function isMetadata(doc: Doc, stream: PdfStream): boolean {
  const type = resolve(doc, stream.get("Type"));
  return type instanceof PdfName && type.value === "Metadata";
}

function cutMetadata(doc: Doc, stream: PdfStream, shouldRemove: ShouldRemove): void {
  const cut = cutTags(new TextDecoder().decode(decodeStream(doc, stream)), shouldRemove);
  if (cut === null) return;
  for (const key of ["Filter", "DecodeParms"]) stream.delete(key);
  stream.setData(new TextEncoder().encode(cut));
}

/** Every dictionary reachable from the catalog, once. */
function* reachableDicts(doc: Doc): Generator<PdfDict> {
  const seen = new Set<PdfObject>();
  const waiting: PdfObject[] = [doc.catalog];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    const found = value instanceof PdfRef ? resolve(doc, value) : value;
    if (found === null || seen.has(found)) continue;
    if (found instanceof PdfArray) {
      seen.add(found);
      for (const each of found) waiting.push(each);
    } else if (found instanceof PdfDict) {
      seen.add(found);
      yield found;
      for (const [, each] of found) waiting.push(each);
    }
  }
}

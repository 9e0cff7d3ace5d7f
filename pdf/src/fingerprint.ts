// What identifies a document: the marks of its file, its words, and what is printed on it by `markCopy`.

import { createHash } from "node:crypto";
import { foldText } from "./content/fold.ts";
import { isHidden } from "./content/glyphs.ts";
import { createReader } from "./content/interpret.ts";
import type { Doc } from "./doc.ts";
import { type FileMarks, fileHashes, marksOfFile } from "./file-marks.ts";

export type FingerprintRequest = {
  /** Sizes of earlier states that were whole files too, such as the file before it was sealed. */
  readonly wholes?: readonly number[];
  /** Texts that mark a rendition; what follows them on the page is reported. */
  readonly marks?: readonly string[];
};

export type Fingerprint = FileMarks & {
  /** Of the letters and digits; null if there are too few of them to identify a document. */
  readonly text_sha256: string | null;
  /** Each mark that was found with what follows it, folded and without spaces, once. */
  readonly marked: readonly string[];
};

// Fewer letters are a cover page or a form without content: others have the same.
const LEAST_LETTERS = 400;

// The band of a copy goes on with an id of 30 characters.
const AFTER_MARK = 40;

/**
 * Reads every page. Throws UnreadablePdf `too_complex` if the document exceeds a limit.
 * @example fingerprint(doc, { wholes: [before.length], marks: ["COPY, not the authoritative copy"] }).text_sha256
 */
export function fingerprint(doc: Doc, { wholes = [], marks = [] }: FingerprintRequest): Fingerprint {
  const reader = createReader(doc);
  const hash = createHash("sha256");
  const wanted = marks.map(withoutSpaces);
  const marked = new Set<string>();
  let letters = 0;
  for (const page of doc.pages) {
    const { glyphs } = reader.readPage(page);
    let painted = "";
    for (let glyph = 0; glyph < glyphs.count; glyph++) {
      if (!isHidden(glyphs, glyph)) painted += reader.texts.text(glyphs.text[glyph] ?? 0);
    }
    const plain = lettersOf(painted);
    letters += plain.length;
    hash.update(plain);
    for (const found of marksIn(withoutSpaces(painted), wanted)) marked.add(found);
  }
  const marksOf = marksOfFile(doc);
  const whole = wholes.flatMap((size) => fileHashes(doc.original.subarray(0, size)));
  return {
    ...marksOf,
    file: [...new Set([...marksOf.file, ...whole])],
    text_sha256: letters < LEAST_LETTERS ? null : hash.digest("hex"),
    marked: [...marked],
  };
}

const withoutSpaces = (text: string): string => foldText(text).replaceAll(" ", "");

/** Letters and digits of every script; compatible forms and case do not matter. */
const lettersOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

function* marksIn(painted: string, wanted: readonly string[]): Generator<string> {
  for (const mark of wanted) {
    const at = mark === "" ? -1 : painted.indexOf(mark);
    if (at !== -1) yield painted.slice(at, at + mark.length + AFTER_MARK);
  }
}

// A signed upload is more valuable unchanged than cleaned. It may be kept byte for byte if there is nothing to clean in any revision or
// object, used or not; truncating the file would restore an older revision.

import { PDF } from "@libpdf/core";
import { useBudget } from "pako";
import { annotationsToDraw } from "./appearances/draw-annotations.ts";
import { hasUndrawnValue } from "./appearances/draw-fields.ts";
import type { Doc } from "./doc.ts";
import { isChainBroken } from "./revisions.ts";
import { findActive, findActiveAnywhere } from "./sanitize/find-active.ts";
import { KEYS_OF_SIGNING } from "./sanitize/rules.ts";
import { signedFields } from "./signed-fields.ts";

// Each revision is read completely. A file with more revisions is cleaned instead.
const MAX_REVISIONS_SEARCHED = 16;

const EXCEPTED = new Set([...KEYS_OF_SIGNING].map((key) => `Catalog/${key}`));

/**
 * Whether the upload may be stored unchanged. `carries_tag`: a tag must be removed, which changes the bytes. Call it before `sanitize`,
 * which consumes the Doc.
 */
export async function mayKeepBytes(doc: Doc, { carries_tag }: { readonly carries_tag: boolean }): Promise<boolean> {
  const file = Buffer.from(doc.original.buffer, doc.original.byteOffset, doc.original.length);
  // What only some viewers would draw has to be drawn for all. The icon of a note is no reason to lose a signature.
  if (hasUndrawnValue(doc) || annotationsToDraw(doc).some(({ subtype }) => subtype !== "Text")) return false;
  if (carries_tag || doc.pdf.isEncrypted || signedFields(doc).length === 0 || file.indexOf("%PDF-") !== 0) return false;
  // Readers that search for its objects may choose differently, and a seal could not be appended.
  if (isChainBroken(doc.original)) return false;
  const ends = revisionEnds(file);
  if (ends.length === 0 || ends.length > MAX_REVISIONS_SEARCHED) return false;
  useBudget(doc.budget);
  for (const end of ends) if (!(await isInert(doc.original.subarray(0, end)))) return false;
  return doc.budget.exceeded === null;
}

function revisionEnds(file: Buffer): number[] {
  const ends: number[] = [];
  for (let at = file.indexOf("%%EOF"); at !== -1 && ends.length <= MAX_REVISIONS_SEARCHED; at = file.indexOf("%%EOF", at + 5))
    ends.push(at + 5);
  return ends;
}

// The end marker of a revision also occurs inside streams and after the first part of a linearized file; libpdf then scans for objects
// and finds those of a revision that does not exist. A revision that cannot be opened cannot be checked.
async function isInert(revision: Uint8Array): Promise<boolean> {
  const pdf = await PDF.load(revision).catch(() => null);
  if (pdf === null || pdf.isEncrypted) return false;
  let inert = true;
  const report = (what: string): void => {
    if (!EXCEPTED.has(what)) inert = false;
  };
  findActive({ pdf }, report);
  findActiveAnywhere({ pdf }, report);
  return inert;
}

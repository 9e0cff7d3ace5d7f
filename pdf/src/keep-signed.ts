// A signed upload is worth more untouched than clean. It may stay byte for byte if there was nothing to clean in it, in no
// revision and in no object, used or not: an older revision can be brought back by cutting the file.

import { PDF } from "@libpdf/core";
import { useBudget } from "pako";
import type { Doc } from "./doc.ts";
import { findActive, findActiveAnywhere } from "./sanitize/find-active.ts";
import { KEYS_OF_SIGNING } from "./sanitize/rules.ts";
import { signedFields } from "./signed-fields.ts";

// Each is read in full. A file with more goes through cleaning.
const MAX_REVISIONS_SEARCHED = 16;

const EXCEPTED = new Set([...KEYS_OF_SIGNING].map((key) => `Catalog/${key}`));

/**
 * Whether the upload may be stored as it came. `carries_tag`: a tag has to be removed, and that changes the bytes.
 * Ask before `sanitize`, which uses the Doc up.
 */
export async function mayKeepBytes(doc: Doc, { carries_tag }: { readonly carries_tag: boolean }): Promise<boolean> {
  const file = Buffer.from(doc.original.buffer, doc.original.byteOffset, doc.original.length);
  if (carries_tag || doc.pdf.isEncrypted || signedFields(doc).length === 0 || file.indexOf("%PDF-") !== 0) return false;
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

// The marker of a revision's end also stands inside streams and after the first part of a file made for the web; libpdf then
// searches for objects, and finds those of a revision that is none. What it cannot open at all, we cannot vouch for.
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

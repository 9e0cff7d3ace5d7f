// Counts how often a file was saved by appending (ISO 32000-2, 7.5.6), by following the chain of cross-reference sections. `%%EOF` is not
// reliable: it also occurs inside streams, and twice in a linearized file.

// Each revision is read separately when a signed upload is searched for active content.
export const MAX_REVISIONS = 64;

// The maximum distance of the trailer entries from the start of a section: a table of 500,000 objects has 10 MB.
const SECTION_BYTES = 12 * 1024 * 1024;

/** The number of revisions; 1 if the chain cannot be followed, and at most MAX_REVISIONS + 1. */
export function countRevisions(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const sections = new Set<number>();
  let at: number | null = lastStart(file);
  while (at !== null && !sections.has(at) && sections.size <= MAX_REVISIONS) {
    sections.add(at);
    at = previousSection(file, at);
  }
  const linearized = /\/Linearized\s/.test(file.toString("latin1", 0, 1_024)) ? 1 : 0;
  return Math.max(1, sections.size - linearized);
}

/**
 * Whether a section before the last is not where `/Prev` says. libpdf reads on without it, so that objects are missing. Of a wrong
 * `startxref` libpdf knows, and `/Prev 0` means that there is none.
 */
export function isChainBroken(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = lastStart(file);
  const seen = new Set<number>();
  for (let at = start; at !== null && at !== 0 && !seen.has(at); at = previousSection(file, at)) {
    if (at !== start && !/^(?:xref|[0-9]+\s+[0-9]+\s+obj)\b/.test(file.toString("latin1", at, at + 32))) return true;
    seen.add(at);
  }
  return false;
}

function lastStart(file: Buffer): number | null {
  const at = file.lastIndexOf("startxref");
  const offset = at === -1 ? null : /^startxref\s+(\d{1,10})/.exec(file.toString("latin1", at, at + 40))?.[1];
  return offset === null || offset === undefined ? null : Number(offset);
}

// A table is followed by its trailer; a cross-reference stream has the same entries in its dictionary.
function previousSection(file: Buffer, at: number): number | null {
  const end = Math.min(file.length, at + SECTION_BYTES);
  const section = file.subarray(at, end);
  const isTable = section.subarray(0, 4).equals(Buffer.from("xref"));
  const from = isTable ? section.indexOf("trailer") : 0;
  const to = section.indexOf(isTable ? "startxref" : "stream", Math.max(from, 0));
  if (from === -1 || to === -1) return null;
  const offset = /\/Prev\s+(\d{1,10})/.exec(section.toString("latin1", from, Math.min(to, from + 65_536)))?.[1];
  return offset === undefined ? null : Number(offset);
}

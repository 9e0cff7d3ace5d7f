// Verifies a chain without trusting it: every value is recomputed before it is used, and each fault includes the evidence.

import { NotCanonical } from "./canonical.ts";
import { commitmentOf, genesis, hashOf } from "./chain.ts";
import { dataMisfit, type Entry, type EntryData, entryMisfit, type Head } from "./entry.ts";

/** An entry with its data; `data` is null once erased. */
export type Link = { readonly entry: Entry; readonly data: EntryData | null };

/** What the reader knows from other sources. Without `head`, missing entries at the end are not noticed. */
export type Expected = { readonly org_id?: string; readonly subject?: string; readonly head?: Head };

export type FaultKind =
  | "malformed" // a field is missing, unknown or in the wrong format
  | "wrong_org"
  | "wrong_subject"
  | "missing_entry" // a number is missing
  | "reordered_entry" // a number appears later than it should
  | "duplicated_entry" // a number appears twice
  | "wrong_prev" // the entry does not link to the one before it
  | "wrong_hash" // a field of the entry was altered
  | "time_backwards"
  | "data_missing" // the data is missing, and no later entry erased it
  | "data_altered" // the data or the salt does not match the commitment
  | "head_mismatch" // the chain does not end at its recorded head: truncated, extended or rewritten
  | "empty_chain"; // there are no entries, although a head is recorded

/** `seq` is the position in the chain, counted from 1, at which the record differs from what was written. */
export type Fault = {
  readonly kind: FaultKind;
  readonly seq: number;
  readonly expected: string | number | null;
  readonly found: string | number | null;
};

type Finding = Omit<Fault, "seq">;
type Place = { readonly seq: number; readonly before: Entry | null; readonly org_id: string; readonly subject: string };

/**
 * The first fault of a whole chain, given in order from entry 1; null if there is none. Never throws, whatever a file contains. Without
 * links and without an expected head the result is null, because there is nothing to contradict.
 * @example firstFault(links, { org_id, subject, head }) // { kind: "wrong_hash", seq: 7, expected: "9f2c…", found: "03aa…" }
 */
export function firstFault(links: readonly Link[], expected: Expected = {}): Fault | null {
  const erased = erasedSeqs(links);
  let before: Entry | null = null;
  for (const [index, link] of links.entries()) {
    const seq = index + 1;
    const misfit = entryMisfit(link?.entry);
    if (misfit !== null) return { kind: "malformed", seq, ...misfit };
    const { org_id, subject }: Entry = before ?? link.entry;
    const place = { seq, before, org_id: expected.org_id ?? org_id, subject: expected.subject ?? subject };
    const finding = positionFault(link.entry, place, links) ?? linkFault(link.entry, place) ?? dataFault(link, erased.has(seq));
    if (finding !== null) return { seq, ...finding };
    before = link.entry;
  }
  return expected.head === undefined ? null : headFault(before, expected.head);
}

// Whether the entry belongs to this chain and is at its own position.
function positionFault(entry: Entry, { seq, org_id, subject }: Place, links: readonly Link[]): Finding | null {
  if (entry.org_id !== org_id) return { kind: "wrong_org", expected: org_id, found: entry.org_id };
  if (entry.subject !== subject) return { kind: "wrong_subject", expected: subject, found: entry.subject };
  if (entry.seq === seq) return null;
  return { kind: positionFaultKind(entry, seq, links), expected: seq, found: entry.seq };
}

function positionFaultKind(entry: Entry, seq: number, links: readonly Link[]): FaultKind {
  if (entry.seq < seq) return "duplicated_entry";
  return links.slice(seq).some((later) => later?.entry?.seq === seq) ? "reordered_entry" : "missing_entry";
}

// Whether the entry follows the one before it, is unaltered and is not earlier. Equal times are fine, because one transaction may write
// several entries.
function linkFault(entry: Entry, { before, org_id, subject }: Place): Finding | null {
  const prev = before?.hash ?? genesis(org_id, subject);
  if (entry.prev !== prev) return { kind: "wrong_prev", expected: prev, found: entry.prev };
  const hash = hashOf(entry);
  if (entry.hash !== hash) return { kind: "wrong_hash", expected: hash, found: entry.hash };
  // All times have the same length and are UTC, so they can be compared as text.
  if (before !== null && entry.at < before.at) return { kind: "time_backwards", expected: before.at, found: entry.at };
  return null;
}

// Whether the data matches the commitment or was properly erased. The record of an erasure can never be erased itself.
function dataFault({ entry, data }: Link, isErased: boolean): Finding | null {
  if (data === null) return isErased && !isErasing(entry) ? null : { kind: "data_missing", expected: entry.commitment, found: null };
  const misfit = dataMisfit(data);
  if (misfit !== null) return { kind: "malformed", ...misfit };
  try {
    const commitment = commitmentOf(Buffer.from(data.salt, "hex"), data.data);
    return commitment === entry.commitment ? null : { kind: "data_altered", expected: entry.commitment, found: commitment };
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error;
    return { kind: "malformed", expected: "data: canonical JSON", found: error.message };
  }
}

const isErasing = (entry: Entry | undefined): boolean => entry?.type === "data.erased";

// The positions whose data a *later* entry erased. Only erasure lists that match their commitment count.
function erasedSeqs(links: readonly Link[]): ReadonlySet<number> {
  const erased = new Set<number>();
  for (const [index, link] of links.entries()) {
    if (!isErasing(link?.entry) || entryMisfit(link.entry) !== null || dataFault(link, false) !== null) continue;
    for (const seq of seqsOf(link)) if (seq <= index) erased.add(seq);
  }
  return erased;
}

function seqsOf({ data }: Link): readonly number[] {
  const { seqs } = Object(data?.data);
  return Array.isArray(seqs) ? seqs : [];
}

function headFault(last: Entry | null, head: Head): Fault | null {
  if (last === null) return { kind: "empty_chain", seq: 1, expected: head.hash, found: null };
  const kind = "head_mismatch";
  if (last.seq !== head.seq) return { kind, seq: Math.min(last.seq, head.seq) + 1, expected: head.seq, found: last.seq };
  if (last.hash !== head.hash) return { kind, seq: last.seq, expected: head.hash, found: last.hash };
  return last.at === head.at ? null : { kind, seq: last.seq, expected: head.at, found: last.at };
}

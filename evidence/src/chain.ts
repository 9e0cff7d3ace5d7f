// The arithmetic of an audit chain. Each entry's hash covers the hash before it, so no entry can be changed, removed or moved
// without changing every later one. Personal data is bound by a salted commitment only, so it can be erased and the chain stays.

import { createHash } from "node:crypto";
import { canonicalize, type Json } from "./canonical.ts";
import { type Act, actMisfit, type Entry, type EntryData, type Head, headMisfit, SALT_BYTES } from "./entry.ts";

/** What to store for an act: the entry, what opens its commitment, and the chain's new head. All three in one transaction. */
export type Appended = { readonly entry: Entry; readonly data: EntryData; readonly head: Head };

/** The `prev` of a chain's first entry: it ties the chain to its org and subject. */
export function genesis(org_id: string, subject: string): string {
  return sha256("countersign/genesis/1\n", org_id, "\n", subject);
}

/** Binds an entry to its data without showing it. Throws a RangeError for a salt that is not 32 bytes, NotCanonical as canonicalize does. */
export function commitmentOf(salt: Uint8Array, data: Json): string {
  if (salt.length !== SALT_BYTES) throw new RangeError(`the salt has ${salt.length} bytes, not ${SALT_BYTES}`);
  return sha256("countersign/data/1\n", salt, canonicalize(data));
}

/** The hash of an entry over its nine other fields, listed here by hand: a `hash` that it already carries does not count. */
export function hashOf(entry: Omit<Entry, "hash">): string {
  const { v, org_id, subject, seq, type, at, actor, commitment, prev } = entry;
  return sha256("countersign/entry/1\n", canonicalize({ v, org_id, subject, seq, type, at, actor, commitment, prev }));
}

/**
 * The entry that follows `head`; null starts the chain. The caller holds the head's lock: two entries on one head fork the chain.
 * Its time is the later of the clock's and the head's, so a clock that was set back cannot make the chain run backwards.
 * Throws NotCanonical for data that has no canonical form, a RangeError for anything else malformed in act or head.
 * @example nextEntry(null, { org_id, subject, type: "envelope.created", at: now.toISOString(), actor, data: {}, salt: randomBytes(32) })
 */
export function nextEntry(head: Head | null, act: Act): Appended {
  // A head misread from the database (a time in another spelling, a number as text) would compare wrongly, not fail.
  const misfit = actMisfit(act) ?? (head === null ? null : headMisfit(head));
  if (misfit !== null) throw new RangeError(`malformed; expected ${misfit.expected}`);
  const { org_id, subject, type, actor, data, salt } = act;
  const at = head !== null && head.at > act.at ? head.at : act.at;
  const seq = (head?.seq ?? 0) + 1;
  const prev = head?.hash ?? genesis(org_id, subject);
  const unhashed = { v: 1, org_id, subject, seq, type, at, actor, commitment: commitmentOf(salt, data), prev } as const;
  const hash = hashOf(unhashed);
  return { entry: { ...unhashed, hash }, data: { salt: Buffer.from(salt).toString("hex"), data }, head: { seq, hash, at } };
}

function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

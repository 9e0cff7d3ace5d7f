// Audit chain. Each entry's hash covers the hash of the entry before it, so changing, removing or moving an entry changes every later
// hash. Personal data is bound only by a salted commitment, so it can be erased without breaking the chain.

import { createHash } from "node:crypto";
import { canonicalize, type Json } from "./canonical.ts";
import { type Act, actMisfit, type Entry, type EntryData, type Head, headMisfit, SALT_BYTES } from "./entry.ts";

/**
 * What to store for an act: the entry, the data that its commitment binds, and the chain's new head. Store all three in one transaction.
 */
export type Appended = { readonly entry: Entry; readonly data: EntryData; readonly head: Head };

/** The `prev` of a chain's first entry. It binds the chain to its organization and subject. */
export function genesis(org_id: string, subject: string): string {
  return sha256("countersign/genesis/1\n", org_id, "\n", subject);
}

/**
 * Binds an entry to its data without revealing it. Throws a RangeError if the salt is not 32 bytes, and NotCanonical like canonicalize.
 */
export function commitmentOf(salt: Uint8Array, data: Json): string {
  if (salt.length !== SALT_BYTES) throw new RangeError(`the salt has ${salt.length} bytes, not ${SALT_BYTES}`);
  return sha256("countersign/data/1\n", salt, canonicalize(data));
}

/** The hash of an entry over its nine other fields, listed explicitly so that an existing `hash` is ignored. */
export function hashOf(entry: Omit<Entry, "hash">): string {
  const { v, org_id, subject, seq, type, at, actor, commitment, prev } = entry;
  return sha256("countersign/entry/1\n", canonicalize({ v, org_id, subject, seq, type, at, actor, commitment, prev }));
}

/**
 * Creates the entry that follows `head`; null starts the chain. The caller must hold a lock on the head, because two entries with the
 * same head fork the chain. The entry's time is the later of the clock's and the head's, so the chain never runs backwards if the clock
 * was set back. Throws NotCanonical for data without a canonical form, and a RangeError for anything else that is malformed in the act or
 * the head.
 * @example nextEntry(null, { org_id, subject, type: "envelope.created", at: now.toISOString(), actor, data: {}, salt: randomBytes(32) })
 */
export function nextEntry(head: Head | null, act: Act): Appended {
  // A head in a wrong format (another time format, a number as text) would compare wrongly instead of failing.
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

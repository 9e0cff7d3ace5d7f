// The format of an entry, for writing and for reading one from a file. Every field has one spelling. Unknown fields are rejected, because
// the hash would not cover them.

import type { Json } from "./canonical.ts";

/** Who acted, by ID only, because an entry can never be erased. E-mail, name and IP address belong in the data. */
export type Actor = { readonly kind: string; readonly id: string };

/** One link of an audit chain. `at` is ISO 8601 in UTC with milliseconds; the hashes are lower-case hex of SHA-256. */
export type Entry = {
  readonly v: 1;
  readonly org_id: string;
  readonly subject: string;
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: Actor;
  readonly commitment: string;
  readonly prev: string;
  readonly hash: string;
};

/** The data of an entry and its salt. Erasure deletes both; without the salt, guesses at the data cannot be tested. */
export type EntryData = { readonly salt: string; readonly data: Json };

/** The last entry of a chain, as the writer stores it. */
export type Head = { readonly seq: number; readonly hash: string; readonly at: string };

/** One act to record. `at` is the clock's time; `salt` is 32 random bytes that are never reused. */
export type Act = {
  readonly org_id: string;
  readonly subject: string;
  readonly type: string;
  readonly at: string;
  readonly actor: Actor;
  readonly data: Json;
  readonly salt: Uint8Array;
};

// As long as the hash, so that guessing the salt is as hard as inverting the commitment.
export const SALT_BYTES = 32;

type Found = string | number | null;
export type Misfit = { readonly expected: string; readonly found: Found };
type Shape = Readonly<Record<string, { readonly like: string; readonly fits: (value: unknown) => boolean }>>;

const matching = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value);

// No "@" and no space, so that an e-mail address or a full name is rejected. No line feed, which is the separator in the genesis hash.
const id = { like: "an id of letters, digits, _ . : -", fits: matching(/^[\w.:-]+$/) };
const hash = { like: "64 lower-case hex digits", fits: matching(/^[0-9a-f]{64}$/) };

const time = { like: "a UTC time like 2026-01-02T03:04:05.678Z", fits: isTime };
const seq = { like: "an integer from 1", fits: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1 };
const json = { like: "any JSON", fits: (value: unknown) => value !== undefined };
const salt = { like: `${SALT_BYTES} bytes`, fits: (value: unknown) => value instanceof Uint8Array && value.length === SALT_BYTES };

const actorShape: Shape = { kind: id, id };

const recordedShape: Shape = {
  org_id: id,
  subject: id,
  type: { like: "lower-case words separated by dots", fits: matching(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/) },
  at: time,
  actor: { like: "kind and id", fits: (value) => misfit(actorShape, value) === null },
};

const entryShape: Shape = {
  v: { like: "1", fits: (value) => value === 1 },
  seq,
  ...recordedShape,
  commitment: hash,
  prev: hash,
  hash,
};

/** For other documents that use the same formats. */
export const isHash = (value: unknown): value is string => hash.fits(value);
export const isId = (value: unknown): value is string => id.fits(value);

/** The first field that is malformed, missing or unknown; null if all are well formed. Does not check whether they are true. */
export const entryMisfit = (entry: unknown): Misfit | null => misfit(entryShape, entry);
export const dataMisfit = (data: unknown): Misfit | null => misfit({ salt: hash, data: json }, data);
export const actMisfit = (act: unknown): Misfit | null => misfit({ ...recordedShape, data: json, salt }, act);
// A head may be a whole database row; only the members that the next entry needs are checked.
export const headMisfit = (head: Head): Misfit | null => misfit({ seq, hash, at: time }, { seq: head.seq, hash: head.hash, at: head.at });

function misfit(shape: Shape, value: unknown): Misfit | null {
  if (typeof value !== "object" || value === null) return { expected: onlyFieldsOf(shape), found: show(value) };
  for (const [field, { like, fits }] of Object.entries(shape)) {
    const found = (value as Record<string, unknown>)[field];
    if (!fits(found)) return { expected: `${field}: ${like}`, found: show(found) };
  }
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(shape, field));
  return unknown === undefined ? null : { expected: onlyFieldsOf(shape), found: unknown };
}

const onlyFieldsOf = (shape: Shape): string => `only the fields ${Object.keys(shape).join(", ")}`;

// Converting back rejects 30 February and 24:00, which match the pattern but which the parser moves to another day.
export function isTime(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

function show(value: unknown): Found {
  return typeof value === "string" || typeof value === "number" || value === null ? value : typeof value;
}

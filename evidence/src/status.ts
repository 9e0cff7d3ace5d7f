// The present state of a vaulted record, as an installation tells anyone who has the record's address. Signed, so that the answer can be
// kept and checked later.

import { canonicalize } from "./canonical.ts";
import { canonicalValue } from "./checkpoint.ts";
import { isHash, isTime } from "./entry.ts";

/** What a file is to the record; null if the vault knows no such file of this record. */
export type KnownAs = "authoritative" | "certificate" | "copy" | "signed" | null;

export type Status = {
  readonly type: "countersign/status/1";
  /** the address that was asked; it names the record, as in the manifest of its bundles and on its certificates */
  readonly status_url: string;
  /** of the authoritative copy */
  readonly state: string;
  readonly stored_at: string;
  /** when the copy left, was found damaged or was destroyed; null while it is in the vault */
  readonly state_since: string | null;
  /** `tree_size`: of the latest signed checkpoint of the log at that time */
  readonly as_of: { readonly at: string; readonly tree_size: number };
  readonly document_sha256: string;
  /** the latest one */
  readonly certificate: { readonly revision: number; readonly pdf_sha256: string; readonly evaluated_at: string };
  /** null unless the organization shows them */
  readonly parties: { readonly organization: string; readonly secured_party: string | null } | null;
  /** the file that was asked about; null if none was. `revision` is that of a certificate */
  readonly file: { readonly sha256: string; readonly known_as: KnownAs; readonly revision: number | null } | null;
};

/** The content of `/v/<code>.json`. The signature is raw Ed25519 over the canonical bytes of `document`, in hexadecimal. */
export type SignedStatus = { readonly document: Status; readonly signature: string; readonly key_id: string };

/** Parses an answer; null unless it is canonical and has exactly its members. Says nothing about the signature. */
export function readSignedStatus(
  bytes: Uint8Array,
): { document: Status; signed: Uint8Array; signature: Uint8Array; key_id: string } | null {
  const value = canonicalValue(bytes);
  const { document, signature, key_id } = members(value);
  if (!hasExactly(value, 3) || !isHash(key_id) || typeof signature !== "string" || !/^[0-9a-f]{128}$/.test(signature)) return null;
  if (!isStatus(document)) return null;
  return { document, signed: Buffer.from(canonicalize(document)), signature: Buffer.from(signature, "hex"), key_id };
}

const members = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>;
const hasExactly = (value: unknown, count: number): boolean => Object.keys(members(value)).length === count;
/** An address as the service writes it: nothing in it can be taken for something else on a terminal. */
export const isStatusUrl = (value: unknown): boolean => typeof value === "string" && /^https?:\/\/[\x21-\x7e]{1,500}$/.test(value);

const isText = (value: unknown): boolean => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

function isStatus(value: unknown): value is Status {
  const { type, status_url, state, stored_at, state_since, as_of, document_sha256, certificate, parties, file } = members(value);
  return [
    hasExactly(value, 10) && type === "countersign/status/1",
    isStatusUrl(status_url) && typeof state === "string" && /^[a-z_]{1,40}$/.test(state),
    isTime(stored_at) && (state_since === null || isTime(state_since)),
    hasExactly(as_of, 2) && isTime(members(as_of).at) && isCount(members(as_of).tree_size),
    isHash(document_sha256) && isCertificate(certificate),
    parties === null || isParties(parties),
    file === null || isFile(file),
  ].every(Boolean);
}

function isCertificate(value: unknown): boolean {
  const { revision, pdf_sha256, evaluated_at } = members(value);
  return hasExactly(value, 3) && isCount(revision) && isHash(pdf_sha256) && isTime(evaluated_at);
}

function isParties(value: unknown): boolean {
  const { organization, secured_party } = members(value);
  return hasExactly(value, 2) && isText(organization) && (secured_party === null || isText(secured_party));
}

const KNOWN: readonly unknown[] = ["authoritative", "certificate", "copy", "signed", null];

function isFile(value: unknown): boolean {
  const { sha256, known_as, revision } = members(value);
  return hasExactly(value, 3) && isHash(sha256) && KNOWN.includes(known_as) && (revision === null || isCount(revision));
}

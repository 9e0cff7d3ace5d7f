import { createHash } from "node:crypto";
import { canonicalize } from "./canonical.ts";

/** A value as it stands in a document: of a signature, the hash of its mark instead. */
export interface StandingValue {
  readonly position: number;
  readonly value: string | null;
  readonly mark_sha256: string | null;
}

/** What somebody sees who opens the document: its version, and everything that was entered and can no longer change. */
export function hashOfState(prepared_sha256: string, values: readonly StandingValue[]): string {
  return hashed("state", { prepared_sha256, values: inOrder(values) });
}

/** What one signer entered. */
export function hashOfValues(values: readonly StandingValue[]): string {
  return hashed("values", { values: inOrder(values) });
}

const inOrder = (values: readonly StandingValue[]) =>
  [...values].sort((a, b) => a.position - b.position).map(({ position, value, mark_sha256 }) => ({ position, value, mark_sha256 }));

function hashed(what: string, content: Parameters<typeof canonicalize>[0]): string {
  return createHash("sha256").update(`countersign/${what}/1\n`).update(canonicalize(content)).digest("hex");
}

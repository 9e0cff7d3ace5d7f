import { createHash } from "node:crypto";
import { canonicalize } from "./canonical.ts";

/** A value entered in a document; for a signature, the hash of its mark. */
export interface EnteredValue {
  readonly position: number;
  readonly value: string | null;
  readonly mark_sha256: string | null;
}

/** Hash of what a person sees on opening the document: its version, and all entered values that can no longer change. */
export function hashOfState(prepared_sha256: string, values: readonly EnteredValue[]): string {
  return hashed("state", { prepared_sha256, values: inOrder(values) });
}

/** Hash of what one signer entered. */
export function hashOfValues(values: readonly EnteredValue[]): string {
  return hashed("values", { values: inOrder(values) });
}

const inOrder = (values: readonly EnteredValue[]) =>
  [...values].sort((a, b) => a.position - b.position).map(({ position, value, mark_sha256 }) => ({ position, value, mark_sha256 }));

function hashed(what: string, content: Parameters<typeof canonicalize>[0]): string {
  return createHash("sha256").update(`countersign/${what}/1\n`).update(canonicalize(content)).digest("hex");
}

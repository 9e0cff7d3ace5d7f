import type { OrgValues } from "../secrets/org-values.ts";
import type { EnvelopeId, OrgId, RecipientId } from "../shared/ids.ts";
import { CannotDecrypt } from "../shared/secrets.ts";

/**
 * Columns that are encrypted under the key of the organization: what people enter while they sign, and the texts of identity questions.
 * Each has a plain column beside it, for rows of before and for ENCRYPT_BLOBS=false.
 */
export interface SealingDeps {
  readonly values: OrgValues;
}

/**
 * What each value is bound to. A link changes when an address is corrected, so none of them is part of it. Migration 0092 has the same
 * texts, and both never change.
 */
export const contexts = {
  value: (org: OrgId, envelope_id: EnvelopeId, position: number) => `signed value ${org} ${envelope_id} ${position}`,
  mark: (org: OrgId, sha256: string) => `adopted mark ${org} ${sha256}`,
  draft: (org: OrgId, recipient_id: RecipientId) => `signing draft ${org} ${recipient_id}`,
  /** the hash of its answer has a salt of its own */
  question: (org: OrgId, answer_hash: string) => `identity question ${org} ${answer_hash}`,
};

/** One value in its two columns, of which one is null. */
export interface StoredValue<Plain> {
  readonly plain: Plain | null;
  readonly sealed: Buffer | null;
}

export function storedValue<Plain extends string | Uint8Array>(
  { values }: SealingDeps,
  org: OrgId,
  value: Plain,
  context: string,
): StoredValue<Plain> {
  const sealed = values.seal(org, value, context);
  return sealed === null ? { plain: value, sealed } : { plain: null, sealed };
}

/** For evidence: null if the value was changed, so that it differs from the audit trail like any other changed row. */
export function openEvidence({ values }: SealingDeps, org: OrgId, sealed: Uint8Array, context: string): Buffer | null {
  try {
    return values.open(org, sealed, context);
  } catch (error) {
    if (error instanceof CannotDecrypt) return null;
    throw error;
  }
}

/** For what the audit trail does not have: a changed value stops the request, and the log says which it is. */
export function openEntered({ values }: SealingDeps, org: OrgId, sealed: Uint8Array, context: string): Buffer {
  try {
    return values.open(org, sealed, context);
  } catch (cause) {
    throw cause instanceof CannotDecrypt ? new Error(`the ${context} was changed directly in the database`, { cause }) : cause;
  }
}

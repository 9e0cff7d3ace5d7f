import { named, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Slug } from "../shared/slugs.ts";
import type { AdoptedMark } from "./mark.ts";
import { contexts, openEvidence, type SealingDeps } from "./sealed-columns.ts";

/** The rows of everyone who has signed so far, not yet compared with the audit chain. `proven-record.ts` does that. */
export interface SignedTables {
  readonly values: readonly { readonly slug: Slug; readonly position: number; readonly value: string }[];
  readonly signatures: readonly StoredSignature[];
  readonly marks: readonly (AdoptedMark & { readonly slug: Slug })[];
}

export interface StoredSignature {
  readonly slug: Slug;
  readonly position: number;
  readonly mark_sha256: string;
  readonly session: string;
  readonly intent_version: string;
  readonly intent_locale: Locale;
  readonly intent_sha256: string;
  readonly prepared_sha256: string;
  readonly state_sha256: string;
  readonly values_sha256: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly timezone: string | null;
  readonly signed_at: Date;
}

/** No text in the database contains this character, so it differs from every value that was ever entered. */
export const CHANGED_VALUE = "\u0000";
export const CHANGED_MARK = Buffer.alloc(0);

interface ValueRow extends Omit<SignedTables["values"][number], "value"> {
  readonly value: string | null;
  readonly value_sealed: Buffer | null;
}

interface MarkRow extends Omit<AdoptedMark, "content"> {
  readonly slug: Slug;
  readonly content: Buffer | null;
  readonly content_sealed: Buffer | null;
}

/** A value that cannot be decrypted was changed, and is returned as one that no one has entered. */
export async function readSigned(deps: SealingDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SignedTables> {
  const { rows } = await tx.query<ValueRow>(named("read-signed-values")`
    select slug, position, value, value_sealed from signed_values
    where org_id = ${org} and envelope_id = ${envelope_id} order by position`);
  const values = rows.map(({ slug, position, value, value_sealed }) => {
    if (value_sealed === null) return { slug, position, value: value ?? CHANGED_VALUE };
    const opened = openEvidence(deps, org, value_sealed, contexts.value(org, envelope_id, position));
    return { slug, position, value: opened?.toString("utf8") ?? CHANGED_VALUE };
  });
  const signatures = await tx.query<StoredSignature>(named("read-signatures")`
    select slug, position, mark_sha256, session, intent_version, intent_locale, intent_sha256, prepared_sha256, state_sha256, values_sha256,
      ip, user_agent, timezone, signed_at
    from signatures where org_id = ${org} and envelope_id = ${envelope_id} order by position`);
  if (signatures.rows.length === 0) return { values, signatures: [], marks: [] };
  // Initials can be on a hundred pages, so their image is read once.
  const marks = await tx.query<MarkRow>(named("read-signed-marks")`
    select m.slug, m.sha256, m.method, m.content, m.content_sealed from adopted_marks m
    where m.org_id = ${org} and (m.slug, m.sha256) in (
      select slug, mark_sha256 from signatures where org_id = ${org} and envelope_id = ${envelope_id})`);
  return { values, signatures: signatures.rows, marks: marks.rows.map((row) => ({ slug: row.slug, ...signedMark(deps, org, row) })) };
}

function signedMark(deps: SealingDeps, org: OrgId, { sha256, method, content, content_sealed }: MarkRow): AdoptedMark {
  if (content_sealed === null) return { sha256, method, content: content ?? CHANGED_MARK };
  return { sha256, method, content: openEvidence(deps, org, content_sealed, contexts.mark(org, sha256)) ?? CHANGED_MARK };
}

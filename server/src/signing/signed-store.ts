import { named, type Read } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Slug } from "../shared/slugs.ts";
import type { AdoptedMark } from "./mark.ts";

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

export async function readSigned(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SignedTables> {
  const values = await read.query<SignedTables["values"][number]>(named("read-signed-values")`
    select slug, position, value from signed_values where org_id = ${org} and envelope_id = ${envelope_id} order by position`);
  const signatures = await read.query<StoredSignature>(named("read-signatures")`
    select slug, position, mark_sha256, session, intent_version, intent_locale, intent_sha256, prepared_sha256, state_sha256, values_sha256,
      ip, user_agent, timezone, signed_at
    from signatures where org_id = ${org} and envelope_id = ${envelope_id} order by position`);
  if (signatures.rows.length === 0) return { values: values.rows, signatures: [], marks: [] };
  // Initials can be on a hundred pages, so their image is read once.
  const marks = await read.query<SignedTables["marks"][number]>(named("read-signed-marks")`
    select m.slug, m.sha256, m.method, m.content from adopted_marks m
    where m.org_id = ${org} and (m.slug, m.sha256) in (
      select slug, mark_sha256 from signatures where org_id = ${org} and envelope_id = ${envelope_id})`);
  return { values: values.rows, signatures: signatures.rows, marks: marks.rows };
}

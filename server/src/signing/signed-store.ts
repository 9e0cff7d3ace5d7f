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

interface ValueRow {
  readonly value: string | null;
  readonly value_sealed: Buffer | null;
  /** null for a signature */
  readonly value_slug: Slug | null;
}

type StoredMark = Pick<AdoptedMark, "sha256" | "method"> & Pick<MarkRow, "content" | "content_sealed">;

interface SignatureRow extends StoredSignature {
  /** null for a value */
  readonly signed_by: Slug | null;
}

interface MarkRow {
  readonly method: AdoptedMark["method"];
  readonly content: Buffer | null;
  readonly content_sealed: Buffer | null;
  /** Whether its image is in this row: initials can be on a hundred pages, and are read once. */
  readonly has_mark: boolean;
}

/** A value that cannot be decrypted was changed, and is returned as one that no one has entered. In one statement, because every look at a signed document needs it. */
export async function readSigned(deps: SealingDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SignedTables> {
  const { rows } = await tx.query<ValueRow & SignatureRow & MarkRow>(named("read-signed")`
    select position, v.slug as value_slug, v.value, v.value_sealed, s.slug as signed_by, s.mark_sha256, s.session, s.intent_version,
      s.intent_locale, s.intent_sha256, s.prepared_sha256, s.state_sha256, s.values_sha256, s.ip, s.user_agent, s.timezone, s.signed_at,
      m.sha256 is not null as has_mark, m.method, m.content, m.content_sealed
    from (select position, slug, value, value_sealed from signed_values where org_id = ${org} and envelope_id = ${envelope_id}) v
      full join (
        select position, slug, mark_sha256, session, intent_version, intent_locale, intent_sha256, prepared_sha256, state_sha256, values_sha256,
          ip, user_agent, timezone, signed_at, row_number() over (partition by slug, mark_sha256 order by position) as nth
        from signatures where org_id = ${org} and envelope_id = ${envelope_id}) s using (position)
      left join adopted_marks m on m.org_id = ${org} and m.slug = s.slug and m.sha256 = s.mark_sha256 and s.nth = 1
    order by position`);
  return {
    values: rows.flatMap(valueIn(deps, org, envelope_id)),
    signatures: rows.flatMap(signatureIn),
    marks: rows.flatMap(markIn(deps, org)),
  };
}

const valueIn = (deps: SealingDeps, org: OrgId, envelope_id: EnvelopeId) => (row: ValueRow & { readonly position: number }) => {
  const { value_slug: slug, position, value, value_sealed } = row;
  if (slug === null) return [];
  if (value_sealed === null) return [{ slug, position, value: value ?? CHANGED_VALUE }];
  const opened = openEvidence(deps, org, value_sealed, contexts.value(org, envelope_id, position));
  return [{ slug, position, value: opened?.toString("utf8") ?? CHANGED_VALUE }];
};

/** Listed by hand: what a record contains about each signature. */
function signatureIn(row: SignatureRow): StoredSignature[] {
  const { signed_by: slug, position, mark_sha256, session, intent_version, intent_locale, intent_sha256, prepared_sha256 } = row;
  const { state_sha256, values_sha256, ip, user_agent, timezone, signed_at } = row;
  if (slug === null) return [];
  const intent = { intent_version, intent_locale, intent_sha256 };
  const hashes = { prepared_sha256, state_sha256, values_sha256 };
  return [{ slug, position, mark_sha256, session, ...intent, ...hashes, ip, user_agent, timezone, signed_at }];
}

const markIn = (deps: SealingDeps, org: OrgId) => (row: SignatureRow & MarkRow) => {
  const { signed_by: slug, mark_sha256: sha256, has_mark, method, content, content_sealed } = row;
  if (slug === null || !has_mark) return [];
  return [{ slug, ...signedMark(deps, org, { sha256, method, content, content_sealed }) }];
};

function signedMark(deps: SealingDeps, org: OrgId, { sha256, method, content, content_sealed }: StoredMark): AdoptedMark {
  if (content_sealed === null) return { sha256, method, content: content ?? CHANGED_MARK };
  return { sha256, method, content: openEvidence(deps, org, content_sealed, contexts.mark(org, sha256)) ?? CHANGED_MARK };
}

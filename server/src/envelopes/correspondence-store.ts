import { named, type Read } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** What messages say about an envelope, beyond the envelope itself. */
export interface Mailed {
  readonly pages: number | null;
  /** what each role has to fill in; null: the first signer */
  readonly parts: readonly {
    readonly role: string | null;
    readonly fields: number;
    readonly initials: number;
    readonly signatures: number;
  }[];
  /** the time zones of those who have signed, by slug */
  readonly zones: Readonly<Record<string, string>>;
  /** the member who sent it or created the key that did; null if they have left */
  readonly person: { readonly name: string; readonly email: string } | null;
}

export async function findMailed(read: Read, org: OrgId, envelope_id: EnvelopeId, sent_by: string | null): Promise<Mailed> {
  const { rows } = await read.query<Mailed>(named("find-mailed")`
    select
      (select jsonb_array_length(pages) from documents where org_id = ${org} and envelope_id = ${envelope_id}
        order by document_no limit 1) as pages,
      coalesce((select jsonb_agg(counted) from (
        select role, count(*) filter (where type not in ('signature', 'initials')) as fields, count(*) filter (where type = 'initials') as initials,
          count(*) filter (where type = 'signature') as signatures
        from envelope_fields where org_id = ${org} and envelope_id = ${envelope_id} and not readonly group by role) counted), '[]') as parts,
      coalesce((select jsonb_object_agg(slug, timezone) from (
        select distinct on (slug) slug, timezone from signatures
        where org_id = ${org} and envelope_id = ${envelope_id} and timezone is not null order by slug, position) signed), '{}') as zones,
      (select jsonb_build_object('name', u.name, 'email', u.email) from members m join users u using (user_id)
        where m.org_id = ${org}
          and m.user_id = coalesce((select k.created_by from api_keys k where k.org_id = ${org} and k.key_id = ${sent_by}), ${sent_by})) as person`);
  const found = rows[0];
  if (found === undefined) throw new Error("a select without a table has no row");
  return found;
}

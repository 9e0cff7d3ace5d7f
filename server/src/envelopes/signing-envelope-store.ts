import { empty, named, type Read, raw, type Sql, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { SentEnvelope } from "../signing/submission.ts";
import type { Status } from "./envelope.ts";
import type { SavedRecipient } from "./recipient-input.ts";
import { statusNow } from "./status-now.ts";

/** An envelope for signing/: what a signer is shown, and whether a signer can act now. */
export type SigningEnvelope = Omit<SentEnvelope, "status"> & {
  /** `expired` from its expiry date on, even before the sweep has run */
  readonly status: Status;
  readonly vault_file_path: string | null;
  /** the people of the draft */
  readonly signers: readonly SavedRecipient[];
};

/** Uses the clock instead of the start of the transaction, because the transaction may have waited for the lock. */
async function signingEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId, name: string, lock: Sql): Promise<SigningEnvelope> {
  const { rows } = await read.query<SigningEnvelope>(named(name)`
    select e.envelope_id, e.envelope_name, e.expires_at, e.message, e.signing_order, e.kba_required, e.vault_file_path, e.signers, o.name as sender, s.branding, s.default_locale,
      s.require_mailed_link, e.maker_roles, e.reason,
      e.kba_required or asked.anyone as identity_required, e.kba_required or asked.with_token as identity_required_of_tokens,
      jsonb_build_object('min_identity_level', p.min_identity_level, 'embed_identity', p.embed_identity) as identity_policy,
      (select jsonb_build_object('visitor_role', f.settings ->> 'visitor_role', 'success_text', f.settings ->> 'success_text')
        from public_forms f where f.org_id = e.org_id and f.form_id = e.form_id) as form,
      ${raw(statusNow({ of: "e.", at: "clock_timestamp()" }))} as status
    from envelopes e join orgs o using (org_id) join org_settings s using (org_id) join org_security p using (org_id),
    lateral (select count(*) > 0 as anyone, count(*) filter (where not q.links_only) > 0 as with_token
      from signers g join identity_requirements q on q.org_id = g.org_id and q.slug = g.slug and q.replaced_at is null
      where g.org_id = e.org_id and g.envelope_id = e.envelope_id and g.removed_at is null) asked
    where e.org_id = ${org} and e.envelope_id = ${envelope_id} ${lock}`);
  const envelope = rows[0];
  if (envelope === undefined) throw new Problem("envelope_not_found");
  return envelope;
}

export function findSigningEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SigningEnvelope> {
  return signingEnvelope(read, org, envelope_id, "find-signing-envelope", empty);
}

/** The envelope's row MUST be locked first in every transaction that changes it or its signers. */
export function lockSigningEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SigningEnvelope> {
  return signingEnvelope(tx, org, envelope_id, "lock-signing-envelope", sql`for no key update of e`);
}

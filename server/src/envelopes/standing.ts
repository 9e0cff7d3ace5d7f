import { type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { SentEnvelope } from "../signing/submission.ts";
import type { Status } from "./envelope.ts";
import type { SignerInput } from "./signer-input.ts";

/** How an envelope stands, for those who let somebody act on it. */
export type Standing = Omit<SentEnvelope, "status"> & {
  /** `expired` from the moment that its time is over, whether or not the sweep has come */
  readonly status: Status;
  readonly vault_file_path: string | null;
  /** saved with it, for a send that names none */
  readonly signers: readonly SignerInput[];
};

/** The clock, not the transaction's start: whoever waited for the lock is late by as much. */
async function standingOf(read: Read, org: OrgId, envelope_id: EnvelopeId, lock: Sql): Promise<Standing> {
  const { rows } = await read.query<Standing>(sql`
    select e.envelope_id, e.envelope_name, e.expires_at, e.message, e.signing_order, e.kba_required, e.vault_file_path, e.signers, o.name as sender, s.branding, s.default_locale,
      s.require_mailed_link,
      case when e.status in ('sent', 'viewed') and e.expires_at <= clock_timestamp() then 'expired' else e.status end as status
    from envelopes e join orgs o using (org_id) join org_settings s using (org_id)
    where e.org_id = ${org} and e.envelope_id = ${envelope_id} ${lock}`);
  const standing = rows[0];
  if (standing === undefined) throw new Problem("envelope_not_found");
  return standing;
}

export function findStanding(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Standing> {
  return standingOf(read, org, envelope_id, sql``);
}

/** The envelope's row is the first lock of everything that moves it or its signers. */
export function lockStanding(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<Standing> {
  return standingOf(tx, org, envelope_id, sql`for no key update of e`);
}

import { type Read, sql } from "../db/sql.ts";
import type { Envelope } from "../envelopes/envelope.ts";
import { findEnvelope } from "../envelopes/store.ts";
import type { EnvelopeId, OrgId, PermissionId, UserId } from "../shared/ids.ts";
import { type AuthoritativeCopy, findCopy } from "./copy.ts";
import { type Certificate, lookUpCertificate } from "./store.ts";

export interface VaultRecord {
  readonly envelope: Envelope;
  readonly copy: AuthoritativeCopy;
  readonly certificate: Certificate;
  /** null once the copy left */
  readonly custodian: { readonly permission_id: PermissionId; readonly user_id: UserId; readonly activated_at: Date } | null;
  readonly legal_hold: boolean;
}

export async function readRecord(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<VaultRecord> {
  const copy = await findCopy(read, org, envelope_id);
  const certificate = await lookUpCertificate(read, org, envelope_id);
  if (certificate === null) throw new Error("a vaulted envelope has a certificate");
  const { rows: custodians } = await read.query<NonNullable<VaultRecord["custodian"]>>(sql`
    select permission_id, user_id, activated_at from custodian_permissions
    where org_id = ${org} and copy_id = ${copy.copy_id} and state = 'active'`);
  const { rows: holds } = await read.query(sql`
    select from legal_holds where org_id = ${org} and copy_id = ${copy.copy_id} and released_at is null limit 1`);
  const envelope = await findEnvelope(read, org, envelope_id);
  return { envelope, copy, certificate, custodian: custodians[0] ?? null, legal_hold: holds.length > 0 };
}

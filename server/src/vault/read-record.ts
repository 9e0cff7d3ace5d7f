import type { Read } from "../db/sql.ts";
import type { Envelope } from "../envelopes/envelope.ts";
import { findEnvelope } from "../envelopes/store.ts";
import type { EnvelopeId, OrgId, PermissionId, UserId } from "../shared/ids.ts";
import { type Control, controlOf } from "./acts/control.ts";
import { listParticipations, type Participation } from "./acts/register-store.ts";
import type { AuthoritativeCopy } from "./copy.ts";
import { findCopy } from "./copy-store.ts";
import { isHeld } from "./keeping/store.ts";
import { type Certificate, lookUpActiveCustodian, lookUpCertificate } from "./store.ts";

export interface VaultRecord {
  readonly envelope: Envelope;
  readonly copy: AuthoritativeCopy;
  readonly certificate: Certificate;
  /** null after the copy left */
  readonly custodian: { readonly permission_id: PermissionId; readonly user_id: UserId; readonly activated_at: Date } | null;
  readonly legal_hold: boolean;
  readonly control: Control;
  readonly participations: readonly Participation[];
}

export async function readRecord(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<VaultRecord> {
  const copy = await findCopy(read, org, envelope_id);
  const certificate = await lookUpCertificate(read, org, envelope_id);
  if (certificate === null) throw new Error("the vaulted envelope has no certificate");
  const custodian = await lookUpActiveCustodian(read, org, copy.copy_id);
  const legal_hold = await isHeld(read, org, copy.copy_id);
  const envelope = await findEnvelope(read, org, envelope_id);
  const control = await controlOf(read, org, envelope, copy);
  const participations = await listParticipations(read, org, envelope_id);
  return { envelope, copy, certificate, custodian, legal_hold, control, participations };
}

import type { Attestation } from "@countersign/evidence";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { Actor } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** The latest; null if there is none or it has no attester. */
export async function lookUpAttestation(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Attestation | null> {
  const { rows } = await read.query<{ attestation: Attestation | null }>(sql`
    select attestation from vault_attestations where org_id = ${org} and envelope_id = ${envelope_id} order by attestation_no desc limit 1`);
  const kept = rows[0]?.attestation ?? null;
  return kept === null || !("attested_by" in kept) ? null : kept;
}

export interface Recorded {
  readonly attestation_no: number;
  readonly attestation_sha256: string;
  readonly recorded_at: Date;
}

export interface NewAttestation {
  readonly attestation: object;
  readonly attestation_sha256: string;
  readonly actor: Actor;
}

export async function insertAttestation(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { attestation, attestation_sha256, actor }: NewAttestation,
): Promise<Pick<Recorded, "attestation_no" | "recorded_at">> {
  const { rows } = await tx.query<Pick<Recorded, "attestation_no" | "recorded_at">>(sql`
    insert into vault_attestations (org_id, envelope_id, attestation_no, attestation, attestation_sha256, actor)
    select ${org}, ${envelope_id}, coalesce(max(attestation_no), 0) + 1, ${JSON.stringify(attestation)}, ${attestation_sha256}, ${JSON.stringify(actor)}
    from vault_attestations where org_id = ${org} and envelope_id = ${envelope_id}
    returning attestation_no, recorded_at`);
  if (rows[0] === undefined) throw new Error("an attestation was not written");
  return rows[0];
}

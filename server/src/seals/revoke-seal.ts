import { appendAudit } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { OrgId, SealId } from "../shared/ids.ts";
import type { RevocationReason } from "./seal.ts";
import { listSealsLike, lookUpSeal, revokeSealRow } from "./store.ts";

export interface RevokedSeal {
  readonly seal_id: SealId;
  readonly certificate_sha256: string;
  readonly reason: RevocationReason;
  readonly revoked_at: Date;
  /** seals made from then on are not valid */
  readonly invalid_from: Date;
}

interface Revocation {
  readonly reason: RevocationReason;
  /** null: from now on */
  readonly invalid_from: Date | null;
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id" | "operator">;
  /**
   * In the transaction of the revocation, once for each organization that the certificate seals for: judge its records anew. `entry_hash`
   * names the audit entry of the revocation.
   */
  readonly onSealRevoked: (tx: Tx, org: OrgId, revoked: RevokedSeal, entry_hash: string) => Promise<void>;
}

/** Nothing was changed. The message says why. */
export class RevocationRefused extends Error {
  override readonly name = "RevocationRefused";
}

/** Revokes the certificate for every organization that it seals for: a purchased one is recorded once for each. */
export function revokeSeal(db: Db, seal_id: SealId, revocation: Revocation): Promise<readonly (RevokedSeal & { org_id: OrgId })[]> {
  return db.system(async (tx) => {
    const seals = await listSealsLike(tx, seal_id);
    if (seals.length === 0) throw new RevocationRefused("This seal does not exist.");
    const open = seals.filter(({ revoked_at }) => revoked_at === null);
    if (open.length === 0) throw new RevocationRefused("This seal is already revoked.");
    const revoked: (RevokedSeal & { org_id: OrgId })[] = [];
    for (const one of open)
      revoked.push({ org_id: one.org_id, ...(await tx.forOrg(one.org_id, (own) => revokeFor(own, one, revocation))) });
    return revoked;
  });
}

async function revokeFor(
  tx: Tx,
  { org_id, seal_id }: { readonly org_id: OrgId; readonly seal_id: SealId },
  { reason, invalid_from, by, onSealRevoked }: Revocation,
): Promise<RevokedSeal> {
  const seal = await lookUpSeal(tx, org_id, seal_id);
  const times = await revokeSealRow(tx, seal_id, reason, invalid_from);
  if (seal === null || times === null) throw new RevocationRefused("This seal is already revoked.");
  const { certificate_sha256 } = seal;
  const revoked = { seal_id, certificate_sha256, reason, ...times };
  const data = {
    seal_id,
    certificate_sha256,
    reason,
    revoked_at: times.revoked_at.toISOString(),
    invalid_from: times.invalid_from.toISOString(),
  };
  const { hash } = await appendAudit(tx, org_id, { type: "seal.revoked", by, data });
  await onSealRevoked(tx, org_id, revoked, hash);
  return revoked;
}

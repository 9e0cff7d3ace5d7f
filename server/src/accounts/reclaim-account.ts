import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import type { Origin } from "../shared/caller.ts";
import type { UserId } from "../shared/ids.ts";
import type { Proof } from "./account.ts";
import { listDevices, revokeDevice } from "./device-store.ts";
import { deleteEmailChange } from "./email-change-store.ts";
import { deleteFactorsOf } from "./factor-store.ts";
import { endSessionsOfUser, listMemberships, verifyEmail } from "./store.ts";

/**
 * Setting a password with a mailed link verifies the address. An account that was unverified until now may have been created by someone
 * else, so they lose access: their sessions end, their browsers are no longer known, a change of the address that they requested is
 * withdrawn, and nothing that they set up opens the account. Verified accounts do not change.
 */
export async function reclaimAccount(tx: SystemTx, by: Origin, user_id: UserId, proof: Proof): Promise<void> {
  if (!(await verifyEmail(tx, user_id, proof))) return;
  await endSessionsOfUser(tx, user_id);
  // Its link is in their mailbox.
  await deleteEmailChange(tx, user_id);
  for (const device_id of await listDevices(tx, user_id)) await revokeDevice(tx, device_id);
  await deleteFactorsOf(tx, user_id);
  const actor = { kind: "user", id: user_id } as const;
  const entry = { type: "account.reclaimed", by: { ...by, actor }, data: { user_id, verified_by: proof } } as const;
  for (const { org_id } of await listMemberships(tx, user_id)) await tx.forOrg(org_id, () => appendAudit(tx, org_id, entry));
}

import { iso, isoOrNull } from "../../http/shapes.ts";
import type { Custodian } from "./custodian-store.ts";
import { statusOf, type Transfer } from "./permission.ts";

export const presentCustodian = ({ user_id, name, email, role, copies }: Custodian) => ({ user_id, name, email, role, copies });

/** The response to initiating a transfer. */
export const presentInitiated = (transfer: Transfer) => ({
  permission_id: transfer.permission_id,
  envelope_id: transfer.envelope_id,
  from_user_id: transfer.from_user_id,
  to_user_id: transfer.user_id,
  status: statusOf[transfer.state],
  initiated_at: iso(transfer.initiated_at),
  expires_at: iso(transfer.expires_at),
});

export const presentTransfer = (transfer: Transfer) => ({
  ...presentInitiated(transfer),
  reason: transfer.reason,
  initiated_by: { kind: transfer.initiated_by.kind, id: transfer.initiated_by.id },
  decided_at: isoOrNull(decidedAt(transfer)),
});

/** An accepted transfer was decided when it became active. */
function decidedAt({ state, activated_at, closed_at, expires_at }: Transfer): Date | null {
  if (activated_at !== null) return activated_at;
  return state === "expired" ? (closed_at ?? expires_at) : closed_at;
}

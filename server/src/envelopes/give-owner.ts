import { appendAudit } from "../audit/append-audit.ts";
import type { Read, Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import type { Envelope } from "./envelope.ts";
import { isMember, updateOwner } from "./store.ts";

/** Gives a locked envelope to a member of the organization. */
export async function giveOwner(
  tx: Tx,
  caller: Caller,
  envelope: Pick<Envelope, "envelope_id" | "owner_user_id">,
  to: UserId,
): Promise<void> {
  const { envelope_id, owner_user_id: from } = envelope;
  await refuseStranger(tx, caller.org, to);
  if (from === to) return;
  await updateOwner(tx, caller.org, envelope_id, to);
  await appendAudit(tx, caller.org, { type: "envelope.owner_changed", by: caller, envelope_id, data: { from, to } });
}

/** 422 for a user who is not a member, the same for one who does not exist. */
export async function refuseStranger(read: Read, org: OrgId, user_id: UserId): Promise<void> {
  if (!(await isMember(read, org, user_id))) throw invalidField("owner_user_id", "not_found", "is not a member of your organization");
}

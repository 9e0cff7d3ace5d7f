import { endSessionsOfMember } from "../accounts/store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Cause } from "../jobs/catalogue.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Member } from "../shared/caller.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { mayGiveRole, type Role } from "../shared/scopes.ts";
import type { MemberRow, OrgDeps, SettingsDeps } from "./org.ts";
import { lockSecurity } from "./security-store.ts";
import { clearCustodian, deleteMember, isRoleManaged, lockMember, setBreakGlass, setRole } from "./store.ts";

/** The last admin stays, because only an admin can make another one. */
function refuseLastAdmin(member: { role: Role; other_admins: number }): void {
  if (member.role === "admin" && member.other_admins === 0) throw new Problem("last_admin");
}

/** No member adds or removes a person with more administrative rights than they have, or gives themselves more. */
export function refuseHigherRole({ session }: Member, roles: readonly Role[], of?: UserId): void {
  const higher = roles.find((role) => !mayGiveRole(session.role, role, of === session.user_id));
  if (higher !== undefined) throw new Problem("role_too_low", `${session.role} does not include ${higher}`);
}

function refuseCustodian(copies: number): void {
  if (copies === 0) return;
  const message = `is custodian of ${copies} ${copies === 1 ? "copy" : "copies"}`;
  throw new Problem("custodian_of_copies", message, {
    words: { copies: copies === 1 ? "1 authoritative copy" : `${copies} authoritative copies` },
    details: [{ location: "path", field: "user_id", code: "custodian_of_copies", message }],
  });
}

/** Who is no admin any more is no exception from single sign-on either. The last exception stays while single sign-on is required. */
async function endBreakGlass(tx: Tx, org: OrgId, { user_id, break_glass }: MemberRow): Promise<void> {
  if (!break_glass) return;
  const { sso_mode, break_glass: all } = await lockSecurity(tx, org);
  if (sso_mode === "required" && all.every((one) => one === user_id)) {
    const message = "this is the only break-glass admin. Name another one first";
    throw new Problem("would_lock_out", "", { details: [{ location: "path", field: "user_id", code: "would_lock_out", message }] });
  }
  await setBreakGlass(tx, org, user_id, false);
}

export async function changeRole(deps: OrgDeps, admin: Member, user_id: UserId, role: Role): Promise<MemberRow> {
  return deps.db.tx(admin.org, async (tx) => {
    const member = await lockMember(tx, admin.org, user_id);
    refuseHigherRole(admin, [member.role, role], user_id);
    if (member.role === role) return member;
    if (await isRoleManaged(tx, admin.org, user_id)) throw new Problem("managed_by_sso");
    if (role !== "admin") {
      refuseLastAdmin(member);
      await endBreakGlass(tx, admin.org, member);
    }
    await setRole(tx, admin.org, user_id, role);
    await appendAudit(tx, admin.org, { type: "member.role_changed", by: admin, data: { user_id, from: member.role, to: role } });
    return { ...member, role };
  });
}

/**
 * Removes the member and ends their sessions in this org. The account and its other orgs stay. A custodian is only removed with
 * `custody: "leave"`. Their copies then have a custodian who is not a member: they are evaluated again, and check 3 fails.
 */
export async function removeMember(deps: SettingsDeps, admin: Member, user_id: UserId, custody?: "leave"): Promise<void> {
  await deps.db.tx(admin.org, async (tx) => {
    const member = await lockMember(tx, admin.org, user_id);
    refuseHigherRole(admin, [member.role], user_id);
    refuseLastAdmin(member);
    await endBreakGlass(tx, admin.org, member);
    await deleteMember(tx, admin.org, user_id);
    // Counts after the deletion, because the deletion waits for a transfer to this person that is being accepted.
    const copies = await deps.countCopies(tx, admin.org, user_id);
    if (custody === undefined) refuseCustodian(copies);
    await endSessionsOfMember(tx, admin.org, user_id);
    const type = "member.removed";
    const { hash } = await appendAudit(tx, admin.org, { type, by: admin, data: { user_id } });
    if (copies > 0) await enqueueEvaluations(tx, admin.org, { type, hash }, user_id);
    if (!(await clearCustodian(tx, admin.org, user_id))) return;
    const changes = { default_custodian_user_id: { from: user_id, to: null } };
    await appendAudit(tx, admin.org, { type: "settings.changed", by: admin, data: { changes } });
  });
}

const enqueueEvaluations = (tx: Tx, org_id: OrgId, cause: Cause, user_id: UserId): Promise<void> =>
  enqueue(tx, "vault.evaluate-affected", { org_id, cause, of: { kind: "custodian", user_id }, after: null });
